import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, delayed, hangs, ignoresSignal, offers } from '../../support/fakeVenue.ts'
import { asClient, HARD_MS, order, quoteOf, SOFT_MS, startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { refusalOf, type TestEngine } from '../../support/testEngine.ts'

beforeEach(() => fakeTime())
afterEach(() => realTime())

const throwing = () => {
  throw new Error('synchronously')
}
const circular: { self?: unknown } = {}
circular.self = circular

describe('a race', () => {
  it.each([
    ['hangs', hangs],
    ['ignores its signal', ignoresSignal],
    ['throws before it returns a promise', throwing],
    ['answers with nothing', async () => undefined as never],
    ['answers with a carry that contains itself', offers(2_000n, { carry: circular as never })],
    ['answers with the name of another venue', offers(2_000n, { venue: 'good' })],
  ])('serves the offer of another venue when one venue %s [quote-one-venue-fails]', async (_what, quote) => {
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

  it.each<[string, readonly Racer[], string, number, string]>([
    ['when every venue has answered, with the best offer', [fair, best, good], 'best', 100, 'offer'],
    ['at the soft deadline when an executable offer has arrived', [good, slow], 'good', SOFT_MS, 'slow'],
    ['before a better offer a millisecond later', [good, ['late', 10n, SOFT_MS + 1]], 'good', SOFT_MS, 'slow'],
    ['with the first executable offer after a preview', [preview, ['late', 9n, 2_000], slow], 'late', 2_000, 'slow'],
    ['at the hard deadline when there are only previews', [preview, slow], 'preview', HARD_MS, 'timeout'],
  ])('ends %s [quote-hard-deadline]', async (_when, racers, winner, endsAt, last) => {
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
    expect(await race.quote).toMatchObject({ venue: { id: winner }, isExecutable: winner !== 'preview' })
    expect(race.elapsedMs()).toBe(endsAt)
    expect(areAborted()).toEqual(venues.map(() => true))
    expect(engine.called('quote').at(-1)?.outcome).toBe(last)
  })

  it('ends with a retryable INTERNAL at the hard deadline when every venue hangs [quote-hard-deadline]', async () => {
    const engine = await startEngine([createFakeVenue('a', { quote: hangs }), createFakeVenue('b', { quote: ignoresSignal })])
    const race = startQuote(engine, order())
    await advance(HARD_MS - 1)
    expect(race.isOver()).toBe(false)
    await advance(1)
    await settle(race)
    const { details, isOutage } = await refusalOf(race.quote, 'INTERNAL')
    const declined = ['a', 'b'].map((venue) => ({ venue, kind: 'timeout', retryable: true }))
    expect([race.elapsedMs(), isOutage, details]).toEqual([HARD_MS, true, { retryable: true, declines: declined }])
  })

  it('calls and lists no excluded venue, and lists a venue that does not serve the route [quote-one-venue-fails]', async () => {
    const excluded = createFakeVenue('excluded')
    const elsewhere = createFakeVenue('elsewhere', { profile: { serves: () => false } })
    const asked = order({ excludeVenues: ['excluded'] })
    expect((await quoteOf(await startEngine([excluded, elsewhere, createFakeVenue('good')]), asked)).venue.id).toBe('good')
    const { details } = await refusalOf(quoteOf(await startEngine([excluded, elsewhere]), asked), 'NO_LIQUIDITY')
    expect(details).toEqual({ declines: [{ venue: 'elsewhere', kind: 'unsupportedPair', retryable: false }] })
    expect([...excluded.calls.quote, ...elsewhere.calls.quote]).toEqual([])
  })
})

it('the log of a quote has an event for each call of a venue, and one line with the whole race, unless the caller left [ops-race-logged]', async () => {
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

describe('the breaker of a venue in the race', () => {
  const [FAILURES_MAX, CUTS_MAX] = [5, 8]

  const quotes = async (engine: TestEngine, times: number, clientOf = (_at: number) => 'client-1'): Promise<void> => {
    for (let i = 0; i < times; i += 1) await runQuote(asClient(engine, clientOf(i)), order())
  }
  const each = (at: number) => `client ${at}`
  const healthOf = async ({ engine }: TestEngine, id: string) => (await engine.health()).venues.find((venue) => venue.id === id)

  it('opens after eight races that a venue was too slow for, by client, or after those of five clients', async () => {
    const slow = createFakeVenue('slow', { quote: ignoresSignal })
    const engine = await startEngine([slow, createFakeVenue('good')])
    await quotes(engine, CUTS_MAX + 4)
    expect(await healthOf(engine, 'slow')).toMatchObject({ trouble: null })
    await quotes(engine, FAILURES_MAX - 1, each)
    expect(slow.calls.quote).toHaveLength(CUTS_MAX + FAILURES_MAX - 1)
    expect(await healthOf(engine, 'slow')).toMatchObject({ trouble: 'failing' })
  })

  it.each([
    ['stays closed for races that ended first, when the event loop was late', true, [createFakeVenue('good')], null],
    ['stays closed for timeouts, when the event loop was late', true, [], null],
    ['opens for timeouts, when the event loop was on time', false, [], 'failing'],
  ])('%s', async (_what, isLate, others, trouble) => {
    const slow = createFakeVenue('slow', { quote: hangs })
    const loopWatch = { start: () => ({ wasLate: () => isLate, end: () => undefined }) }
    const engine = await startEngine([slow, ...others], { loopWatch })
    await quotes(engine, 2 * CUTS_MAX, (at) => each(at % FAILURES_MAX))
    expect(slow.calls.quote).toHaveLength(isLate ? 2 * CUTS_MAX : FAILURES_MAX)
    expect(await healthOf(engine, 'slow')).toMatchObject({ trouble })
  })
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
