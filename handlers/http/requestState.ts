import type { Middleware, ParameterizedContext } from 'koa'
import type { Caller } from '../../engine/core/caller.ts'
import type { PaidResource } from '../../engine/core/paidCall.ts'
import type { Trace } from '../../engine/core/trace.ts'
import type { ErrorCode, SwapError } from '../../engine/errors.ts'
import type { Leaving } from './leaving.ts'
import type { KnownOperation, KnownPath } from './operationTable.ts'
import type { QueryValue } from './query.ts'
import type { Standing } from './standing.ts'
import type { Stay } from './stay.ts'

/** A finished JSON answer, before it is written. */
export type Answer = { readonly status: number; readonly json: string }

/** The middleware's data about a request, in `ctx.state`. */
export type RequestState = {
  readonly requestId: string
  /** The trace of its caller, or null. */
  readonly trace: Trace | null
  /** Epoch ms at which the request's headers were complete. */
  readonly startedAt: number
  /** The request's path as sent, without its query. */
  readonly path: string
  /** The query as sent, without its question mark; empty without one. */
  readonly search: string
  /** The contract's path, or null outside the contract. */
  readonly known: KnownPath | null
  /** The contract's operation, or null when the path lacks this method. */
  readonly operation: KnownOperation | null
  readonly leaving: Leaving
  /** Its slot among concurrent requests; null where there is no limit. */
  stay: Stay | null
  caller: Caller
  /** The client's network; empty until it is read. */
  address: string
  /** The key of its limit: a partner, or a network. */
  client: string
  /** Why the caller's key is rejected, or null. */
  refusal: SwapError | null
  /** The bytes of a body that arrived after its headers; else null. */
  arrival: Promise<Buffer> | null
  /** The parsed JSON body; undefined for an operation without one. */
  body: unknown
  query: { readonly [name: string]: QueryValue }
  /** The answer, errors included; null before that, or when Koa writes `ctx.body`. */
  answer: Answer | null
  /** The failure that the answer reports; null without one. */
  failure: { readonly code: ErrorCode; readonly reason?: string; readonly isOutage?: true } | null
  /** Headers of the answer beside those of every response: names and values in turn, as node:http takes them. */
  readonly headers: string[]
  /** The payment of a paid call as sent; empty without one. */
  payment: string
  /** The resource of a paid call; null for all others. */
  resource: PaidResource | null
  /** A payment was settled for it. */
  isCharged: boolean
  /** Null for a request that was not counted. */
  standing: Standing | null
  cacheControl: string
}

export type EdgeMiddleware = Middleware<RequestState>
export type EdgeContext = ParameterizedContext<RequestState>
