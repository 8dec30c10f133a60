import type { Child, Children } from './children.ts'
import { atMost, type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { VENUES } from './product/sample.ts'
import { interleave, median, medianOfRounds, quantile, type Rounds } from './samples.ts'
import { HANG_DEADLINE_MS } from './servers/latency.ts'
import type { RaceAnswer, Racer } from './servers/race.ts'

const CONCURRENCIES = [1, 16, 64, 256] as const
/** The one the goals are about. */
const GOAL_AT = 64
const GOALS = [
  { label: 'p50', share: 0.5, goalMs: 2 },
  { label: 'p99', share: 0.99, goalMs: 15 },
] as const
const HANGING_AT = 16
const HANG_GOAL = 1.02
const SATURATED = 64

type Run = (racer: Racer, concurrency: number, seconds: number) => Promise<RaceAnswer>

const runOn =
  (child: Child): Run =>
  (racer, concurrency, seconds) =>
    child.ask<RaceAnswer>({ racer, concurrency, seconds })

const ms = (value: number): string => `${value.toFixed(1)} ms`

const overheadFigures = (concurrency: number, rounds: Rounds<'product' | 'undici' | 'timers', RaceAnswer>): readonly Figure[] =>
  GOALS.map(({ label, share, goalMs }) => {
    const at = ({ overheadsMs }: RaceAnswer) => quantile(overheadsMs, share)
    const difference = medianOfRounds(rounds.product, rounds.undici, (a, b) => at(a) - at(b))
    const own = (racer: 'product' | 'undici' | 'timers') => ms(median(rounds[racer].map(at)))
    const total = (of: (answer: RaceAnswer) => number) => rounds.product.reduce((sum, answer) => sum + of(answer), 0)
    const quotes = `${total(({ overheadsMs }) => overheadsMs.length)} quotes, ${total(({ failed }) => failed)} without an offer`
    const isGoal = concurrency === GOAL_AT
    return {
      name: `${isGoal ? '6  ' : '   '} race, ${concurrency} at once: over the undici fan-out, ${label}`,
      measured: ms(difference),
      absolute: `over the ideal: ${own('product')}, fan-out ${own('undici')}, one timer ${own('timers')}; ${quotes}`,
      goal: isGoal ? atMost(difference, goalMs, ' ms') : null,
    }
  })

const measureOverheads = async (run: Run, { isQuick, raceRounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const concurrency of isQuick ? [GOAL_AT] : CONCURRENCIES) {
    const measured = await interleave(
      {
        product: () => run('product', concurrency, sliceSeconds),
        undici: () => run('undici', concurrency, sliceSeconds),
        timers: () => run('timers', concurrency, sliceSeconds / 4),
      },
      raceRounds,
    )
    figures.push(...overheadFigures(concurrency, measured))
  }
  return figures
}

const perCoreSecond = ({ overheadsMs, cpuMs }: RaceAnswer): number => (overheadsMs.length * 1_000) / cpuMs

/** Quotes of the engine alone, as many as one core can do: no HTTP in front. */
const measureThroughput = async (run: Run, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const racers = ['instantVenues', 'loopbackVenues', 'loopbackFanOut'] as const
  const slices = Object.fromEntries(racers.map((racer) => [racer, () => run(racer, SATURATED, sliceSeconds)]))
  const measured = await interleave(slices as Record<(typeof racers)[number], () => Promise<RaceAnswer>>, rounds)
  const rateOf = (racer: (typeof racers)[number]) => formatRate(median(measured[racer].map(perCoreSecond)))
  const ratio = medianOfRounds(measured.loopbackVenues, measured.loopbackFanOut, (a, b) => perCoreSecond(a) / perCoreSecond(b))
  return [
    {
      name: `    engine alone, ${VENUES} instant venues in process`,
      measured: `${rateOf('instantVenues')} /s`,
      absolute: 'quotes per core second, sealed and logged',
      goal: null,
    },
    {
      name: `    engine alone, ${VENUES} loopback venues, to the undici fan-out`,
      measured: ratio.toFixed(2),
      absolute: `${rateOf('loopbackVenues')} to ${rateOf('loopbackFanOut')} per core second`,
      goal: null,
    },
  ]
}

const measureHanging = async (run: Run, { rounds }: Effort): Promise<Figure> => {
  const overheadsMs: number[] = []
  // A slice shorter than the deadline: every worker waits once.
  for (let round = 0; round < rounds; round += 1) overheadsMs.push(...(await run('hanging', HANGING_AT, 0.5)).overheadsMs)
  const ratioAt = (share: number) => (HANG_DEADLINE_MS + quantile(overheadsMs, share)) / HANG_DEADLINE_MS
  return {
    name: '7   a hanging venue: quote time to deadline',
    measured: ratioAt(0.5).toFixed(3),
    absolute: `worst ${ratioAt(1).toFixed(3)}; ${overheadsMs.length} quotes, ${HANGING_AT} at once, deadline ${HANG_DEADLINE_MS} ms`,
    goal: atMost(ratioAt(0.5), HANG_GOAL),
  }
}

/** The race: what it adds to its slowest venue, how many fit on a core, and what a venue that hangs can do to it. */
export const measureRace = async ({ start }: Children, effort: Effort): Promise<readonly Figure[]> => {
  const venues = await start('venues.ts', VENUES)
  const run = runOn(await start('race.ts', venues.ready))
  const overheads = await measureOverheads(run, effort)
  return [...overheads, await measureHanging(run, effort), ...(await measureThroughput(run, effort))]
}
