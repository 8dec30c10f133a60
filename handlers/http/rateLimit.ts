import type { Caller, Tier } from '../../engine/core/caller.ts'
import type { ClientAddress } from './clientAddress.ts'
import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeMiddleware } from './requestState.ts'

const WINDOW_SECONDS = 60
const POLICY_NAMES: Record<Tier, string> = { anonymous: 'anonymous', selfServe: 'self-serve', enterprise: 'enterprise' }

const keyOf = ({ partnerId }: Caller, address: () => string): string => (partnerId === null ? address() : `partner ${partnerId}`)

/**
 * Holds every caller to the requests per minute of its tier: a partner by its id, everybody else by network address.
 * Tells the standing in the headers of draft-ietf-httpapi-ratelimit-headers. Operations open to all are not counted.
 */
export const rateLimit =
  (clientAddress: ClientAddress, counter: RateCounter): EdgeMiddleware =>
  async ({ req, state }, next) => {
    if (state.operation?.isOpen) return next()
    const { caller, refusal } = state
    state.client = keyOf(caller, () => clientAddress(req))
    const counted = await counter.count(state.client)
    const limit = caller.requestsPerMinute
    const resetSeconds = Math.max(1, Math.ceil(counted.msLeft / 1000))
    const policy = POLICY_NAMES[caller.tier]
    const remaining = Math.max(0, limit - counted.requests)
    state.standing = [
      'RateLimit',
      `"${policy}";r=${remaining};t=${resetSeconds}`,
      'RateLimit-Policy',
      `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ]
    if (counted.requests > limit) {
      throw new EdgeError(429, 'RATE_LIMITED', `Too many requests: the limit is ${limit} a minute.`, {
        details: { retryAfterSec: resetSeconds },
        headers: { 'retry-after': String(resetSeconds) },
      })
    }
    if (refusal) throw refusal
    return next()
  }
