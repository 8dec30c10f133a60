import type { Tier } from '../../engine/core/caller.ts'
import type { ClientAddress } from './clientAddress.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeMiddleware } from './requestState.ts'
import { spend } from './spend.ts'

const POLICY_NAMES: Record<Tier, string> = { anonymous: 'anonymous', selfServe: 'self-serve', enterprise: 'enterprise' }

/**
 * Holds every caller to the requests per minute of its tier: a partner by its id, everybody else by network address.
 * Anybody gives himself keys, so that those used from one address share a limit too; 0: they do not. Operations open to all
 * are not counted.
 */
export const rateLimit =
  (clientAddress: ClientAddress, counter: RateCounter, keysPerAddressPerMinute: number): EdgeMiddleware =>
  async ({ req, state }, next) => {
    // What is paid for has limits of its own.
    if (state.operation?.isOpen || state.operation?.isPaid) return next()
    const { caller, refusal } = state
    state.address = clientAddress(req)
    state.client = caller.partnerId === null ? state.address : `partner ${caller.partnerId}`
    const own = { policy: POLICY_NAMES[caller.tier], perMinute: caller.requestsPerMinute, what: 'requests' }
    await spend(state, counter, state.client, own)
    if (caller.tier === 'selfServe' && keysPerAddressPerMinute > 0) {
      const what = 'requests with keys from this address'
      await spend(state, counter, `keys ${state.address}`, {
        policy: 'keys-per-address',
        perMinute: keysPerAddressPerMinute,
        what,
      })
    }
    if (refusal) throw refusal
    return next()
  }
