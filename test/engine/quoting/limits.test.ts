import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tier } from '../../../engine/core/caller.ts'
import { createFakeVenue, declines, type FakeVenueOptions, offers } from '../../support/fakeVenue.ts'
import { executeToken, order, quoteOf, startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime, runQuote } from '../../support/raceTime.ts'
import { refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const MINUTE_MS = 60_000
/** 10 of them are kept for executes, 14 are for anonymous callers, half of that for one of them, and keys lend 2 at once. */
const FIFTY_A_MINUTE = { limits: { requestsPerMinute: 50 } } as const
const QUOTES_MAX = 9

const limitedVenue = (options: FakeVenueOptions = {}) => createFakeVenue('limited', { profile: FIFTY_A_MINUTE, ...options })

const quoteTimes = async (engine: TestEngine, times: number) => {
  for (let i = 0; i < times; i += 1) await runQuote(engine, order())
}

describe('the limit of a venue', () => {
  beforeEach(fakeTime)
  afterEach(realTime)

  it('declines quotes as rateLimited, prevents no execution, and counts executions before quotes [venue-limit-kept]', async () => {
    const limited = limitedVenue({ now: () => START_AT })
    const engine = await startEngine([limited], { env: { QUOTE_LIFETIME_MS: '600000' } })
    const [first, ...rest] = [await quoteOf(engine), await quoteOf(engine), await quoteOf(engine)]
    await quoteTimes(engine, 20)
    expect(limited.calls.quote).toHaveLength(QUOTES_MAX)
    const declines = [{ venue: 'limited', kind: 'rateLimited', retryable: true }]
    expect((await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')).details).toEqual({ declines })
    await executeToken(engine, first.quoteToken)
    engine.clock.at += MINUTE_MS
    for (const { quoteToken } of rest) await executeToken(engine, quoteToken)
    expect(limited.calls.execute).toHaveLength(3)
    await quoteTimes(engine, 20)
    expect(limited.calls.quote).toHaveLength(QUOTES_MAX + QUOTES_MAX - 2)
  })

  it('is not used up by quotes that the breaker skips', async () => {
    const limited = limitedVenue({ quote: declines('unavailable') })
    const engine = await startEngine([limited])
    await quoteTimes(engine, 35)
    expect(limited.calls.quote).toHaveLength(5)
    limited.script.quote = offers(1_000n)
    await advance(15_000)
    expect((await quoteOf(engine)).venue.id).toBe('limited')
  })

  it.each([
    ['a published limit by the minute', FIFTY_A_MINUTE, '200', 36],
    ['no published limit', {}, '200', 36],
    ['a higher published limit by the second', { limits: { requestsPerSecond: 6 } }, '200', 4],
    ['a lower published limit by the second', { limits: { requestsPerSecond: 6 } }, '1200', 15],
  ] as const)('is VENUE_RELAY_REQUESTS_PER_MINUTE in place of %s [venue-limit-kept]', async (_what, profile, limit, quotes) => {
    const relay = createFakeVenue('relay', { profile })
    await quoteTimes(await startEngine([relay], { env: { VENUE_RELAY_REQUESTS_PER_MINUTE: limit } }), 60)
    expect(relay.calls.quote).toHaveLength(quotes)
  })
})

/** Who asks: each of twenty networks of one /48 asks 28 times a minute, below the public limit of 30. */
type Asking = readonly [tier: Tier, partnerId: string | null, client: string]
const attackerNetwork = (at: number): string => `2001:db8:bad:${at.toString(16)}::/64`
const ATTACKS: readonly (readonly [string, (at: number) => Asking])[] = [
  ['anonymous networks of one /48', (at) => ['anonymous', null, attackerNetwork(at)]],
  ['twenty self-serve keys of one /48', (at) => ['selfServe', `key-${at}`, attackerNetwork(at)]],
]
const HONEST: readonly (readonly [string, Asking])[] = [
  ['an enterprise key', ['enterprise', 'big', 'partner big']],
  ['a self-serve key of another network', ['selfServe', 'small', '2001:db8:900d:1::/64']],
  ['an anonymous caller of another /48', ['anonymous', null, '2001:db8:900d:2::/64']],
  ['an anonymous caller of IPv4', ['anonymous', null, '192.0.2.1']],
]

describe.each(ATTACKS)('the limit of a venue under load by %s', (_attack, attacker) => {
  it.each(HONEST)('serves %s within five seconds, each time [venue-limit-shared-fairly]', async (_honest, honest) => {
    const best = limitedVenue({ quote: offers(2_000n) })
    const { engine, context, clock } = await startEngine([best, createFakeVenue('other', { quote: offers(1_999n) })])
    const isServed = async ([tier, partnerId, client]: Asking): Promise<boolean> => {
      const caller = { tier, partnerId, feeBps: null, requestsPerMinute: 120 }
      return (await engine.quote(order(), { ...context, caller, client })).venue.id === 'limited'
    }
    const waits: number[] = []
    let [waitsSince, attackersServed]: [number | null, number] = [null, 0]
    for (let second = 0; second < 120; second += 1) {
      for (let at = 0; at < 20; at += 1) if (second % 2 === 0 && (await isServed(attacker(at)))) attackersServed += 1
      if (second > 0 && second % 10 === 0) waitsSince ??= second
      if (waitsSince !== null && (await isServed(honest))) {
        waits.push(second - waitsSince)
        waitsSince = null
      }
      clock.at += 1_000
    }
    expect([waits.length, Math.max(...waits) <= 5, attackersServed > 0]).toEqual([11, true, true])
    expect(best.calls.quote.length).toBeLessThanOrEqual((2 * 50 * 4) / 5)
  })
})
