import { leadOf, type ToldRace, type ToldRun } from '../../../engine/core/toldRace.ts'
import { tableOf } from '../printing.ts'
import type { LogLine } from './readLog.ts'

/** A race and its source. */
export type KnownRace = ToldRace & {
  readonly quoteId: string | null
  readonly requestId: string | null
  readonly from: 'log' | 'store'
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const AMOUNT = /^[0-9]{1,78}$/
const isAmount = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && AMOUNT.test(value))

/** True for an intact run: a line of a log may have been truncated or overwritten. */
const isRun = (value: unknown): value is ToldRun => {
  if (typeof value !== 'object' || value === null) return false
  const { venue, outcome, amount, minimum, feeCost } = value as { readonly [name: string]: unknown }
  return typeof venue === 'string' && typeof outcome === 'string' && [amount, minimum, feeCost].every(isAmount)
}

const hasRace = ({ event, runs }: LogLine): boolean =>
  (event === 'quote.served' || event === 'quote.refused') && Array.isArray(runs)

/** Describes the races of the log that are damaged. */
export const damagedIn = (lines: readonly LogLine[]): readonly string[] =>
  lines.filter(hasRace).flatMap(({ runs, quoteId, requestId }) => {
    const all = runs as readonly unknown[]
    const damaged = all.filter((run) => !isRun(run)).length
    const race = textOrNull(quoteId) === null ? `request ${textOrNull(requestId) ?? 'without an id'}` : `quote ${quoteId}`
    return damaged === 0 ? [] : [`${damaged} of the ${all.length} venues in the race of ${race}: its line of the log is damaged`]
  })

/** The races in the log, with their intact runs. */
export const racesIn = (lines: readonly LogLine[]): readonly KnownRace[] =>
  lines.filter(hasRace).map(({ mode, runs, unwilling, reference, quoteId, requestId }) => ({
    mode: mode === 'fastest' ? 'fastest' : 'best_output',
    runs: (runs as readonly unknown[]).filter(isRun),
    unwilling: Array.isArray(unwilling) ? unwilling.filter((venue) => typeof venue === 'string') : [],
    reference: isAmount(reference) ? textOrNull(reference) : null,
    quoteId: textOrNull(quoteId),
    requestId: textOrNull(requestId),
    from: 'log',
  }))

const percent = (bps: number): string => `${(Math.abs(bps) / 100).toFixed(2)} % ${bps < 0 ? 'below' : 'above'}`

const wonBy = (race: ToldRace): string => {
  const [first, second] = race.runs.filter(({ rank }) => rank !== undefined)
  if (first === undefined) return 'No venue won: there was no offer.'
  const { leadBps, referenceBps } = leadOf(race)
  const rule = race.mode === 'fastest' ? 'as the fastest' : 'by the output after fees'
  const lead =
    second === undefined
      ? 'the only offer'
      : leadBps === null
        ? `before ${second.venue}, whose fee has no price`
        : `${percent(leadBps)} ${second.venue}`
  const reference =
    referenceBps === null
      ? 'no published price for comparison'
      : `${percent(referenceBps)} the published prices (${race.reference})`
  return `${first.venue} won ${rule}: ${lead}; ${reference}.`
}

const rowOf = (run: ToldRun) => ({
  rank: run.rank,
  venue: run.venue,
  outcome: run.isPreview ? `${run.outcome}, preview` : run.outcome,
  amount: run.amount,
  minimum: run.minimum,
  extraFee: run.feeCost === null ? 'unpriced' : run.feeCost,
  ms: run.elapsedMs,
  why: [run.kind, run.reason].filter((text) => text !== undefined).join(': '),
})

/** A race as a table, and the criterion of the winner. */
export const raceLines = (race: KnownRace): readonly string[] => [
  ...tableOf(
    race.runs.map(rowOf),
    ['rank', 'venue', 'outcome', 'amount', 'minimum', 'extraFee', 'ms', 'why'],
    'No venue was called.',
  ),
  race.unwilling.length > 0
    ? `Not called, because they do not serve the route: ${race.unwilling.join(', ')}.`
    : 'Not called: venues that do not serve the route, that the caller excluded, or that are off.',
  wonBy(race),
]
