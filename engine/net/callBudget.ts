import type { Clock } from '../core/clock.ts'

/**
 * Keeps calls within what the far side allows in a minute. Part of it is kept for calls that must be made, such as
 * building a swap somebody has decided on: those count, and are never refused here.
 */
export interface CallBudget {
  /** Counts a call that may be left out. False, and nothing is counted: leave it out. */
  take(): boolean
  /** Takes back what `take` counted last: the call was not made after all. */
  giveBack(): void
  /** Counts a call that is made in any case. */
  spend(): void
}

const MINUTE_MS = 60_000
/** Of five calls, one is kept for those that must be made. */
const KEPT_ONE_OF = 5

const UNLIMITED: CallBudget = { take: () => true, giveBack: () => undefined, spend: () => undefined }

/** Over any sixty seconds, not by the minute of the clock. Null: no limit. */
export const createCallBudget = (callsPerMinute: number | null, clock: Clock): CallBudget => {
  if (callsPerMinute === null) return UNLIMITED
  const openMax = callsPerMinute - Math.floor(callsPerMinute / KEPT_ONE_OF)
  let callsAt: number[] = []
  const spend = () => {
    callsAt.push(clock.now())
  }
  return {
    take: () => {
      const now = clock.now()
      // A call of the future was counted by a clock that has since been set back.
      callsAt = callsAt.filter((at) => at > now - MINUTE_MS && at <= now)
      if (callsAt.length >= openMax) return false
      spend()
      return true
    },
    giveBack: () => void callsAt.pop(),
    spend,
  }
}
