import type { Clock } from '../core/clock.ts'
import type { Payment } from '../core/payment.ts'
import { isTerminal } from '../core/swapStatus.ts'
import { isSettledForGood, mayBeMore } from '../execution/lifecycle.ts'
import { isOfExtra, isPayout, openExtras } from '../execution/track/keptInputs.ts'
import { isRemembered } from '../execution/track/readEvidence.ts'
import type { QueuedSwap } from '../store/settlementQueue.ts'
import type { SwapRecord } from '../store/swaps.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * `waiting`: neither paid nor signed. `underWay`: one of the two. `ended`: an end that the chain could still take back. `settled`: one
 * that it cannot; something else may be paid.
 */
export type Phase = 'waiting' | 'underWay' | 'ended' | 'settled'

type Step = { readonly untilAgeMs: number; readonly everyMs: number }

/** How far apart the looks at a swap are, by how long ago something last became of it. 0: with every pass. */
export const PAUSES: { readonly [P in Phase]: readonly Step[] } = {
  waiting: [
    { untilAgeMs: HOUR_MS, everyMs: 0 },
    { untilAgeMs: 6 * HOUR_MS, everyMs: 15 * MINUTE_MS },
    { untilAgeMs: 24 * HOUR_MS, everyMs: HOUR_MS },
    { untilAgeMs: Number.POSITIVE_INFINITY, everyMs: 6 * HOUR_MS },
  ],
  underWay: [
    { untilAgeMs: 6 * HOUR_MS, everyMs: 0 },
    { untilAgeMs: 24 * HOUR_MS, everyMs: 15 * MINUTE_MS },
    { untilAgeMs: Number.POSITIVE_INFINITY, everyMs: HOUR_MS },
  ],
  ended: [
    { untilAgeMs: HOUR_MS, everyMs: 0 },
    { untilAgeMs: 24 * HOUR_MS, everyMs: HOUR_MS },
    { untilAgeMs: Number.POSITIVE_INFINITY, everyMs: 6 * HOUR_MS },
  ],
  settled: [
    { untilAgeMs: HOUR_MS, everyMs: HOUR_MS },
    { untilAgeMs: Number.POSITIVE_INFINITY, everyMs: 6 * HOUR_MS },
  ],
}

/** So much of a pause it may be shorter or longer: what was made together is not looked at together for ever. */
const JITTER = 0.1

/** No look is ever put off longer, save by an interval that is longer. */
export const PAUSE_MS_MAX = 6 * HOUR_MS * (1 + JITTER)

const phaseOf = ({ status }: SwapRecord, { isPaid }: QueuedSwap, payments: readonly Payment[]): Phase => {
  if (isSettledForGood({ after: status, payments })) return openExtras(payments).length > 0 ? 'underWay' : 'settled'
  if (isTerminal(status.state)) return 'ended'
  return isPaid ? 'underWay' : 'waiting'
}

/** Whether nothing becomes of a swap any more that is looked for without being asked. */
export const isOver = (record: SwapRecord, payments: readonly Payment[], clock: Clock, isTrusted: boolean): boolean => {
  const { status, endedAt, createdAt } = record
  if (!isTerminal(status.state)) return false
  // On the venues' word alone nothing is kept that could be final.
  if (isTrusted) return true
  const isSettled = isSettledForGood({ after: status, payments })
  if (status.state === 'success' && !isSettled) return false
  if (isSettled && !mayBeMore(record, payments)) return true
  const paid = [...payments.filter((payment) => isPayout(payment) && !isOfExtra(payment)), ...openExtras(payments)]
  return !isRemembered(Math.max(endedAt ?? createdAt, ...paid.map(({ paidAt }) => paidAt ?? 0)), clock)
}

/** A search of a chain that goes on is gone on with by a pass of its own, so long after the last one began. */
export const SEARCH_PASS_MS = 30_000

/** `random` in [0, 1); `intervalMs` from one pass to the next. `isSearching`: a search that it waits for goes on. */
export type Timing = {
  readonly now: number
  readonly random: number
  readonly intervalMs: number
  readonly isSearching: boolean
}

/** Due before the next pass, and behind those that go on meanwhile with what the last one had no time for. */
export const soonest = (intervalMs: number): number => intervalMs * 0.85

/** When a swap is to be looked at again. */
export const nextLookAt = (
  record: SwapRecord,
  queued: QueuedSwap,
  payments: readonly Payment[],
  { now, random, intervalMs, isSearching }: Timing,
): number => {
  if (isSearching) return now + Math.min(SEARCH_PASS_MS * 0.8, intervalMs / 2)
  const age = now - queued.changedAt
  const { everyMs = 0 } = PAUSES[phaseOf(record, queued, payments)].find(({ untilAgeMs }) => age < untilAgeMs) ?? {}
  return now + Math.round(Math.max(everyMs * (1 - JITTER + 2 * JITTER * random), soonest(intervalMs)))
}
