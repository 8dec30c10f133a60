import type { HttpResponse } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The uncertainty by whole seconds, slow answers and caches, ms. */
const UNCERTAIN_MS = 15_000
/** A larger difference is a failure, ms. The service tolerates five minutes to a chain; the rest is reserved for block times. */
const APART_MAX_MS = 120_000

const one = (value: string | readonly string[] | undefined): string => (typeof value === 'string' ? value : '')

/**
 * How far this clock is ahead of a host's, in ms, by the `date` of its answer; null without one. `date` is in whole seconds (RFC
 * 9110, 6.6.1). A cache adds the `age` (RFC 9111, 5.1).
 */
export const aheadOf = ({ headers }: Pick<HttpResponse, 'headers'>, askedAt: number, answeredAt: number): number | null => {
  const date = Date.parse(one(headers['date']))
  const ageSec = Number(one(headers['age']) || '0')
  if (!Number.isFinite(date) || !Number.isFinite(ageSec)) return null
  return (askedAt + answeredAt) / 2 - (date + 500 + ageSec * 1_000)
}

const TODO = 'Set the time of this machine, and keep it by NTP.'

/** The consequence of each direction. */
export const CLOCK_AHEAD = 'a payment made after an /execute looks older than its swap, and is not taken for its own'
export const CLOCK_BEHIND = 'quotes and deadlines are taken for open that are over'

/** Compares this clock with the median of the venues' hosts, so that a few wrong ones do not matter. */
export const judgeHostClocks = (ahead: readonly number[]): readonly Finding[] => {
  const middle = ahead.toSorted((a, b) => a - b)[Math.floor((ahead.length - 1) / 2)]
  // Other findings report hosts that do not answer.
  if (middle === undefined) return []
  const check = 'clock by hosts'
  if (Math.abs(middle) <= UNCERTAIN_MS) return [ok(check, "The clock of this machine agrees with the venues' hosts.")]
  const seconds = Math.round(Math.abs(middle) / 1_000)
  const says = `The clock of this machine is about ${seconds} s ${middle > 0 ? 'ahead of' : 'behind'} the venues' hosts: ${middle > 0 ? CLOCK_AHEAD : CLOCK_BEHIND}.`
  return [(Math.abs(middle) > APART_MAX_MS ? fail : warn)(check, says, TODO)]
}
