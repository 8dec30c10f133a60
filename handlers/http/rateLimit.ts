import type { Tier } from '../../engine/core/caller.ts'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import { type ClientAddress, isPublic, type SocketNetwork } from './clientAddress.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'
import { exceeded, type Limit, tally } from './spend.ts'

const POLICY_NAMES: Record<Tier, string> = { anonymous: 'anonymous', selfServe: 'self-serve', enterprise: 'enterprise' }

/**
 * Finds the limits of a request: a partner's by its id, others by network address. Self-serve keys are free, so keys used from
 * one address also share a limit.
 */
export type CallerLimits = (ctx: Pick<EdgeContext, 'req' | 'state'>) => readonly (readonly [key: string, limit: Limit])[]

/** `keysPerAddressPerMinute`: 0 disables this limit. */
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

/** An address with this many clients in a minute is probably a proxy. */
const CLIENTS_MIN = 5
const WINDOW_MS = 60_000
/** Bounds of remembered data, whatever clients send. */
const ADDRESSES_MAX = 1_000
const NAME_LENGTH_MAX = 200

/**
 * Reports requests over the limit of an address that is probably a proxy outside TRUSTED_PROXIES. Behind a trusted proxy a client
 * can write any x-forwarded-for: only the other end of the socket counts.
 */
export const createProxyWatch = (peerOf: SocketNetwork, observe: ObserveEdge) => {
  const namesBy = new Map<string, Set<string>>()
  let until = 0
  return ({ socket, headers }: EdgeContext['req']): void => {
    const [peer, written] = [peerOf(socket.remoteAddress), String(headers['x-forwarded-for'] ?? '')]
    if (peer === null || written === '') return
    if (Date.now() >= until) {
      namesBy.clear()
      until = Date.now() + WINDOW_MS
    }
    const names = namesBy.get(peer) ?? new Set()
    if (namesBy.size < ADDRESSES_MAX) namesBy.set(peer, names)
    // A copy: a substring would retain the whole header.
    if (names.size < CLIENTS_MIN) names.add(Buffer.from(written.slice(0, NAME_LENGTH_MAX)).toString())
    if (names.size < CLIENTS_MIN) return
    observe({ event: 'proxy.untrusted', peer: isPublic(peer) ? 'public' : 'private' })
  }
}

/** Limits every caller to the requests per minute of its tier. Operations open to all do not count. */
export const rateLimit =
  (limitsOf: CallerLimits, counter: RateCounter, watchProxy: ReturnType<typeof createProxyWatch>): EdgeMiddleware =>
  async (ctx, next) => {
    const { state } = ctx
    // Paid calls have limits of their own.
    if (state.operation?.isOpen || state.operation?.isPaid) return next()
    for (const [key, limit] of limitsOf(ctx)) {
      if (await tally(state, counter, key, limit)) continue
      const isOfPartner = key === state.client && state.caller.partnerId !== null
      if (!isOfPartner) watchProxy(ctx.req)
      throw exceeded(state, limit)
    }
    if (state.refusal) throw state.refusal
    return next()
  }
