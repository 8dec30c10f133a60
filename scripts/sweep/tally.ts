import { type Pair, pairName } from './pairs.ts'
import type { Trial } from './runSweep.ts'

/** `quoted` counts executable quotes. */
export type Counts = { readonly quoted: number; readonly executed: number }

/** How one venue did over all pairs. */
export type Tally = Counts & {
  readonly venue: string
  readonly pairs: number
  /** Previews, declines and refusals by what ended them. */
  readonly others: ReadonlyMap<string, number>
}

const endOf = ({ outcome }: Trial): string | null => {
  switch (outcome.result) {
    case 'executed':
      return null
    case 'preview':
      return 'preview'
    case 'declined':
      return outcome.why
    case 'refused':
      return `${outcome.why} at ${outcome.at}`
  }
}

export const isQuoted = ({ outcome }: Trial): boolean =>
  outcome.result === 'executed' || (outcome.result === 'refused' && outcome.at === 'execute')

export const isExecuted = ({ outcome }: Trial): boolean => outcome.result === 'executed'

const countBy = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

export const tallyOf = (trials: readonly Trial[]): readonly Tally[] =>
  [...Map.groupBy(trials, ({ venue }) => venue)].map(([venue, all]) => ({
    venue,
    pairs: all.length,
    quoted: all.filter(isQuoted).length,
    executed: all.filter(isExecuted).length,
    others: countBy(all.map(endOf).filter((end) => end !== null)),
  }))

/** Trouble of an adapter, as against a considered no: none may be left. */
const TROUBLE = ['unavailable', 'badResponse', 'timeout', 'rateLimited', 'rejected']

/**
 * Every pair that ended in trouble, with what was said. Whatever the service itself refuses is trouble too: the requests
 * are proper ones, and on a network where nothing moves a price what was just quoted can be executed.
 */
export const troublesOf = (trials: readonly Trial[]): readonly string[] =>
  trials.flatMap(({ venue, pair, outcome }) => {
    if (outcome.result !== 'declined' && outcome.result !== 'refused') return []
    if (outcome.result === 'declined' && !TROUBLE.includes(outcome.why.split(' ')[0] ?? '')) return []
    const text = outcome.result === 'refused' ? `${outcome.why} at ${outcome.at}: ${outcome.text}` : outcome.why
    return [`${venue}: ${pairName(pair)}: ${text}`]
  })

/** A Markdown table, a row for each venue; in brackets what it was when the baseline was taken. */
export const tallyTable = (trials: readonly Trial[], then: (venue: string, pairs: readonly Pair[]) => Counts): string => {
  const ends = (others: Tally['others']) => [...others].sort(([, a], [, b]) => b - a).map(([end, count]) => `${end} ${count}`)
  const rows = tallyOf(trials).map(({ venue, pairs, quoted, executed, others }) => {
    const was = then(
      venue,
      trials.filter((trial) => trial.venue === venue).map(({ pair }) => pair),
    )
    return [venue, pairs, `${quoted} (${was.quoted})`, `${executed} (${was.executed})`, ends(others).join(', ')]
  })
  const head = ['venue', 'pairs', 'quoted (was)', 'executed (was)', 'else']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
