import type { HttpResponse } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** What a whole second, a slow answer and a cache may add. */
const UNCERTAIN_MS = 15_000
/** Chains and we may be five minutes apart: what is left of that belongs to their blocks. */
const APART_MAX_MS = 120_000

const one = (value: string | readonly string[] | undefined): string => (typeof value === 'string' ? value : '')

/**
 * How far our clock is ahead of a host's, by the `date` of its answer (RFC 9110, 6.6.1: in whole seconds; 5.1 of RFC 9111: a cache adds the
 * `age`). Null where it tells none.
 */
export const aheadOf = ({ headers }: Pick<HttpResponse, 'headers'>, askedAt: number, answeredAt: number): number | null => {
  const date = Date.parse(one(headers['date']))
  const ageSec = Number(one(headers['age']) || '0')
  if (!Number.isFinite(date) || !Number.isFinite(ageSec)) return null
  return (askedAt + answeredAt) / 2 - (date + 500 + ageSec * 1_000)
}

const TODO = 'Set the time of this machine, and keep it by NTP.'

/** What each direction costs. */
export const CLOCK_AHEAD = 'a payment made after an /execute looks older than its swap, and is not taken for its own'
export const CLOCK_BEHIND = 'quotes and deadlines are taken for open that are over'

/** Our clock by those of the venues' hosts: a few may be off, but not half of them. */
export const judgeHostClocks = (ahead: readonly number[]): readonly Finding[] => {
  const middle = ahead.toSorted((a, b) => a - b)[Math.floor((ahead.length - 1) / 2)]
  // That no host answers is told of each.
  if (middle === undefined) return []
  const check = 'clock by hosts'
  if (Math.abs(middle) <= UNCERTAIN_MS) return [ok(check, "The clock of this machine agrees with the venues' hosts.")]
  const seconds = Math.round(Math.abs(middle) / 1_000)
  const says = `The clock of this machine is about ${seconds} s ${middle > 0 ? 'ahead of' : 'behind'} the venues' hosts: ${middle > 0 ? CLOCK_AHEAD : CLOCK_BEHIND}.`
  return [(Math.abs(middle) > APART_MAX_MS ? fail : warn)(check, says, TODO)]
}
