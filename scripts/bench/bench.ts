import { parseArgs } from 'node:util'
import { type Children, createChildren } from './children.ts'
import { type Effort, type Figure, formatFigures } from './measure.ts'
import { measureOverload } from './overload.ts'
import { measureWholeQuotes } from './quotes.ts'
import { measureRace } from './race.ts'
import { measureStart } from './start.ts'

/**
 * Measures the product against baselines of the same run, and prints each figure beside its goal. A missed goal is a result; the run
 * fails only when something could not be measured.
 */
type Measure = (children: Children, effort: Effort) => Promise<readonly Figure[]>

const SECTIONS: { readonly [name: string]: Measure } = {
  quotes: measureWholeQuotes,
  race: measureRace,
  overload: measureOverload,
  start: measureStart,
}

const FULL: Effort = { isQuick: false, rounds: 3, sliceSeconds: 1.2, starts: 5, quotes: 10_000 }
/** Shows that everything runs. Its numbers are too few to conclude from. */
const QUICK: Effort = { isQuick: true, rounds: 1, sliceSeconds: 0.2, starts: 1, quotes: 1_000 }

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Measures with processes of its own. Null when that failed. */
const run = async (name: string, measure: Measure, effort: Effort): Promise<readonly Figure[] | null> => {
  const children = createChildren()
  const startedAt = performance.now()
  try {
    const figures = await measure(children, effort)
    say(`\n${name}, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n${formatFigures(figures)}`)
    return figures
  } catch (error) {
    say(`\n${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}`)
    return null
  } finally {
    await children.close()
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
  const effort = values.quick ? QUICK : FULL
  const names = values.only?.split(',') ?? Object.keys(SECTIONS)
  if (!names.every((name) => name in SECTIONS)) throw new RangeError(`--only takes ${Object.keys(SECTIONS).join(', ')}`)
  say(`Node ${process.version}, ${values.quick ? 'quick: too short to conclude from' : `medians of ${effort.rounds} rounds`}.`)
  const failed: string[] = []
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(SECTIONS).filter(([section]) => names.includes(section))) {
    const measured = await run(name, measure, effort)
    if (measured) figures.push(...measured)
    else failed.push(name)
  }
  const withGoal = figures.filter(({ goal }) => goal !== null)
  say(`\n${withGoal.filter(({ goal }) => goal?.isMet).length} of ${withGoal.length} goals reached. [ops-capacity]`)
  if (failed.length === 0) return
  say(`Not measured: ${failed.join(', ')}.`)
  process.exitCode = 1
}

// Ends every process of this one too: their channels close.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await main()
