import { Agent } from 'undici'
import { systemClock } from '../../../engine/core/clock.ts'
import type { Order } from '../../../engine/core/order.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { createBreaker } from '../../../engine/net/breaker.ts'
import { deadline } from '../../../engine/net/deadline.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import { createQuoteOrder } from '../../../engine/quoting/quoteOrder.ts'
import { createQuoteTokens } from '../../../engine/quoting/quoteToken.ts'
import { countsAgainstVenue } from '../../../engine/quoting/race.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { benchConfig, TOKEN_KEY } from '../product/benchEngine.ts'
import { createBenchSink } from '../product/benchSink.ts'
import { createHangingVenue, createInstantVenues, createLoopbackVenues, quotePath, venueRequestBody } from '../product/benchVenues.ts'
import { createMemoryChains } from '../product/memoryChains.ts'
import { ANYBODY, sampleOrder, VENUES } from '../product/sample.ts'
import { drawnLatencyMs, idealMs, RACE_DEADLINE_MS } from './latency.ts'
import { answerParent, settingsOf } from './parent.ts'

/** Runs races in a process of its own: the product's, and those it is compared with. */
export type Racer = 'product' | 'undici' | 'timers' | 'hanging' | 'instantVenues' | 'loopbackVenues' | 'loopbackFanOut'

export type RaceQuestion = { readonly racer: Racer; readonly concurrency: number; readonly seconds: number }

export type RaceAnswer = {
  /** By quote: its time less that of a race that costs nothing, milliseconds. */
  readonly overheadsMs: readonly number[]
  readonly cpuMs: number
  readonly elapsedMs: number
}

const HANG_DEADLINE_MS = 1_000

const origins = settingsOf<readonly string[]>()
const BASE_AMOUNT = 25_000_000n

/** The order of the nth quote, which tells its number to the venues. */
const orderOf = (quote: number): Order => ({ ...sample, inputAmount: toAmount(BASE_AMOUNT + BigInt(quote)) })
const quoteOf = ({ inputAmount }: Order): number => Number(inputAmount - BASE_AMOUNT)
const sample = sampleOrder()

const http = createHttpClient()
const tokens = await createQuoteTokens([new Secret(TOKEN_KEY)])
const observe = observeToLog(createBenchSink())

/** The product's quoting as the engine wires it, but with breakers that stay closed: late venues are part of the plan. */
const quoteWith = (venues: readonly Venue[], deadlineMs: number) => {
  const runners = venues.map((venue) => ({
    venue,
    breaker: createBreaker({ failuresMax: 1_000_000, openMs: 1, isFailure: countsAgainstVenue, onChange: () => {} }),
  }))
  const config = benchConfig()
  const rules = { ...config, quote: { ...config.quote, deadlineMs, softDeadlineMs: deadlineMs } }
  const ports = { runners, chains: createMemoryChains(), tokens, clock: systemClock, observe, newId: () => 'Jm8nZkqjW2rT5u0x' }
  const quote = createQuoteOrder(ports, rules)
  return async (order: Order): Promise<void> => {
    await quote(order, { requestId: 'race', caller: ANYBODY })
  }
}

const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 30_000 })
const headers = { accept: 'application/json', 'content-type': 'application/json' }

/** The fan-out alone: all venues asked by undici under one signal, their JSON read, nothing else done. */
const fanOut =
  (latencyMs: (venue: number, order: Order) => number) =>
  async (order: Order): Promise<void> => {
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
const waitOnly = (order: Order): Promise<void> => new Promise((resolve) => setTimeout(resolve, idealMs(quoteOf(order))))

const drawn = (venue: number, order: Order): number => drawnLatencyMs(quoteOf(order), venue)
const nothing = () => 0
const drawnIdeal = (order: Order): number => idealMs(quoteOf(order))

type Course = { readonly run: (order: Order) => Promise<void>; readonly idealMs: (order: Order) => number }

const COURSES: { readonly [racer in Racer]: Course } = {
  product: { run: quoteWith(createLoopbackVenues(origins, http, drawn), RACE_DEADLINE_MS), idealMs: drawnIdeal },
  undici: { run: fanOut(drawn), idealMs: drawnIdeal },
  timers: { run: waitOnly, idealMs: drawnIdeal },
  hanging: {
    run: quoteWith([...createInstantVenues(VENUES - 1), createHangingVenue(VENUES - 1)], HANG_DEADLINE_MS),
    idealMs: () => HANG_DEADLINE_MS,
  },
  instantVenues: { run: quoteWith(createInstantVenues(VENUES), RACE_DEADLINE_MS), idealMs: nothing },
  loopbackVenues: { run: quoteWith(createLoopbackVenues(origins, http), RACE_DEADLINE_MS * 10), idealMs: nothing },
  loopbackFanOut: { run: fanOut(nothing), idealMs: nothing },
}

const raceFor = async ({ racer, concurrency, seconds }: RaceQuestion): Promise<RaceAnswer> => {
  const { run, idealMs: ideal } = COURSES[racer]
  const overheadsMs: number[] = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let next = 0
  const work = async (): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const order = orderOf(next)
      next += 1
      const quotedAt = performance.now()
      await run(order)
      overheadsMs.push(performance.now() - quotedAt - ideal(order))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const { user, system } = process.cpuUsage(cpu)
  return { overheadsMs, cpuMs: (user + system) / 1_000, elapsedMs: performance.now() - startedAt }
}

answerParent(null, (question) => raceFor(question as RaceQuestion))
