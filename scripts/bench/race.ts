import type { Children } from './children.ts'
import { atMost, type Effort, type Figure, interleave, median, medianOfRounds, quantile } from './measure.ts'
import { RACE_DEADLINE_MS, VENUES } from './sample.ts'
import type { RaceAnswer, RaceQuestion } from './servers/race.ts'

const CONCURRENCY = 64
const GOALS = [
  { label: 'p50', share: 0.5, goalMs: 2 },
  { label: 'p99', share: 0.99, goalMs: 15 },
] as const
const HANGING_AT = 16
const HANGING_GOAL = 1.02

type Run = (question: RaceQuestion) => Promise<RaceAnswer>

const measureOverheads = async (run: Run, { rounds, sliceSeconds: seconds }: Effort): Promise<readonly Figure[]> => {
  const question = { concurrency: CONCURRENCY, seconds }
  const contenders = {
    product: () => run({ racer: 'product', ...question }),
    undici: () => run({ racer: 'undici', ...question }),
  }
  const { product, undici } = await interleave(contenders, rounds)
  const sum = (of: (answer: RaceAnswer) => number) => product.reduce((total, answer) => total + of(answer), 0)
  return GOALS.map(({ label, share, goalMs }) => {
    const at = ({ overheadsMs }: RaceAnswer) => quantile(overheadsMs, share)
    const difference = medianOfRounds(product, undici, (a, b) => at(a) - at(b))
    const own = (answers: readonly RaceAnswer[]) => `${median(answers.map(at)).toFixed(1)} ms`
    return {
      name: `race, ${CONCURRENCY} at once: over the same calls by undici, ${label}`,
      measured: `${difference.toFixed(1)} ms`,
      absolute: `over the slowest venue: ${own(product)} to ${own(undici)}; ${sum(({ overheadsMs }) => overheadsMs.length)} quotes, ${sum(({ failed }) => failed)} without an offer`,
      goal: atMost(difference, goalMs, ' ms'),
    }
  })
}

const measureHanging = async (run: Run, { rounds }: Effort): Promise<Figure> => {
  const overheadsMs: number[] = []
  // A slice is shorter than the deadline: every worker quotes once.
  for (let round = 0; round < rounds; round += 1)
    overheadsMs.push(...(await run({ racer: 'hanging', concurrency: HANGING_AT, seconds: 0.1 })).overheadsMs)
  const ratioAt = (share: number) => (RACE_DEADLINE_MS + quantile(overheadsMs, share)) / RACE_DEADLINE_MS
  return {
    name: 'a hanging venue: quote time to deadline',
    measured: ratioAt(0.5).toFixed(3),
    absolute: `worst ${ratioAt(1).toFixed(3)}; ${overheadsMs.length} quotes, ${HANGING_AT} at once`,
    goal: atMost(ratioAt(0.5), HANGING_GOAL),
  }
}

/** The time that the race adds to its slowest venue, without HTTP in front. */
export const measureRace = async ({ start }: Children, effort: Effort): Promise<readonly Figure[]> => {
  const venues = await start('venues.ts', VENUES)
  const racers = await start('race.ts', venues.ready)
  const run: Run = (question) => racers.ask<RaceAnswer>(question)
  return [...(await measureOverheads(run, effort)), await measureHanging(run, effort)]
}
