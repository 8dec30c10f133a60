import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller, Tier } from '../../engine/core/caller.ts'
import type { ClientAddress } from './clientAddress.ts'
import { EdgeError } from './edgeError.ts'
import type { EdgeMiddleware } from './requestState.ts'

const WINDOW_SECONDS = 60
const POLICY_NAMES: Record<Tier, string> = { anonymous: 'anonymous', selfServe: 'self-serve', enterprise: 'enterprise' }

/** Beyond this many addresses a minute, new ones share the window of their wider network. Some 40 MB at most. */
const WINDOWS_MAX = 100_000

/** Counts requests per key and minute; with a bound on how many keys it remembers. */
const createCounter = (windowsMax: number) => {
  // Counts by wall time: a jump of the offline network's clock opens no window.
  // Points are compared here and not by the limiter, because every partner may have a limit of its own.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: '' })
  const opened = { thisMinute: 0, lastMinute: 0, minute: 0 }

  const isFull = (): boolean => {
    const minute = Math.floor(Date.now() / (WINDOW_SECONDS * 1000))
    if (minute !== opened.minute) {
      opened.lastMinute = minute === opened.minute + 1 ? opened.thisMinute : 0
      opened.thisMinute = 0
      opened.minute = minute
    }
    return opened.thisMinute + opened.lastMinute >= windowsMax
  }

  return async (key: string): Promise<RateLimiterRes> => {
    // The first octet or the first group: few enough to be counted whatever happens.
    const isCrowded = isFull() && (await limiter.get(key)) === null
    const counted = await limiter.consume(isCrowded ? `crowd ${key.split(/[.:]/, 1)}` : key)
    if (counted.isFirstInDuration) opened.thisMinute += 1
    return counted
  }
}

const keyOf = ({ partnerId }: Caller, address: () => string): string => (partnerId === null ? address() : `partner ${partnerId}`)

/**
 * Holds every caller to the requests per minute of its tier: a partner by its id, everybody else by network address.
 * Tells the standing in the headers of draft-ietf-httpapi-ratelimit-headers. Operations open to all are not counted.
 */
export const rateLimit = (clientAddress: ClientAddress, windowsMax = WINDOWS_MAX): EdgeMiddleware => {
  const count = createCounter(windowsMax)
  return async ({ req, state }, next) => {
    if (state.operation?.isOpen) return next()
    const { caller, refusal } = state
    const counted = await count(keyOf(caller, () => clientAddress(req)))
    const limit = caller.requestsPerMinute
    const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000))
    const policy = POLICY_NAMES[caller.tier]
    const remaining = Math.max(0, limit - counted.consumedPoints)
    state.standing = [
      'RateLimit',
      `"${policy}";r=${remaining};t=${resetSeconds}`,
      'RateLimit-Policy',
      `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ]
    if (counted.consumedPoints > limit) {
      throw new EdgeError(429, 'RATE_LIMITED', `Too many requests: the limit is ${limit} a minute.`, {
        details: { retryAfterSec: resetSeconds },
        headers: { 'retry-after': String(resetSeconds) },
      })
    }
    if (refusal) throw refusal
    return next()
  }
}
