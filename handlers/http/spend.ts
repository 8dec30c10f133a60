import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'
import type { RequestState } from './requestState.ts'

/** So many of something a minute. */
export type Limit = {
  /** What the headers call it. */
  readonly policy: string
  readonly perMinute: number
  /** What there are too many of, in the words of a refusal. */
  readonly what: string
}

/** Counts a request against a limit of whoever the key names. Of several limits the caller is told the one that has least left. */
export const spend = async (state: RequestState, counter: RateCounter, key: string, limit: Limit): Promise<void> => {
  const { policy, perMinute, what } = limit
  const { requests, msLeft } = await counter.count(key)
  const remaining = Math.max(0, perMinute - requests)
  const resetSeconds = Math.max(1, Math.ceil(msLeft / 1000))
  const isExceeded = requests > perMinute
  if (state.standing === null || isExceeded || remaining < state.standing.remaining)
    state.standing = { policy, perMinute, remaining, resetSeconds }
  if (!isExceeded) return
  throw new EdgeError(429, 'RATE_LIMITED', `Too many ${what}: the limit is ${perMinute} a minute.`, {
    details: { retryAfterSec: resetSeconds },
  })
}
