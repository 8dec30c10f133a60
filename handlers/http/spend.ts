import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'
import type { RequestState } from './requestState.ts'

/** A limit a minute. */
export type Limit = {
  /** Its name in the headers. */
  readonly policy: string
  readonly perMinute: number
  /** The counted thing, as a refusal words it. */
  readonly what: string
}

/** Counts a request, and puts the tightest of its limits into the rate-limit headers. False where this limit is exceeded. */
export const tally = async (state: RequestState, counter: RateCounter, key: string, limit: Limit): Promise<boolean> => {
  const { policy, perMinute } = limit
  const { requests, msLeft } = await counter.count(key)
  const remaining = Math.max(0, perMinute - requests)
  const resetSeconds = Math.max(1, Math.ceil(msLeft / 1000))
  const isExceeded = requests > perMinute
  if (state.standing === null || isExceeded || remaining < state.standing.remaining)
    state.standing = { policy, perMinute, remaining, resetSeconds }
  return !isExceeded
}

/** RATE_LIMITED for a limit that `tally` found exceeded. */
export const exceeded = (state: RequestState, { what, perMinute }: Limit): EdgeError =>
  new EdgeError(
    429,
    'RATE_LIMITED',
    `Too many ${what}: the limit is ${perMinute} a minute. Wait details.retryAfterSec seconds.`,
    {
      details: { retryAfterSec: state.standing?.resetSeconds ?? 1 },
    },
  )

/** Counts a request against a limit of this key. Throws RATE_LIMITED where it is exceeded. */
export const spend = async (state: RequestState, counter: RateCounter, key: string, limit: Limit): Promise<void> => {
  if (!(await tally(state, counter, key, limit))) throw exceeded(state, limit)
}
