import type { Tier } from '../../engine/core/caller.ts'
import type { ClientAddress } from './clientAddress.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'
import { type Limit, spend } from './spend.ts'

const POLICY_NAMES: Record<Tier, string> = { anonymous: 'anonymous', selfServe: 'self-serve', enterprise: 'enterprise' }

/**
 * Finds the limits that a request counts against: a partner's by its id, everybody else's by network address. Self-serve keys are
 * free, so keys used from one address also share a limit.
 */
export type CallerLimits = (ctx: Pick<EdgeContext, 'req' | 'state'>) => readonly (readonly [key: string, limit: Limit])[]

/** `keysPerAddressPerMinute`: 0 is no such limit. */
export const createCallerLimits =
  (clientAddress: ClientAddress, keysPerAddressPerMinute: number): CallerLimits =>
  ({ req, state }) => {
    const { caller } = state
    state.address = clientAddress(req)
    state.client = caller.partnerId === null ? state.address : `partner ${caller.partnerId}`
    const own: Limit = { policy: POLICY_NAMES[caller.tier], perMinute: caller.requestsPerMinute, what: 'requests' }
    if (caller.tier !== 'selfServe' || keysPerAddressPerMinute === 0) return [[state.client, own]]
    const what = 'requests with keys from this address'
    const shared: Limit = { policy: 'keys-per-address', perMinute: keysPerAddressPerMinute, what }
    return [
      [state.client, own],
      [`keys ${state.address}`, shared],
    ]
  }

/** Holds every caller to the requests per minute of its tier. Operations open to all are not counted. */
export const rateLimit =
  (limitsOf: CallerLimits, counter: RateCounter): EdgeMiddleware =>
  async (ctx, next) => {
    const { state } = ctx
    // What is paid for has limits of its own.
    if (state.operation?.isOpen || state.operation?.isPaid) return next()
    for (const [key, limit] of limitsOf(ctx)) await spend(state, counter, key, limit)
    if (state.refusal) throw state.refusal
    return next()
  }
