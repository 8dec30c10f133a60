import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/quote'

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

  it('ranks by time when asked for the fastest', async () => {
    const body = { ...TRANSACTION_SWAP, excludeVenues: [] }
    const fastest = await quote({ body: { ...body, rankingMode: 'fastest' } })
    const others = await quote({ body: { ...body, excludeVenues: [fastest.venue.id] } })
    expect(fastest.estimatedTimeSeconds).toBeLessThanOrEqual(others.estimatedTimeSeconds)
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
