import { randomUUID } from 'node:crypto'
import Koa from 'koa'
import { type Clock, systemClock } from '../engine/core/clock.ts'
import type { SharedCounts } from '../engine/core/sharedCounts.ts'
import type { Trace } from '../engine/core/trace.ts'
import type { Engine } from '../engine/engine.ts'
import type { ObserveEdge } from '../engine/observe/observe.ts'
import { admission } from './http/admission.ts'
import { createBackend } from './http/backend.ts'
import { baseHeaders, type ExtraHeaders } from './http/baseHeaders.ts'
import { createCallDescriptions } from './http/callDescription.ts'
import { caller } from './http/caller.ts'
import { createClientAddress, createSocketNetwork } from './http/clientAddress.ts'
import { readContract } from './http/contract.ts'
import { cors } from './http/cors.ts'
import { dispatch } from './http/dispatch.ts'
import { docs, type LoadPages } from './http/docs.ts'
import { notFound } from './http/edgeError.ts'
import { errorResponse } from './http/errorResponse.ts'
import { jsonBody } from './http/jsonBody.ts'
import { logos } from './http/logos.ts'
import { openapiJson } from './http/openapiJson.ts'
import { createOperationLimits } from './http/operationLimits.ts'
import { createPaidServe } from './http/paidServe.ts'
import { paymentGate } from './http/paymentGate.ts'
import { createPaymentRooms } from './http/paymentRooms.ts'
import { createRateCounter } from './http/rateCounter.ts'
import { createCallerLimits, createProxyWatch, rateLimit } from './http/rateLimit.ts'
import { requestLog } from './http/requestLog.ts'
import type { RequestState } from './http/requestState.ts'
import { respond } from './http/respond.ts'
import { responseCheck } from './http/responseCheck.ts'
import type { Rooms } from './http/rooms.ts'
import { createHandlers } from './index.ts'

export type AppOptions = {
  /** Addresses or CIDR ranges of proxies whose x-forwarded-for is believed. */
  readonly trustedProxies: readonly string[]
  /** What all self-serve keys used from one address share; 0: no such limit. */
  readonly keysPerAddressPerMinute: number
  readonly clock?: Clock
  /** Makes request ids; random UUIDs by default. */
  readonly randomId?: () => string
  /** Answer 500 to whatever breaks the contract, our own fault. For tests and development. */
  readonly validateResponses: boolean
  /** Where requests are served, so many at once. */
  readonly rooms: Rooms
  readonly observe: ObserveEdge
  /** Runs a request within its trace; left out where no trace is passed on. */
  readonly tracing?: { run(trace: Trace, work: () => Promise<unknown>): Promise<unknown> }
  /** Counts together with other processes; null, the default: in this one alone. */
  readonly sharedCounts?: SharedCounts | null
  /** Headers of every response beside the usual ones, such as service-network. */
  readonly headers?: ExtraHeaders
  /** The address under which clients reach the service, such as `https://swaps.example`; null, the default: not known. */
  readonly publicUrl?: string | null
  /** Loads the pages of `/docs`; default: the installed ones. */
  readonly loadPages?: LoadPages
}

/** The HTTP edge of an engine, not listening yet. Throws RangeError when a trusted proxy is no address. */
export const createApp = (engine: Engine, options: AppOptions): Koa<RequestState> => {
  const { observe, clock = systemClock, headers = {}, randomId = randomUUID, sharedCounts = null, publicUrl = null } = options
  const contract = readContract()
  const rateCounter = createRateCounter(sharedCounts)
  const rooms = createPaymentRooms(rateCounter, sharedCounts)
  const paidServe = createPaidServe(engine.paidCalls, rooms)
  const handlers = createHandlers(publicUrl)
  const backend = createBackend(contract, { handlers, engine, limits: createOperationLimits(rateCounter), paidServe })
  const clientAddress = createClientAddress(options.trustedProxies)
  const limitsOf = createCallerLimits(clientAddress, options.keysPerAddressPerMinute)
  const app = new Koa<RequestState>()

  app.use(respond(backend.table, { clock, randomId, headers }))
  app.use(requestLog(observe, clock))
  const { tracing } = options
  if (tracing) app.use((ctx, next) => (ctx.state.trace ? tracing.run(ctx.state.trace, next) : next()))
  if (options.validateResponses) app.use(responseCheck(observe, baseHeaders(headers)))
  app.use(errorResponse(observe))
  app.use(cors())
  app.use(admission(options.rooms, clientAddress))
  app.use(docs(engine, clientAddress, rateCounter, options.loadPages))
  app.use(logos(clientAddress, rateCounter))
  app.use(caller(engine))
  app.use(rateLimit(limitsOf, rateCounter, createProxyWatch(createSocketNetwork(options.trustedProxies), observe)))
  app.use(paymentGate(engine, { limitsOf, counter: rateCounter, rooms, describe: createCallDescriptions(contract) }))
  app.use(jsonBody())
  app.use(dispatch(backend))
  app.use(openapiJson(contract.bytes))
  app.use(() => {
    throw notFound()
  })

  // What reaches this is a broken socket: every failure with somebody to answer to was answered above.
  app.on('error', (error: Error) => observe({ event: 'connection.failed', reason: error.message }))
  return app
}
