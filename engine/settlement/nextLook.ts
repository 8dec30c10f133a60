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
 * `waiting`: neither paid nor signed. `underWay`: one of the two. `ended`: a reorganisation could still undo the end. `settled`:
 * it cannot, but an extra payment may follow.
 */
export type Phase = 'waiting' | 'underWay' | 'ended' | 'settled'

type Step = { readonly untilAgeMs: number; readonly everyMs: number }

/** The pauses between two reads of a swap, by the time since its last change. 0: with every pass. */
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

/** The random share of a pause, which spreads swaps that were made together. */
const JITTER = 0.1

/** The longest pause, unless the interval is longer. */
export const PAUSE_MS_MAX = 6 * HOUR_MS * (1 + JITTER)

/** No swap that changed so recently has a longer pause, unless the interval is longer. */
export const YOUNG = { ageMs: HOUR_MS, pauseMs: HOUR_MS * (1 + JITTER) } as const

const phaseOf = ({ status }: SwapRecord, { isPaid }: QueuedSwap, payments: readonly Payment[]): Phase => {
  if (isSettledForGood({ after: status, payments })) return openExtras(payments).length > 0 ? 'underWay' : 'settled'
  if (isTerminal(status.state)) return 'ended'
  return isPaid ? 'underWay' : 'waiting'
}

/** `isTrusted`: venue reports are not compared with the chains. `isSure`: the clock was compared, and is right. */
type Grounds = { readonly isTrusted: boolean; readonly isSure: boolean }

/** True if settlement finds nothing more for this swap. */
export const isOver = (
  record: SwapRecord,
  payments: readonly Payment[],
  clock: Clock,
  { isTrusted, isSure }: Grounds,
): boolean => {
  const { status, endedAt, createdAt } = record
  if (!isTerminal(status.state)) return false
  // Venue reports alone never make anything final.
  if (isTrusted) return true
  const isSettled = isSettledForGood({ after: status, payments })
  if (status.state === 'success' && !isSettled) return false
  if (isSettled && !mayBeMore(record, payments)) return true
  const paid = [...payments.filter((payment) => isPayout(payment) && !isOfExtra(payment)), ...openExtras(payments)]
  return isSure && !isRemembered(Math.max(endedAt ?? createdAt, ...paid.map(({ paidAt }) => paidAt ?? 0)), clock)
}

/** The pause before the next part of a search of a chain. */
export const SEARCH_PASS_MS = 30_000

/** `random` is in [0, 1). `intervalMs` is the time between passes. `isSearching`: a search for this swap continues. */
export type Timing = {
  readonly now: number
  readonly random: number
  readonly intervalMs: number
  readonly isSearching: boolean
}

/** Due before the next pass, but after the rest of an interrupted one. */
export const soonest = (intervalMs: number): number => intervalMs * 0.85

/** When to read a swap again. */
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
