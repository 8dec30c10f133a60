import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { SwapError } from '../../../engine/errors.ts'
import { deadline } from '../../../engine/net/deadline.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { createBenchEngine } from '../product/benchEngine.ts'
import { createBenchSink } from '../product/benchSink.ts'
import {
  createHangingVenue,
  createInstantVenues,
  createLoopbackVenues,
  quotePath,
  venueRequestBody,
} from '../product/benchVenues.ts'
import { numberOf, orderOf } from '../product/numberedQuotes.ts'
import { ANYBODY, VENUES } from '../product/sample.ts'
import { drawnLatencyMs, HANG_DEADLINE_MS, idealMs, RACE_DEADLINE_MS } from './latency.ts'
import { answerParent, settingsOf } from './parent.ts'

/** Runs races in a process of its own: the product's, and those it is compared with. */
export type Racer = 'product' | 'undici' | 'timers' | 'hanging' | 'instantVenues' | 'loopbackVenues' | 'loopbackFanOut'

export type RaceQuestion = { readonly racer: Racer; readonly concurrency: number; readonly seconds: number }

export type RaceAnswer = {
  /** By quote: its time less that of a race that costs nothing, milliseconds. */
  readonly overheadsMs: readonly number[]
  /** How many of them ended without a single offer. */
  readonly failed: number
  readonly cpuMs: number
  readonly elapsedMs: number
}

type Run = (order: VenueOrder) => Promise<void>

/** Where every answer is waited for, however busy the process is. */
const SATURATED_DEADLINE_MS = 10_000

/** They start one after the other, over about the time that a quote takes: a steady load and not a burst. */
const START_WITHIN_MS = 480

const origins = settingsOf<readonly string[]>()
const http = createHttpClient()
const sink = createBenchSink()

/** The product's quoting. Every venue is waited for: the soft deadline is the deadline. */
const quoteWith = async (venues: readonly Venue[], deadlineMs: number): Promise<Run> => {
  const engine = await createBenchEngine(venues, sink, { deadlineMs, softDeadlineMs: deadlineMs })
  return async (order) => {
    await engine.quote(order, { requestId: 'race', caller: ANYBODY, client: 'bench', signal: new AbortController().signal })
  }
}

const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 30_000 })
const headers = { accept: 'application/json', 'content-type': 'application/json' }

/** The fan-out alone: all venues asked by undici under one signal, their JSON read, nothing else done. */
const fanOut =
  (latencyMs: (venue: number, order: VenueOrder) => number): Run =>
  async (order) => {
    const limit = deadline(RACE_DEADLINE_MS)
    const body = JSON.stringify(venueRequestBody(order))
    const asked = origins.map(async (origin, venue) => {
      const path = quotePath(latencyMs(venue, order))
      const response = await agent.request({ origin, path, method: 'POST', headers, body, signal: limit.signal })
      return response.body.json()
    })
    await Promise.allSettled(asked)
    limit.clear()
  }

/** What the timers of this machine alone make of the same latencies. */
const waitOnly: Run = (order) => new Promise((resolve) => setTimeout(resolve, idealMs(numberOf(order))))

const drawn = (venue: number, order: VenueOrder): number => drawnLatencyMs(numberOf(order), venue)
const nothing = () => 0
const drawnIdeal = (order: VenueOrder): number => idealMs(numberOf(order))

const drawnVenues = createLoopbackVenues(origins, http, drawn)
const hangingVenues = [...createInstantVenues(VENUES - 1), createHangingVenue(VENUES - 1)]

/** A way to race, made anew for every slice: a breaker that opened in one must not make the next look fast. */
type Course = { readonly open: () => Promise<Run>; readonly idealMs: (order: VenueOrder) => number }

const COURSES: { readonly [racer in Racer]: Course } = {
  product: { open: () => quoteWith(drawnVenues, RACE_DEADLINE_MS), idealMs: drawnIdeal },
  undici: { open: async () => fanOut(drawn), idealMs: drawnIdeal },
  timers: { open: async () => waitOnly, idealMs: drawnIdeal },
  hanging: { open: () => quoteWith(hangingVenues, HANG_DEADLINE_MS), idealMs: () => HANG_DEADLINE_MS },
  instantVenues: { open: () => quoteWith(createInstantVenues(VENUES), SATURATED_DEADLINE_MS), idealMs: nothing },
  loopbackVenues: { open: () => quoteWith(createLoopbackVenues(origins, http), SATURATED_DEADLINE_MS), idealMs: nothing },
  loopbackFanOut: { open: async () => fanOut(nothing), idealMs: nothing },
}

const raceFor = async ({ racer, concurrency, seconds }: RaceQuestion): Promise<RaceAnswer> => {
  const { open, idealMs: ideal } = COURSES[racer]
  const run = await open()
  const overheadsMs: number[] = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let next = 0
  let failed = 0
  const work = async (worker: number): Promise<void> => {
    await pause((worker / concurrency) * START_WITHIN_MS)
    while (performance.now() - startedAt < seconds * 1_000 + START_WITHIN_MS) {
      const order = orderOf(next)
      next += 1
      const quotedAt = performance.now()
      await run(order).catch((error: unknown) => {
        if (!(error instanceof SwapError && (error.code === 'NO_LIQUIDITY' || error.isOutage))) throw error
        failed += 1
      })
      overheadsMs.push(performance.now() - quotedAt - ideal(order))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)))
  const { user, system } = process.cpuUsage(cpu)
  return { overheadsMs, failed, cpuMs: (user + system) / 1_000, elapsedMs: performance.now() - startedAt }
}

answerParent(null, (question) => raceFor(question as RaceQuestion))
