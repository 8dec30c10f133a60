import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { SwapError } from '../../../engine/errors.ts'
import { deadline } from '../../../engine/net/deadline.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { createBenchEngine } from '../engine.ts'
import { ANYBODY, drawnLatencyMs, idealMs, numberOf, RACE_DEADLINE_MS, sampleOrder, VENUES } from '../sample.ts'
import { createHangingVenue, createInstantVenues, createLoopbackVenues, venueRequest } from '../venues.ts'
import { answerParent, settingsOf } from './parent.ts'

/** Runs races in a process of its own: `product` and `hanging` by the engine, `undici` by the calls alone. */
export type RaceQuestion = {
  readonly racer: 'product' | 'undici' | 'hanging'
  readonly concurrency: number
  readonly seconds: number
}

export type RaceAnswer = {
  /** By quote: its time less that of a race without overhead, in ms. */
  readonly overheadsMs: readonly number[]
  /** How many had no offer. */
  readonly failed: number
}

type Run = (order: VenueOrder) => Promise<unknown>

/** Quotes start over about the time that one takes: a steady load and not a burst. */
const START_WITHIN_MS = 480

const origins = settingsOf<readonly string[]>()
const drawn = (venue: number, order: VenueOrder): number => drawnLatencyMs(numberOf(order), venue)

/** The engine waits for every venue: the soft deadline is the deadline. */
const quoteWith = async (venues: readonly Venue[]): Promise<Run> => {
  const engine = await createBenchEngine(venues, { deadlineMs: RACE_DEADLINE_MS, softDeadlineMs: RACE_DEADLINE_MS })
  const context = { requestId: 'race', caller: ANYBODY, client: 'bench', signal: new AbortController().signal }
  return (order) => engine.quote(order, context)
}

const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 30_000 })
const headers = { accept: 'application/json', 'content-type': 'application/json' }

/** Calls all venues by undici under one signal and reads their JSON. */
const fanOut: Run = async (order) => {
  const limit = deadline(RACE_DEADLINE_MS)
  const calls = origins.map(async (origin, venue) => {
    const { path, json } = venueRequest(drawn(venue, order), order)
    const request = { origin, path, method: 'POST', headers, body: JSON.stringify(json), signal: limit.signal } as const
    return (await agent.request(request)).body.json()
  })
  await Promise.allSettled(calls)
  limit.clear()
}

/** Made anew for every slice: a circuit breaker that opened in one must not make the next look fast. */
const RUNS: { readonly [racer in RaceQuestion['racer']]: () => Promise<Run> } = {
  product: () => quoteWith(createLoopbackVenues(origins, createHttpClient(), drawn)),
  undici: async () => fanOut,
  hanging: () => quoteWith([...createInstantVenues(VENUES - 1), createHangingVenue(VENUES - 1)]),
}

const raceFor = async ({ racer, concurrency, seconds }: RaceQuestion): Promise<RaceAnswer> => {
  const run = await RUNS[racer]()
  const overheadsMs: number[] = []
  const startedAt = performance.now()
  let [next, failed] = [0, 0]
  const work = async (worker: number): Promise<void> => {
    await pause((worker / concurrency) * START_WITHIN_MS)
    while (performance.now() - startedAt < seconds * 1_000 + START_WITHIN_MS) {
      const quote = next
      next += 1
      const quotedAt = performance.now()
      await run(sampleOrder(quote)).catch((error: unknown) => {
        if (!(error instanceof SwapError && (error.code === 'NO_LIQUIDITY' || error.isOutage))) throw error
        failed += 1
      })
      overheadsMs.push(performance.now() - quotedAt - (racer === 'hanging' ? RACE_DEADLINE_MS : idealMs(quote)))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)))
  return { overheadsMs, failed }
}

answerParent(null, (question) => raceFor(question as RaceQuestion))
