import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import {
  ACCOUNT,
  allBut,
  BITCOIN_WALLET,
  DEPOSIT_SWAP,
  OTHER_EVM,
  SIGNATURE_SWAP,
  SOLANA_WALLET,
  TRANSACTION_SWAP,
} from '../support/swaps.ts'

const PATH = '/api/v1/quote'
const EVM_TO_SOLANA = { ...TRANSACTION_SWAP, outputChainId: -2, outputToken: USDC.solana } as const

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const post = (body: unknown) => service.send('POST', PATH, { body })
const quote = (body: Parameters<typeof service.call<'quote'>>[1] extends infer A ? NonNullable<A> : never) =>
  service.call('quote', body)

describe('200', () => {
  it('answers with the best offer, sealed, and everything a wallet must know', async () => {
    const data = await quote({ body: TRANSACTION_SWAP })
    expect(data).toMatchObject({
      venue: { id: 'across', name: 'Across' },
      routeType: 'EVM_CROSS_CHAIN',
      input: { token: { chainId: 8453, symbol: 'USDC', decimals: 6, isNative: false }, amount: '250000000' },
      output: { token: { chainId: 42161, symbol: 'USDC', decimals: 6 } },
      fee: { bps: 0, amount: '0' },
      executable: true,
      gas: { nativeSymbol: 'ETH' },
      estimatedTimeIsGuess: false,
    })
    expect(data.quoteToken.length).toBeLessThan(2_048)
    expect(BigInt(data.slippage?.guaranteedMin ?? 0)).toBeLessThanOrEqual(BigInt(data.output.amount))
    expect(data.expiresAt).toBeGreaterThan(Date.now())
    expect(data.gas?.usd).toMatch(/^[0-9]+\.[0-9]+$/)
  })

  it('asks for the exact allowance, never an unlimited one', async () => {
    const { approval } = await quote({ body: TRANSACTION_SWAP })
    expect(approval).toMatchObject({
      token: USDC.base,
      amount: '250000000',
      transaction: { to: USDC.base, value: '0', chainId: 8453 },
    })
    const spender = approval?.spender.slice(2).toLowerCase().padStart(64, '0')
    expect(approval?.transaction.data).toBe(`0x095ea7b3${spender}${(250_000_000).toString(16).padStart(64, '0')}`)
  })

  it('asks for no approval of a native coin', async () => {
    const data = await quote({
      body: { ...TRANSACTION_SWAP, inputToken: NATIVE, inputAmount: '1000000000000000000', outputToken: NATIVE },
    })
    expect(data.approval).toBeUndefined()
  })

  it('gives the gasless venue no gas, and a guess where it says no time', async () => {
    const data = await quote({ body: SIGNATURE_SWAP })
    expect(data).toMatchObject({ venue: { id: 'cow' }, routeType: 'EVM_SAME_CHAIN', gas: null, estimatedTimeIsGuess: true })
  })

  it('prices native Bitcoin under its sentinel and under BTC alike', async () => {
    const [sentinel, alias] = await Promise.all([
      quote({ body: DEPOSIT_SWAP }),
      quote({ body: { ...DEPOSIT_SWAP, inputToken: 'BTC' } }),
    ])
    expect(sentinel).toMatchObject({
      venue: { id: 'near-intents' },
      routeType: 'NATIVE_BITCOIN',
      input: { token: { decimals: 8, isNative: true } },
    })
    expect(alias.input).toEqual(sentinel.input)
    expect(alias.output.amount).toBe(sentinel.output.amount)
  })

  it('is a preview when the winner fixes a recipient that was not named', async () => {
    const preview = await quote({ body: EVM_TO_SOLANA })
    expect(preview).toMatchObject({ venue: { id: 'across' }, executable: false, routeType: 'CROSS_ECOSYSTEM' })
    const named = await quote({ body: { ...EVM_TO_SOLANA, destinationAddress: SOLANA_WALLET } })
    expect(named).toMatchObject({ venue: { id: 'across' }, executable: true })
  })

  it('ranks an executable offer before a better preview', async () => {
    const data = await quote({ body: { ...EVM_TO_SOLANA, excludeVenues: [] } })
    expect(data).toMatchObject({ venue: { id: 'near-intents' }, executable: true })
  })

  it.each([
    ['a small bridge', 'relay', TRANSACTION_SWAP],
    ['a large bridge', 'across', { ...TRANSACTION_SWAP, inputAmount: '25000000000' }],
    ['native Bitcoin', 'near-intents', DEPOSIT_SWAP],
    ['one chain', 'cow', SIGNATURE_SWAP],
  ] as const)('takes the best price of all venues: for %s, that of %s', async (_swap, id, body) => {
    const best = await quote({ body: { ...body, excludeVenues: [] } })
    expect(best.venue.id).toBe(id)
    const { data } = (await post({ ...body, excludeVenues: [id] })).body as { data?: { output: { amount: string } } }
    expect(BigInt(best.output.amount)).toBeGreaterThan(BigInt(data?.output.amount ?? 0))
  })

  it('ranks by time when asked for the fastest', async () => {
    const body = { ...TRANSACTION_SWAP, excludeVenues: [] }
    const fastest = await quote({ body: { ...body, rankingMode: 'fastest' } })
    const others = await quote({ body: { ...body, excludeVenues: [fastest.venue.id] } })
    expect(fastest.estimatedTimeSeconds).toBeLessThanOrEqual(others.estimatedTimeSeconds)
  })

  it('holds the guaranteed minimum within the slippage asked for', async () => {
    const data = await quote({ body: { ...SIGNATURE_SWAP, slippageBps: 30 } })
    const expected = BigInt(data.output.amount)
    expect(data.slippage).toMatchObject({ bps: 30 })
    expect(BigInt(data.slippage?.guaranteedMin ?? 0)).toBeGreaterThanOrEqual((expected * 9_970n) / 10_000n - 2n)
  })

  it.each(['http-500', 'malformed-body', 'reset', 'wrong-shape', 'huge-body'] as const)(
    'lives through a venue with the fault %s',
    async (fault) => {
      const body = { ...TRANSACTION_SWAP, excludeVenues: [] }
      await service.control.fault('relay', fault)
      expect(await quote({ body })).toMatchObject({ venue: { id: 'across' } })
      await service.control.clearFaults()
      expect(await quote({ body })).toMatchObject({ venue: { id: 'relay' } })
    },
  )

  it.each([
    ['near-intents', '/v0/quote', TRANSACTION_SWAP, 'relay'],
    ['relay', '/quote/v2', TRANSACTION_SWAP, 'across'],
  ] as const)('drops an offer of %s a hundred times too good (%s)', async (venue, path, swap, winner) => {
    await service.control.fault(venue, 'price-x100', { path })
    const body = { ...swap, refundAddress: swap.userAddress }
    const best = await quote({ body: { ...body, excludeVenues: [] } })
    expect(best.venue.id).toBe(winner)
    const alone = await quote({ body: { ...body, excludeVenues: allBut(venue) } })
    expect(BigInt(alone.output.amount)).toBeGreaterThan(50n * BigInt(best.output.amount))
  })

  it('prices the sandbox as live', async () => {
    const [live, sandbox] = await Promise.all([
      quote({ body: TRANSACTION_SWAP }),
      quote({ body: { ...TRANSACTION_SWAP, sandbox: true } }),
    ])
    expect(sandbox.output).toEqual(live.output)
  })
})

describe('400', () => {
  it('names each failing field at once', async () => {
    const details = expectFailure(
      await post({ ...TRANSACTION_SWAP, inputAmount: '007', slippageBps: 0, rankingMode: 'cheapest' }),
      400,
      'INVALID_REQUEST',
    )
    expect(failingPaths(details)).toEqual(expect.arrayContaining(['inputAmount', 'slippageBps', 'rankingMode']))
  })

  it.each(['0', '-1', '1.5', '1e9', ' 1', '01', '', (1n << 256n).toString()])('refuses the amount %j', async (inputAmount) => {
    expect(failingPaths(expectFailure(await post({ ...TRANSACTION_SWAP, inputAmount }), 400, 'INVALID_REQUEST'))).toEqual([
      'inputAmount',
    ])
  })

  it.each(['inputChainId', 'outputChainId', 'inputToken', 'outputToken', 'inputAmount', 'userAddress'] as const)(
    'requires %s',
    async (field) => {
      const { [field]: _left, ...rest } = TRANSACTION_SWAP
      expect(failingPaths(expectFailure(await post(rest), 400, 'INVALID_REQUEST'))).toContain(field)
    },
  )

  it('refuses a field it does not know, because a misspelt address would send money elsewhere', async () => {
    const details = expectFailure(await post({ ...TRANSACTION_SWAP, destinatonAddress: OTHER_EVM }), 400, 'INVALID_REQUEST')
    expect(failingPaths(details)).toEqual(['destinatonAddress'])
  })

  it.each([
    ['userAddress', { userAddress: ACCOUNT.address.replace('f', 'F') }],
    ['userAddress', { userAddress: SOLANA_WALLET }],
    ['userAddress', { userAddress: '0x0000000000000000000000000000000000000000' }],
    ['destinationAddress', { destinationAddress: BITCOIN_WALLET }],
    ['refundAddress', { refundAddress: SOLANA_WALLET }],
  ] as const)('refuses %s when it is not one of its chain', async (path, change) => {
    expect(failingPaths(expectFailure(await post({ ...TRANSACTION_SWAP, ...change }), 400, 'INVALID_REQUEST'))).toEqual([path])
  })

  it('lists the known venues when asked to exclude another', async () => {
    const details = expectFailure(await post({ ...TRANSACTION_SWAP, excludeVenues: ['hop'] }), 400, 'INVALID_REQUEST')
    expect(JSON.stringify(details)).toContain(VENUE_DEFINITIONS.map(({ id }) => id).join(', '))
  })

  it('refuses to swap a token for itself', async () => {
    const same = { ...SIGNATURE_SWAP, outputToken: SIGNATURE_SWAP.inputToken }
    expect(failingPaths(expectFailure(await post(same), 400, 'INVALID_REQUEST'))).toEqual(['outputToken'])
  })

  it('says which chain is not supported', async () => {
    expectFailure(await post({ ...TRANSACTION_SWAP, inputChainId: 250 }), 400, 'UNSUPPORTED_CHAIN')
  })

  it('names the token that its chain does not know', async () => {
    const details = expectFailure(await post({ ...TRANSACTION_SWAP, outputToken: OTHER_EVM }), 400, 'UNSUPPORTED_TOKEN')
    expect(failingPaths(details)).toEqual(['outputToken'])
  })
})

describe('401', () => {
  it('refuses a key nobody was given', async () => {
    expectFailure(
      await service.send('POST', PATH, { body: TRANSACTION_SWAP, headers: { 'x-api-key': 'swk_nobodys' } }),
      401,
      'UNAUTHORIZED',
    )
  })
})

describe('404', () => {
  it('tells for every venue why it did not offer, with the bound where the venue said it', async () => {
    const details = expectFailure(await post({ ...DEPOSIT_SWAP, inputAmount: '10', excludeVenues: [] }), 404, 'NO_LIQUIDITY')
    const declines = details['declines'] as readonly { venue: string; kind: string; minimum?: string; retryable: boolean }[]
    expect(declines.map(({ venue }) => venue).toSorted()).toEqual(['across', 'cow', 'near-intents', 'relay'])
    const near = declines.find(({ venue }) => venue === 'near-intents')
    expect(near).toMatchObject({ kind: 'amountTooSmall', retryable: false })
    expect(BigInt(near?.minimum ?? 0)).toBeGreaterThan(10n)
  })

  it('has no venue left when all are excluded', async () => {
    const { venues } = await service.call('health')
    const excludeVenues = venues.map(({ id }) => id)
    const details = expectFailure(await post({ ...TRANSACTION_SWAP, excludeVenues }), 404, 'NO_LIQUIDITY')
    expect(details['declines']).toEqual([])
  })
})

describe('500', () => {
  it('asks to repeat the request while the only venue of the route is down', async () => {
    await service.control.fault('near-intents', 'http-500')
    const details = expectFailure(await post(DEPOSIT_SWAP), 500, 'INTERNAL')
    expect(details).toEqual({
      retryable: true,
      declines: [{ venue: 'near-intents', kind: 'unavailable', retryable: true }],
    })
  })
})

describe('side effects', () => {
  it('leaves no trace at any venue: the same order quoted again gives the same quote', async () => {
    const first = await quote({ body: SIGNATURE_SWAP })
    const second = await quote({ body: SIGNATURE_SWAP })
    expect(second.output).toEqual(first.output)
    expect(second.quoteToken).not.toBe(first.quoteToken)
  })
})
