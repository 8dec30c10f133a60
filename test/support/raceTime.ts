import { vi } from 'vitest'
import type { Quote } from '../../engine/core/answers.ts'
import type { Order } from '../../engine/core/order.ts'
import type { TestEngine } from './testEngine.ts'

/** Timers and time stand still until a test moves them. */
export const fakeTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
}

export const realTime = (): void => {
  vi.useRealTimers()
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets that much faked time pass, and everything run that came due: a deadline grants the event loop two turns more. */
export const advance = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
  await turn()
  await turn()
  await vi.advanceTimersByTimeAsync(0)
}

/** A quote under way; its rejection is the test's to look at. */
export type Race = {
  readonly quote: Promise<Quote>
  isOver(): boolean
  /** The venues are told off or ranked: what is left is sealing the token, which takes real time and no faked one. */
  isDecided(): boolean
  elapsedMs(): number
}

export const startQuote = ({ engine, context, events }: TestEngine, asked: Order): Race => {
  const startedAt = performance.now()
  const eventsBefore = events.length
  let overAt: number | null = null
  const quote = engine.quote(asked, context).finally(() => {
    overAt = performance.now()
  })
  quote.catch(() => undefined)
  return {
    quote,
    isOver: () => overAt !== null,
    isDecided: () => events.slice(eventsBefore).some((one) => one.event === 'venue.call' && one.call === 'quote'),
    elapsedMs: () => (overAt ?? Number.NaN) - startedAt,
  }
}

const REAL_PATIENCE_NS = 2_000_000_000n

/** Lets everything run that needs no faked time. */
export const settle = async (race: Race): Promise<void> => {
  await advance(0)
  const until = process.hrtime.bigint() + REAL_PATIENCE_NS
  while (race.isDecided() && !race.isOver() && process.hrtime.bigint() < until) {
    await turn()
    await advance(0)
  }
}

const STEP_MS = 50
const LONGEST_MS = 10_000

/** Runs a quote to its end, however long that takes by the faked timers. */
export const runQuote = async (engine: TestEngine, asked: Order): Promise<Race> => {
  const race = startQuote(engine, asked)
  await settle(race)
  for (let spent = 0; !race.isOver() && spent < LONGEST_MS; spent += STEP_MS) {
    await advance(STEP_MS)
    await settle(race)
  }
  return race
}
