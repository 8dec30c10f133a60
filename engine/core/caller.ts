import type { Trace } from './trace.ts'

export type Tier = 'anonymous' | 'selfServe' | 'enterprise'

/** The caller by its x-api-key. A key raises limits and sets fees; it does not gate access. */
export type Caller = {
  readonly tier: Tier
  /** Null for anonymous callers. */
  readonly partnerId: string | null
  /** The integrator fee of this caller, an explicit 0 included; null: never set, and the operator's schedule applies. */
  readonly feeBps: number | null
  readonly requestsPerMinute: number
}

/** The request of an engine call. */
export type RequestContext = {
  readonly requestId: string
  readonly caller: Caller
  /** The client: an enterprise partner by its id, others by IPv4 address or IPv6 /64 (`2001:db8:0:1::/64`). Never logged. */
  readonly client: string
  /** Aborts when no caller waits for the answer. Work that the caller has chosen, such as an execution, continues. */
  readonly signal: AbortSignal
  /** The trace of the request, for the log and for the operator's own hosts; null or absent: no trace. */
  readonly trace?: Trace | null
  /** No caller waits for the answer: it uses only the part of venue limits that callers leave. Absent: a caller waits. */
  readonly canWait?: true
}
