import type { Config } from '../../../engine/config/config.ts'
import { cellOf, type Output, paint, tableOf } from '../printing.ts'
import { type CanaryRun, type Row, referenceOf } from './runCanary.ts'

/** In whole units, with six decimals at most, rounded down. */
const inUnits = (amount: bigint, decimals: number): string => {
  const fraction = (amount % 10n ** BigInt(decimals)).toString().padStart(decimals, '0').slice(0, 6)
  return `${amount / 10n ** BigInt(decimals)}.${fraction}`.replace(/\.?0*$/, '')
}

const outputOf = ({ offer, outputToken: token }: Row): string | null => {
  if (offer === null) return null
  return token === null ? `${offer.outputAmount}` : `${inUnits(offer.outputAmount, token.decimals)} ${token.symbol}`
}

const largestOf = ({ exchanges: { quote, execute } }: Row): number =>
  Math.max(0, ...[...quote, ...execute].map(({ answer }) => Buffer.byteLength(answer)))

const rowOf = (row: Row, rows: readonly Row[]) => {
  const { venue, route, ms, verdict, proof } = row
  const { distanceBps = 0, witnesses = 0 } = referenceOf(row, rows) ?? {}
  const distance = witnesses === 0 ? null : `${distanceBps > 0 ? '+' : ''}${(distanceBps / 100).toFixed(2)} % of ${witnesses}`
  const { recipient = null, minimum = null, refund = null } = proof ?? {}
  const measured = { ms: ms || null, output: outputOf(row), distance, verdict }
  return { venue, route, ...measured, recipient, minimum, refund, bytes: largestOf(row) || null }
}

const COLUMNS = [
  ...(['venue', 'route', 'ms', 'output', 'distance', 'verdict'] as const),
  ...(['recipient', 'minimum', 'refund', 'bytes'] as const),
]

/** For programs: amounts in smallest units. */
const dataOf = (row: Row, rows: readonly Row[]) => {
  const { venue, route, state, verdict, found, ms, offer, proof, pair } = row
  const { outputAmount = null, executionType = null } = offer ?? {}
  const asked = { input: pair.input, inputAmount: pair.inputAmount, output: pair.output, outputAmount, executionType }
  return { venue, route, ...asked, ms, reference: referenceOf(row, rows), state, verdict, found, proof, bytes: largestOf(row) }
}

/** The run failed where a row did, and where a venue was not asked up to the payload. */
export const reportOf = ({ rows, venues }: CanaryRun, { network, venuesWithoutKey }: Config): Output => {
  const failures = rows.filter(({ state }) => state === 'failed')
  const tried = rows.filter(({ state }) => state === 'accepted' || state === 'failed')
  const unasked = venues.filter((id) => !tried.some(({ venue }) => venue === id))
  const accepted = tried.length - failures.length
  const explained = rows.filter(({ found }) => found !== null)
  const notes = [
    ...explained.map(({ venue, route, verdict, found }) => `${paint('red', verdict)} ${venue} ${route}: ${cellOf(found)}`),
    ...unasked.map((venue) => `${paint('red', 'not tried')} ${venue}: no row was tried up to the payload.`),
    ...venuesWithoutKey.map((venue) => `${paint('yellow', 'off')} ${venue}: the venue needs an API key.`),
    `On ${network}: ${accepted} accepted, ${failures.length} failed, ${rows.length - tried.length} not tried up to the payload.`,
  ]
  const table = rows.map((row) => rowOf(row, rows))
  return {
    data: { network, accepted, failed: failures.length, unasked, venuesWithoutKey, rows: rows.map((row) => dataOf(row, rows)) },
    lines: [...tableOf(table, COLUMNS, ''), '', ...notes],
    ...(failures.length + unasked.length > 0 && { isFailed: true }),
  }
}
