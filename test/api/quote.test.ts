import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const quote = (body: Parameters<typeof service.call<'quote'>>[1] extends infer A ? NonNullable<A> : never) =>
  service.call('quote', body)

describe('quote', () => {
  it('returns the best offer, sealed, with fee, slippage, gas and expiry [quote-best-offer-sealed]', async () => {
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

  it('prices native Bitcoin equally under its marker and under BTC', async () => {
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

  it('returns the fastest offer with rankingMode fastest', async () => {
    const fastest = await quote({ body: { ...TRANSACTION_SWAP, rankingMode: 'fastest', excludeVenues: [] } })
    const others = await quote({ body: { ...TRANSACTION_SWAP, excludeVenues: [fastest.venue.id] } })
    expect(fastest.estimatedTimeSeconds).toBeLessThanOrEqual(others.estimatedTimeSeconds)
  })
})
