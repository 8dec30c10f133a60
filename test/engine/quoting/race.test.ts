import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Tier } from '../../../engine/core/caller.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  createFakeVenue,
  declines,
  delayed,
  type FakeVenueOptions,
  hangs,
  ignoresSignal,
  offers,
} from '../../support/fakeVenue.ts'
import { asClient, executeToken, HARD_MS, order, quoteOf, SOFT_MS, startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

beforeEach(() => fakeTime())
afterEach(() => realTime())

const throwing = () => {
  throw new Error('synchronously')
}
const circular: { self?: unknown } = {}
circular.self = circular

it.each([
  ['hangs', hangs],
  ['ignores its signal', ignoresSignal],
  ['throws before it returns a promise', throwing],
  ['answers with nothing', async () => undefined as never],
  ['answers with a carry that contains itself', offers(2_000n, { carry: circular as never })],
  ['answers with the name of another venue', offers(2_000n, { venue: 'good' })],
])('a race serves the offer of another venue when one venue %s [quote-one-venue-fails]', async (_what, quote) => {
  const engine = await startEngine([createFakeVenue('bad', { quote }), createFakeVenue('good', { quote: offers(1_000n) })])
  const race = await runQuote(engine, order())
  expect((await race.quote).venue.id).toBe('good')
  expect(race.elapsedMs()).toBeLessThanOrEqual(SOFT_MS)
  expect(engine.called('quote').find(({ venue }) => venue === 'bad')?.outcome).not.toBe('offer')
})

/** A venue: its name, its offer, when it answers (never: null), and whether it can only make a preview. */
type Racer = readonly [id: string, output: bigint, ms: number | null, isPreview?: true]
const binding = { bindsAtQuote: { recipient: ['always'], refundTo: [] } } as const
const good: Racer = ['good', 9n, 0]
const fair: Racer = ['fair', 9n, 100]
const best: Racer = ['best', 10n, 100]
const preview: Racer = ['preview', 10n, 0, true]
const slow: Racer = ['slow', 0n, null]

it.each<[string, readonly Racer[], winner: string | null, number, string]>([
  ['when every venue has answered, with the best offer', [fair, best, good], 'best', 100, 'offer'],
  ['at the soft deadline when an executable offer has arrived', [good, slow], 'good', SOFT_MS, 'slow'],
  ['before a better offer a millisecond later', [good, ['late', 10n, SOFT_MS + 1]], 'good', SOFT_MS, 'slow'],
  ['with the first executable offer after a preview', [preview, ['late', 9n, 2_000], slow], 'late', 2_000, 'slow'],
  ['at the hard deadline when there are only previews', [preview, slow], 'preview', HARD_MS, 'timeout'],
  ['at the hard deadline with a retryable INTERNAL when every venue hangs', [slow], null, HARD_MS, 'timeout'],
])('a race ends %s [quote-hard-deadline]', async (_when, racers, winner, endsAt, last) => {
  const venues = racers.map(([id, output, ms, isPreview]) =>
    createFakeVenue(id, { quote: ms === null ? hangs : delayed(ms, offers(output)), profile: isPreview ? binding : {} }),
  )
  const engine = await startEngine(venues)
  const race = startQuote(engine, order({ to: pair(TOKENS.usdcSolana) }))
  expect(venues.map(({ calls }) => calls.quote.length)).toEqual(venues.map(() => 1))
  const areAborted = () => venues.map(({ calls }) => calls.quote[0]?.signal.aborted)
  await advance(endsAt - 1)
  await settle(race)
  expect([race.isOver(), ...areAborted()]).toEqual([false, ...venues.map(() => false)])
  await advance(1)
  await settle(race)
  if (winner !== null) expect(await race.quote).toMatchObject({ venue: { id: winner }, isExecutable: winner !== 'preview' })
  else {
    const { details, isOutage } = await refusalOf(race.quote, 'INTERNAL')
    const declined = { venue: 'slow', kind: 'timeout', retryable: true }
    expect([isOutage, details]).toEqual([true, { retryable: true, declines: [declined] }])
  }
  expect(race.elapsedMs()).toBe(endsAt)
  expect(areAborted()).toEqual(venues.map(() => true))
  expect(engine.called('quote').at(-1)?.outcome).toBe(last)
})

it('a race calls and lists no excluded venue, and lists a venue that does not serve the route [quote-one-venue-fails]', async () => {
  const excluded = createFakeVenue('excluded')
  const elsewhere = createFakeVenue('elsewhere', { profile: { serves: () => false } })
  const asked = order({ excludeVenues: ['excluded'] })
  expect((await quoteOf(await startEngine([excluded, elsewhere, createFakeVenue('good')]), asked)).venue.id).toBe('good')
  const { details } = await refusalOf(quoteOf(await startEngine([excluded, elsewhere]), asked), 'NO_LIQUIDITY')
  expect(details).toEqual({ declines: [{ venue: 'elsewhere', kind: 'unsupportedPair', retryable: false }] })
  expect([...excluded.calls.quote, ...elsewhere.calls.quote]).toEqual([])
})

it('the log of a quote has an event for each call of a venue, and one line with the whole race, unless the caller left', async () => {
  const none = createFakeVenue('no', { quote: declines('noLiquidity') })
  const good = createFakeVenue('good', { quote: delayed(40, offers(1_000n)) })
  const engine = await startEngine([good, none, createFakeVenue('slow', { quote: hangs })])
  await quoteOf(engine)
  const call = { event: 'venue.call', requestId: 'req-1', call: 'quote', route: 'EVM_CROSS_CHAIN' }
  const served = { venue: 'good', outcome: 'offer', elapsedMs: 40 }
  const declined = { venue: 'no', outcome: 'decline', kind: 'noLiquidity', reason: 'scripted noLiquidity' }
  const slow = { venue: 'slow', outcome: 'slow', elapsedMs: SOFT_MS }
  expect(engine.called('quote')).toEqual([served, { ...declined, elapsedMs: 0 }, slow].map((run) => ({ ...call, ...run })))
  const runs = [{ ...served, rank: 1, amount: '1000' }, declined, { venue: 'slow', outcome: 'cut' }]
  const line = { venue: 'good', executable: true, offers: 1, elapsedMs: SOFT_MS, inputAmount: '1000000', mode: 'best_output' }
  expect(engine.reported('quote.served')).toMatchObject([{ ...line, runs, leadBps: null }])
  const refusing = await startEngine([none])
  await refusalOf(quoteOf(refusing))
  await refusalOf(refusing.engine.quote(order(), { ...refusing.context, signal: AbortSignal.abort() }))
  expect(refusing.reported('quote.refused')).toMatchObject([{ requestId: 'req-1', code: 'NO_LIQUIDITY', runs: [declined] }])
  expect(refusing.reported('quote.left')).toMatchObject([{ inputAmount: '1000000', requestId: 'req-1' }])
})

const rival = [createFakeVenue('good')]
it.each<[string, isLate: boolean, rivals: typeof rival, clients: number, calls: number, trouble: string | null]>([
  ['opens for a client after eight races that ended first', false, rival, 1, 8, null],
  ['opens for all after races of five clients that ended first', false, rival, 5, 5, 'failing'],
  ['opens for all after timeouts of five clients', false, [], 5, 5, 'failing'],
  ['stays closed for races that ended first while the event loop was late', true, rival, 5, 16, null],
  ['stays closed for timeouts while the event loop was late', true, [], 5, 16, null],
])('the breaker of a venue in the race %s', async (_what, isLate, rivals, clients, calls, trouble) => {
  const slow = createFakeVenue('slow', { quote: ignoresSignal })
  const loopWatch = { start: () => ({ wasLate: () => isLate, end: () => undefined }) }
  const engine = await startEngine([slow, ...rivals], { loopWatch })
  for (let i = 0; i < 16; i += 1) await runQuote(asClient(engine, `client ${i % clients}`), order())
  const { venues } = await engine.engine.health()
  expect([slow.calls.quote.length, venues[0]?.trouble]).toEqual([calls, trouble])
})

const DEADLINE_MS = 600
/** Cells that this thread and the server read while neither of their event loops turns. */
const [MAY_ANSWER, HAS_ANSWERED] = [0, 1]
/** A server on a thread of its own: it answers once it may, whatever our event loop does. */
const SERVER = `
  const { createServer } = require('node:http')
  const { parentPort, workerData: cells } = require('node:worker_threads')
  const server = createServer((request, response) => {
    parentPort.postMessage('asked')
    setImmediate(() => {
      Atomics.wait(cells, ${MAY_ANSWER}, 0)
      response.end('an answer', () => {
        Atomics.store(cells, ${HAS_ANSWERED}, 1)
        Atomics.notify(cells, ${HAS_ANSWERED})
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

it.each([
  ['is served after the hard deadline', DEADLINE_MS, []],
  ['takes part in a race that ends at the soft deadline', DEADLINE_MS / 2, [offers(1_000n), hangs]],
])('an answer in time that a blocked event loop reads late %s [venue-slow-answer-ours]', async (_what, softMs, others) => {
  realTime()
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(SERVER, { eval: true, workerData: cells })
  onTestFinished(async () => void (await worker.terminate()))
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve))
  const url = `http://127.0.0.1:${await next<number>()}`
  const client = createHttpClient()
  const far = createFakeVenue('far', {
    quote: async (asked, signal) => {
      await client.send({ method: 'GET', url, signal })
      return offers(2_000n)(asked, signal)
    },
  })
  const venues = [far, ...others.map((quote, at) => createFakeVenue(`near${at}`, { quote }))]
  const env = { QUOTE_DEADLINE_MS: `${DEADLINE_MS}`, QUOTE_SOFT_DEADLINE_MS: `${softMs}` }
  const { engine, context, called } = await startEngine(venues, { env })
  const asked = next()
  const startedAt = performance.now()
  const quote = engine.quote(order(), context)
  await asked
  // Blocks this thread until the answer is in our socket and the deadline is over.
  Atomics.store(cells, MAY_ANSWER, 1)
  Atomics.notify(cells, MAY_ANSWER)
  Atomics.wait(cells, HAS_ANSWERED, 0)
  Atomics.wait(cells, HAS_ANSWERED, 1, Math.max(0, startedAt + 2 * DEADLINE_MS - performance.now()))
  expect((await quote).venue.id).toBe('far')
  expect(called('quote')[0]).toMatchObject({ venue: 'far', outcome: 'offer' })
})

/** 10 of them are kept for executes, 14 are for anonymous callers, half of that for one of them, and keys lend 2 at once. */
const FIFTY_A_MINUTE = { limits: { requestsPerMinute: 50 } } as const
const QUOTES_MAX = 9

const limitedVenue = (options: FakeVenueOptions = {}) => createFakeVenue('limited', { profile: FIFTY_A_MINUTE, ...options })

const quoteTimes = async (engine: TestEngine, times: number) => {
  for (let i = 0; i < times; i += 1) await runQuote(engine, order())
}

it('the limit of a venue declines quotes as rateLimited, prevents no execution, and counts executions before quotes [venue-limit-kept]', async () => {
  const limited = limitedVenue({ now: () => START_AT })
  const engine = await startEngine([limited], { env: { QUOTE_LIFETIME_MS: '600000' } })
  const [first, ...rest] = [await quoteOf(engine), await quoteOf(engine), await quoteOf(engine)]
  await quoteTimes(engine, 20)
  expect(limited.calls.quote).toHaveLength(QUOTES_MAX)
  const declines = [{ venue: 'limited', kind: 'rateLimited', retryable: true }]
  expect((await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')).details).toEqual({ declines })
  await executeToken(engine, first.quoteToken)
  engine.clock.at += 60_000
  for (const { quoteToken } of rest) await executeToken(engine, quoteToken)
  expect(limited.calls.execute).toHaveLength(3)
  await quoteTimes(engine, 20)
  expect(limited.calls.quote).toHaveLength(QUOTES_MAX + QUOTES_MAX - 2)
})

it('the limit of a venue is not used up by quotes that the breaker skips', async () => {
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
] as const)('VENUE_RELAY_REQUESTS_PER_MINUTE replaces %s [venue-limit-kept]', async (_what, profile, limit, quotes) => {
  const relay = createFakeVenue('relay', { profile })
  await quoteTimes(await startEngine([relay], { env: { VENUE_RELAY_REQUESTS_PER_MINUTE: limit } }), 60)
  expect(relay.calls.quote).toHaveLength(quotes)
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
    realTime()
    const best = limitedVenue({ quote: offers(2_000n) })
    const { engine, context, clock } = await startEngine([best, createFakeVenue('other', { quote: offers(1_999n) })])
    const isServed = async ([tier, partnerId, client]: Asking): Promise<boolean> => {
      const caller = { tier, partnerId, feeBps: null, requestsPerMinute: 120 }
      return (await engine.quote(order(), { ...context, caller, client })).venue.id === 'limited'
    }
    let [attackersServed, waitsSince]: [number, number | null] = [0, null]
    const waits: number[] = []
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
