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

/** A finished JSON answer, waiting to be written. */
export type Answer = { readonly status: number; readonly json: string }

/** What the middleware learn of a request on its way, in `ctx.state`. */
export type RequestState = {
  readonly requestId: string
  /** The trace that its caller has it be part of, or null. */
  readonly trace: Trace | null
  /** Epoch ms at which the request's headers were complete. */
  readonly startedAt: number
  /** The request's path as it was sent, without its query. */
  readonly path: string
  /** The query as it was sent, without its question mark; empty when there is none. */
  readonly search: string
  /** The contract's path, or null outside the contract. */
  readonly known: KnownPath | null
  /** The contract's operation, or null when the path has none for this method. */
  readonly operation: KnownOperation | null
  readonly leaving: Leaving
  /** Its place among those that are served at once; null where everybody has one. */
  stay: Stay | null
  caller: Caller
  /** The network it comes from; empty until that was looked at. */
  address: string
  /** Whom its limit is counted by: a partner, or a network. */
  client: string
  /** Why the caller's key is refused, or null. */
  refusal: SwapError | null
  /** The bytes of a body that did not come with its headers; null of any other. */
  arrival: Promise<Buffer> | null
  /** The parsed JSON body; undefined when the operation takes none. */
  body: unknown
  query: { readonly [name: string]: QueryValue }
  /** The answer, errors included; null while there is none, or when Koa is to write `ctx.body`. */
  answer: Answer | null
  /** What the answer says that went wrong; null while nothing did. */
  failure: { readonly code: ErrorCode; readonly reason?: string; readonly isOutage?: true } | null
  /** Headers of the answer beside those of every response: names and values in turn, as node:http takes them. */
  readonly headers: string[]
  /** The payment of a paid call as it was sent; empty when there is none. */
  payment: string
  /** What a paid call is paid for; null of all others. */
  resource: PaidResource | null
  /** A payment was settled for it. */
  isCharged: boolean
  /** Null for a request that was not counted. */
  standing: Standing | null
  cacheControl: string
}

export type EdgeMiddleware = Middleware<RequestState>
export type EdgeContext = ParameterizedContext<RequestState>
