import type { Trace } from './trace.ts'

export type Tier = 'anonymous' | 'selfServe' | 'enterprise'

/** Who is asking, as far as an x-api-key says. A key raises limits and sets fees; it never opens or closes a door. */
export type Caller = {
  readonly tier: Tier
  /** Null for anonymous callers. */
  readonly partnerId: string | null
  /** The integrator fee of this caller, an explicit 0 included; null: it never set one, and the operator's schedule applies. */
  readonly feeBps: number | null
  readonly requestsPerMinute: number
}

/** The request an engine call serves. */
export type RequestContext = {
  readonly requestId: string
  readonly caller: Caller
  /** Tells callers apart: an enterprise partner by its id, others by IPv4 address or IPv6 /64 (`2001:db8:0:1::/64`). Never logged. */
  readonly client: string
  /** Aborts when nobody waits for the answer any more. What somebody has decided on goes on all the same. */
  readonly signal: AbortSignal
  /** The trace it is part of, for the log and for hosts that are the operator's own; null or left out: none. */
  readonly trace?: Trace | null
  /** Nobody waits for it: of what venues allow it takes only what callers leave. Left out: somebody does. */
  readonly canWait?: true
}
