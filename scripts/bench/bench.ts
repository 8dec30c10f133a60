import { type Children, createChildren } from './children.ts'
import { measureEdge, measureIdeal, measureWholeQuotes } from './edge.ts'
import { type Figure, formatFigures } from './figure.ts'
import { type Effort, type Options, parseOptions, type SectionName, USAGE } from './options.ts'
import { measureOverload } from './overload.ts'
import { measureRace } from './race.ts'
import { measureStart } from './start.ts'
import { measureToken } from './token.ts'

/**
 * Measures the product against baselines taken in the same run, and prints each figure beside its goal. A goal that is
 * missed is a result; only what could not be measured makes the run fail.
 */
type Measure = (children: Children, effort: Effort) => Promise<readonly Figure[]>

const MEASURES: { readonly [name in SectionName]: readonly (readonly [title: string, measure: Measure])[] } = {
  edge: [
    ['HTTP edge', measureEdge],
    ['whole quotes', measureWholeQuotes],
  ],
  ideal: [['quotes beside the ideal', measureIdeal]],
  race: [['race', measureRace]],
  overload: [['overload', measureOverload]],
  token: [['quote token', measureToken]],
  start: [['start and memory', measureStart]],
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Measures with processes of its own; null when that failed, which is said. */
const run = async (title: string, measure: Measure, effort: Effort): Promise<readonly Figure[] | null> => {
  const children = createChildren()
  const startedAt = performance.now()
  try {
    const figures = await measure(children, effort)
    say(`\n${title}, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n\n${formatFigures(figures)}`)
    return figures
  } catch (error) {
    say(`\n${title} could not be measured: ${error instanceof Error ? error.stack : String(error)}`)
    return null
  } finally {
    await children.close()
  }
}

const main = async ({ sections, effort }: Options): Promise<void> => {
  const length = effort.isQuick ? 'quick: too short to conclude from' : `medians of ${effort.rounds} rounds`
  say(
    `Node ${process.version}, ${length}. A ratio compares what was measured side by side; the absolute numbers are this machine's.`,
  )
  const failed: string[] = []
  const figures: Figure[] = []
  for (const [title, measure] of sections.flatMap((section) => MEASURES[section])) {
    const measured = await run(title, measure, effort)
    if (measured) figures.push(...measured)
    else failed.push(title)
  }
  const promised = figures.filter(({ goal }) => goal !== null)
  say(`\n${promised.filter(({ goal }) => goal?.isMet).length} of ${promised.length} goals reached. [ops-capacity]`)
  if (failed.length > 0) {
    say(`Not measured: ${failed.join(', ')}.`)
    process.exitCode = 1
  }
}

const readOptions = (): Options | null => {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nUsage: ${USAGE}\n`)
    process.exitCode = 2
    return null
  }
}

// Ends every process of ours too: the children's channels close, and programs are told to stop on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const options = readOptions()
if (options) await main(options)
