import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, type FakeVenue, offers } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime, runQuote } from '../../support/raceTime.ts'
import { createTestClock, createTestEngine, refusalOf, type TestEngine } from '../../support/testEngine.ts'

const order = (): Order => anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

const MINUTE_MS = 60_000
/** 10 of them are kept for executes, 14 are for anonymous callers, half of that for one of them, and keys lend 2 at once. */
const FIFTY_A_MINUTE = { profile: { limits: { requestsPerMinute: 50 } } } as const
const QUOTES_MAX = 9
const QUOTES_OF_ALL_MAX = 16

let open: TestEngine[] = []

beforeEach(() => {
  fakeTime()
})

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
  realTime()
})

const start = async (venues: readonly FakeVenue[], env = {}, clock = createTestClock()): Promise<TestEngine> => {
  const engine = await createTestEngine({ venues, env, clock })
  open.push(engine)
  return engine
}

const quoteTimes = async (engine: TestEngine, times: number) => {
  for (let i = 0; i < times; i += 1) await runQuote(engine, order())
}

const quoteToken = async (engine: TestEngine): Promise<string> => (await (await runQuote(engine, order())).quote).quoteToken

const execute = ({ engine, context }: TestEngine, token: string) =>
  engine.execute({ quoteToken: token, destinationAddress: null, refundAddress: null }, context)

describe('the limit of a venue', () => {
  it('is kept: beyond it the venue is not asked, which is told as its decline and never held against it [venue-limit-kept]', async () => {
    const limited = createFakeVenue('limited', FIFTY_A_MINUTE)
    const engine = await start([limited])
    await quoteTimes(engine, QUOTES_MAX)
    const { details } = await refusalOf((await runQuote(engine, order())).quote, 'NO_LIQUIDITY')
    expect(details).toEqual({ declines: [{ venue: 'limited', kind: 'rateLimited', retryable: true }] })
    await quoteTimes(engine, 20)
    expect(limited.calls.quote).toHaveLength(QUOTES_MAX)
    expect((await engine.engine.health()).isDegraded).toBe(false)
    expect(engine.called('quote').at(-1)).toMatchObject({ outcome: 'skipped', kind: 'rateLimited' })
    engine.clock.at += MINUTE_MS
    await quoteTimes(engine, QUOTES_MAX + 1)
    expect(limited.calls.quote).toHaveLength(2 * QUOTES_MAX)
  })

  it('is never used up by one client: a part is left to the others', async () => {
    const limited = createFakeVenue('limited', FIFTY_A_MINUTE)
    const engine = await start([limited])
    await quoteTimes(engine, 1_000)
    const other = { ...engine, context: { ...engine.context, client: 'another' } }
    expect((await (await runQuote(other, order())).quote).venue.id).toBe('limited')
    await quoteTimes(other, 20)
    expect(limited.calls.quote.length).toBeGreaterThan(QUOTES_MAX)
    expect(limited.calls.quote.length).toBeLessThanOrEqual(QUOTES_OF_ALL_MAX)
  })

  it('leaves the others in the race', async () => {
    const limited = createFakeVenue('limited', { ...FIFTY_A_MINUTE, quote: offers(2_000n) })
    const other = createFakeVenue('other', { quote: offers(1_999n) })
    const engine = await start([limited, other])
    await quoteTimes(engine, QUOTES_MAX)
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('other')
    expect(other.calls.quote).toHaveLength(QUOTES_MAX + 1)
  })

  it('never keeps a swap from being built, and counts what that takes before any quote [venue-limit-kept]', async () => {
    const clock = createTestClock()
    const limited = createFakeVenue('limited', { ...FIFTY_A_MINUTE, now: clock.now })
    const engine = await start([limited], { QUOTE_LIFETIME_MS: '600000' }, clock)
    const tokens = [await quoteToken(engine), await quoteToken(engine), await quoteToken(engine)]
    await quoteTimes(engine, 20)
    expect(limited.calls.quote).toHaveLength(QUOTES_MAX)
    for (const token of tokens.slice(0, 1)) await execute(engine, token)
    clock.at += MINUTE_MS
    for (const token of tokens.slice(1)) await execute(engine, token)
    expect(limited.calls.execute).toHaveLength(3)
    await quoteTimes(engine, 20)
    expect(limited.calls.quote).toHaveLength(QUOTES_MAX + QUOTES_MAX - 2)
  })

  it('is not used up by a venue that is not called because it rests', async () => {
    const limited = createFakeVenue('limited', { ...FIFTY_A_MINUTE, quote: declines('unavailable') })
    const engine = await start([limited])
    await quoteTimes(engine, 5)
    await quoteTimes(engine, 30)
    expect(limited.calls.quote).toHaveLength(5)
    limited.script.quote = offers(1_000n)
    await advance(15_000)
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('limited')
  })

  it('is the one the operator has agreed on with the venue, where a setting says so [venue-limit-kept]', async () => {
    for (const [profile, quotes] of [
      [FIFTY_A_MINUTE.profile, 36],
      [{}, 36],
      // By the second: no fewer than is published, whatever was agreed on.
      [{ limits: { requestsPerSecond: 6 } }, 4],
    ] as const) {
      const relay = createFakeVenue('relay', { profile })
      const engine = await start([relay], { VENUE_RELAY_REQUESTS_PER_MINUTE: '200' })
      await quoteTimes(engine, 60)
      expect(relay.calls.quote).toHaveLength(quotes)
    }
  })

  it('by the minute, is more than a venue publishes by the second', async () => {
    const relay = createFakeVenue('relay', { profile: { limits: { requestsPerSecond: 6 } } })
    const engine = await start([relay], { VENUE_RELAY_REQUESTS_PER_MINUTE: '1200' })
    await quoteTimes(engine, 12)
    expect(relay.calls.quote).toHaveLength(12)
  })
})
