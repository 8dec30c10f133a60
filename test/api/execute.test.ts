import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { allBut, DEPOSIT_SWAP, OTHER_EVM, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/execute'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
})
afterAll(() => service.close())
afterEach(async () => {
  await service.control.clearFaults()
  // Two equal swaps of one second are refused.
  await service.control.advance(1_000)
})

const tokenFor = async (body: NonNullable<Parameters<typeof service.call<'quote'>>[1]>['body']) =>
  (await service.call('quote', { body: body as never })).quoteToken
const post = (body: unknown) => service.send('POST', PATH, { body })
const execute = (body: { quoteToken: string; destinationAddress?: string; refundAddress?: string }) =>
  service.call('execute', { body })

const SOL = 'So11111111111111111111111111111111111111112'
const solanaSwap = (venue: string, userAddress: string, input: { inputToken: string; inputAmount: string }) => ({
  ...input,
  inputChainId: -2 as const,
  outputChainId: 8453 as const,
  outputToken: USDC.base,
  userAddress,
  destinationAddress: OTHER_EVM,
  excludeVenues: allBut(venue),
})
const fund = (address: string, token: string, amount: string) => service.control.faucet({ chainId: -2, token, address, amount })

describe('502 BUILD_FAILED names what a Solana wallet lacks, before it signs', () => {
  const NATIVE_SWAP = { inputToken: SOL, inputAmount: '1000000000' }
  const TOKEN_SWAP = { inputToken: USDC.solana, inputAmount: '250000000' }
  it.each([
    ['relay', 'SOL', NATIVE_SWAP],
    ['relay', 'tokens', TOKEN_SWAP],
    ['across', 'tokens', TOKEN_SWAP],
  ] as const)('for a payment by %s in %s', async (venue, _what, input) => {
    const { address } = solanaSigner(venue === 'across' ? 51 : input === NATIVE_SWAP ? 52 : 53)
    const quoteToken = await tokenFor(solanaSwap(venue, address, input))
    // Nothing at all; then fees, but not the amount; then both.
    expect(expectFailure(await post({ quoteToken }), 502, 'BUILD_FAILED')).toMatchObject({ venue, reason: 'insufficientFunds' })
    await fund(address, SOL, '900000000')
    if (input === TOKEN_SWAP) await fund(address, USDC.solana, '249999999')
    const details = expectFailure(await post({ quoteToken }), 502, 'BUILD_FAILED')
    expect(details).toMatchObject({
      venue,
      reason: 'insufficientFunds',
      transactionError: { InstructionError: [expect.any(Number), { Custom: 1 }] },
    })
    await fund(address, input === TOKEN_SWAP ? USDC.solana : SOL, '200000000')
    expect(await execute({ quoteToken })).toMatchObject({ executionType: 'TRANSACTION', transaction: { chainId: -2 } })
  })
})

describe('broadcastViaService [broadcast-flag]', () => {
  it.each([
    ['an EVM TRANSACTION', TRANSACTION_SWAP],
    ['a SIGNATURE', SIGNATURE_SWAP],
    ['a DEPOSIT', DEPOSIT_SWAP],
  ])('changes no field of %s', async (_what, swap) => {
    const asked = await execute({ quoteToken: await tokenFor({ ...swap, broadcastViaService: true }) })
    await service.control.advance(1_000)
    const plain = await execute({ quoteToken: await tokenFor(swap) })
    expect(Object.keys(asked).toSorted()).toEqual(Object.keys(plain).toSorted())
    expect(asked).not.toHaveProperty('quoteToken')
  })

  it('adds submit and statusRef to a Solana TRANSACTION, which has neither without it', async () => {
    const { address } = solanaSigner(54)
    await fund(address, SOL, '5000000000')
    const swap = solanaSwap('relay', address, { inputToken: SOL, inputAmount: '1000000000' })
    expect(Object.keys(await execute({ quoteToken: await tokenFor(swap) }))).toEqual(['executionType', 'transaction', 'proof'])
    const asked = await execute({ quoteToken: await tokenFor({ ...swap, broadcastViaService: true }) })
    const statusRef = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    expect(asked).toMatchObject({ submit: { url: '/api/v1/submit-transaction' }, statusRef })
  })
})
