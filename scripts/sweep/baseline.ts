import { readFileSync, writeFileSync } from 'node:fs'
import { allPairs, type Pair, pairName, tokenName } from './pairs.ts'
import type { Trial } from './runSweep.ts'

/**
 * The pairs that every venue quoted and executed in the last complete sweep. The file has a line for each token paid:
 * `venue=<quoted>/<executed>`. Both are hexadecimal numbers with a bit for each token bought, the lowest bit for the first line.
 * One number stands for two equal ones.
 */
export type Baseline = {
  readonly tokens: readonly string[]
  readonly venues: readonly string[]
  /** `venue: pair` */
  readonly quoted: ReadonlySet<string>
  readonly executed: ReadonlySet<string>
}

const FILE = new URL('baseline.json', import.meta.url)

export const trialName = (venue: string, pair: Pair): string => `${venue}: ${pairName(pair)}`

export const isQuoted = ({ outcome }: Trial): boolean =>
  outcome.result === 'executed' || (outcome.result === 'refused' && outcome.at === 'execute')

export const isExecuted = ({ outcome }: Trial): boolean => outcome.result === 'executed'

export const readBaseline = (): Baseline => {
  const lines = Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as { readonly [token: string]: string })
  const tokens = lines.map(([token]) => token)
  const [venues, quoted, executed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const [from, line] of lines)
    for (const [, venue = '', first = '', second = first] of line.matchAll(/(\S+)=([0-9a-f]+)(?:\/([0-9a-f]+))?/g)) {
      venues.add(venue)
      for (const [mask, reached] of [
        [BigInt(`0x${first}`), quoted],
        [BigInt(`0x${second}`), executed],
      ] as const)
        tokens.forEach((to, bit) => {
          if ((mask >> BigInt(bit)) & 1n) reached.add(`${venue}: ${from} > ${to}`)
        })
    }
  return { tokens, venues: [...venues], quoted, executed }
}

/** Makes a complete sweep the new baseline. */
export const writeBaseline = (trials: readonly Trial[]): void => {
  const tokens = [...new Set(allPairs().map(({ from }) => tokenName(from)))]
  const maskOf = (reached: readonly Trial[]) =>
    reached.reduce((mask, { pair }) => mask | (1n << BigInt(tokens.indexOf(tokenName(pair.to)))), 0n).toString(16)
  const lineOf = (token: string): string => {
    const byVenue = Map.groupBy(
      trials.filter(({ pair }) => tokenName(pair.from) === token),
      ({ venue }) => venue,
    )
    return [...byVenue]
      .flatMap(([venue, all]) => {
        const [quoted, executed] = [maskOf(all.filter(isQuoted)), maskOf(all.filter(isExecuted))]
        return quoted === '0' ? [] : [`${venue}=${quoted === executed ? quoted : `${quoted}/${executed}`}`]
      })
      .join(' ')
  }
  const lines = Object.fromEntries(tokens.map((token) => [token, lineOf(token)]))
  writeFileSync(FILE, `${JSON.stringify(lines, null, 2)}\n`)
}

/** Pairs that a venue reached in the baseline and did not reach now. */
export const lossesOf = (trials: readonly Trial[], { quoted, executed }: Baseline): readonly string[] =>
  trials.flatMap((trial) => {
    const name = trialName(trial.venue, trial.pair)
    if (quoted.has(name) && !isQuoted(trial)) return [`${name}: no longer quoted`]
    return executed.has(name) && !isExecuted(trial) ? [`${name}: no longer executed`] : []
  })

/** Venues and tokens of the baseline that a complete sweep did not try, because they are gone. */
export const untriedOf = (trials: readonly Trial[], { tokens, venues }: Baseline): readonly string[] => {
  const tried = new Set(trials.flatMap(({ venue, pair }) => [venue, tokenName(pair.from)]))
  return [...venues, ...tokens].filter((name) => !tried.has(name)).map((name) => `${name}: not tried`)
}

/** Kinds of declines that are faults of an adapter. */
const FAULTS = ['unavailable', 'badResponse', 'timeout', 'rateLimited', 'rejected']

/**
 * Trials that ended in a fault. Every refusal of the service is a fault: the requests are valid, and prices do not move, so a fresh
 * quote can be executed.
 */
export const faultsOf = (trials: readonly Trial[]): readonly string[] =>
  trials.flatMap(({ venue, pair, outcome }) => {
    const isFault = outcome.result === 'declined' && FAULTS.includes(outcome.why.split(' ')[0] ?? '')
    if (!isFault && outcome.result !== 'refused') return []
    const text = outcome.result === 'refused' ? `${outcome.why} at ${outcome.at}: ${outcome.text}` : outcome.why
    return [`${trialName(venue, pair)}: ${text}`]
  })

/** A Markdown table with a row for each venue, and the numbers of the baseline in brackets. */
export const tallyTable = (trials: readonly Trial[], { quoted, executed }: Baseline): string => {
  const rows = [...Map.groupBy(trials, ({ venue }) => venue)].map(([venue, all]) => {
    const before = (reached: ReadonlySet<string>) => all.filter(({ pair }) => reached.has(trialName(venue, pair))).length
    const others = all.flatMap(({ outcome }) => {
      if (outcome.result === 'refused') return [`${outcome.why} at ${outcome.at}`]
      return outcome.result === 'executed' ? [] : [outcome.result === 'declined' ? outcome.why : 'preview']
    })
    const counts = [...Map.groupBy(others, (name) => name)].sort(([, a], [, b]) => b.length - a.length)
    return [
      venue,
      all.length,
      `${all.filter(isQuoted).length} (${before(quoted)})`,
      `${all.filter(isExecuted).length} (${before(executed)})`,
      counts.map(([name, { length }]) => `${name} ${length}`).join(', '),
    ]
  })
  const head = ['venue', 'pairs', 'quoted (was)', 'executed (was)', 'else']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
