import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'
import type { RequestState } from './requestState.ts'

export const WINDOW_SECONDS = 60

/** So many of something a minute. */
export type Limit = {
  /** What the headers call it. */
  readonly policy: string
  readonly perMinute: number
  /** What there are too many of, in the words of a refusal. */
  readonly what: string
}

/** Where a caller stands with the limit that binds it most. */
export type Standing = Pick<Limit, 'policy' | 'perMinute'> & { readonly remaining: number; readonly resetSeconds: number }

/** In the headers of draft-ietf-httpapi-ratelimit-headers: names and values in turn. */
export const standingHeaders = (standing: Standing | null): readonly string[] => {
  if (standing === null) return []
  const { policy, perMinute, remaining, resetSeconds } = standing
  return [
    'RateLimit',
    `"${policy}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Policy',
    `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
  ]
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
    headers: { 'retry-after': String(resetSeconds) },
  })
}
