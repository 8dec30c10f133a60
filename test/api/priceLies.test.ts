import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFERENCE_USD_MICROS } from '../../engine/simnet/kit/referencePrices.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, SOLANA_WALLET } from '../support/swaps.ts'

/**
 * A lie about the price that is small enough to be believed: half more than the market pays wins every race within the factor of
 * the outlier rule. It may cost time, and no money: either it cannot be built, or what is built binds the minimum that was told.
 */

const SOL = 'So11111111111111111111111111111111111111112'
const ETHEREUM = { inputChainId: 1, inputToken: USDC.ethereum, inputAmount: '1000000000', userAddress: ACCOUNT.address } as const
const BASE = { inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', userAddress: ACCOUNT.address } as const
const BITCOIN = {
  ...{ inputChainId: -1, inputToken: NATIVE, inputAmount: '5000000' },
  ...{ userAddress: BITCOIN_WALLET, refundAddress: BITCOIN_WALLET },
} as const
const SOLANA = { inputChainId: -2, inputToken: USDC.solana, inputAmount: '1000000000', userAddress: SOLANA_WALLET } as const
const TO_COINS = { outputChainId: 1, outputToken: NATIVE, destinationAddress: ACCOUNT.address } as const

/** Swaps into what the lie is about; each venue is tried with those it serves. */
const SWAPS = {
  'USDC to WETH on Ethereum': { ...ETHEREUM, outputChainId: 1, outputToken: WETH_ETHEREUM },
  'USDC on Base to ether on Ethereum': { ...BASE, ...TO_COINS },
  'USDC to SOL on Solana': { ...SOLANA, outputChainId: -2, outputToken: SOL },
  'bitcoin to ether': { ...BITCOIN, ...TO_COINS },
} as const

let service: TestService
beforeAll(async () => {
  service = await startService(only(...VENUE_DEFINITIONS.map(({ id }) => id)))
  const money = { chainId: -2, address: SOLANA_WALLET } as const
  await service.control.faucet({ ...money, token: SOL, amount: '10000000000' })
  await service.control.faucet({ ...money, token: USDC.solana, amount: '5000000000' })
})
afterAll(() => service.close())

const dollars = (micros: bigint) => `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`
const CURRENCIES = ['ETH', 'SOL'] as const

/** What is bought seems to cost two thirds while `run` lasts. */
const whileLying = async <T>(run: () => Promise<T>): Promise<T> => {
  for (const currency of CURRENCIES) await service.control.setPrice(currency, dollars((REFERENCE_USD_MICROS[currency] * 2n) / 3n))
  try {
    return await run()
  } finally {
    for (const currency of CURRENCIES) await service.control.setPrice(currency, dollars(REFERENCE_USD_MICROS[currency]))
  }
}

type Told = { quoteToken: string; output: { amount: string }; expectedProof: { minimum: string } }
const ask = async (body: object, excludeVenues: readonly string[]): Promise<Told | null> => {
  const { status, body: answer } = await service.send('POST', '/api/v1/quote', { body: { ...body, excludeVenues } })
  return status === 200 ? (answer as { data: Told }).data : null
}

type Executed = { data?: { proof: { minimum: string } }; error?: { code: string; details?: { reason?: string } } }
const execute = async ({ quoteToken }: Told): Promise<Executed> =>
  (await service.send('POST', '/api/v1/execute', { body: { quoteToken } })).body as Executed

const tried = new Set<string>()

/** Payloads of which no byte can show the minimum, by their venue and swap: the caller is told so, and may refuse them beforehand. */
const ON_TRUST = new Set([
  'relay: bitcoin to ether',
  'thorchain: bitcoin to ether',
  'chainflip: bitcoin to ether',
  'chainflip: USDC to SOL on Solana',
])

describe.each(VENUE_DEFINITIONS.map(({ id }) => id))('a lie of %s', (venue) => {
  it.each(Object.entries(SWAPS))('%s: cannot be built, or its payload binds what was told', async (name, swap) => {
    const [honest, lie] = [await ask(swap, allBut(venue)), await whileLying(() => ask(swap, allBut(venue)))]
    expect(lie === null).toBe(honest === null)
    if (lie === null || honest === null) return
    tried.add(venue)
    expect(BigInt(lie.output.amount) * 100n).toBeGreaterThan(BigInt(honest.output.amount) * 140n)
    const proof = ON_TRUST.has(`${venue}: ${name}`) ? 'taken-on-trust' : 'proved'
    expect(lie.expectedProof.minimum).toBe(proof)
    const { data, error } = await execute(lie)
    // A venue that would have to open something first says so itself.
    const gone = { code: 'QUOTE_EXPIRED', details: { reason: expect.stringMatching(/^(priceMoved|noLiquidity)$/) } }
    if (data === undefined) expect(error).toMatchObject(gone)
    else expect(data.proof.minimum).toBe('proved')
    // Kept up when it is executed, the lie is in the payload: what pays less reverts, is not filled, or is refunded.
    const kept = await whileLying(async () => {
      const again = await ask({ ...swap, inputAmount: `${BigInt(swap.inputAmount) + 1n}` }, allBut(venue))
      return again && execute(again)
    })
    expect(kept?.data?.proof.minimum).toBe(proof)
  })
})

describe('every venue', () => {
  it('was tried', () => {
    expect([...tried].toSorted()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).toSorted())
  })
})
