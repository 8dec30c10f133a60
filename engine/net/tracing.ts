import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Trace, traceparentOf } from '../core/trace.ts'
import type { HttpClient } from './httpClient.ts'

/** Passes the trace of a request on to the operator's own hosts only. */
export interface Tracing {
  /** Requests to those hosts carry the trace during the work. Work that requests share carries the trace of the first. */
  run<T>(trace: Trace, work: () => T): T
  /** The same client, with the header for those hosts. */
  over(http: HttpClient): HttpClient
}

const newSpanId = (): string => randomBytes(8).toString('hex')

/** `origins`: such as https://facilitator.example. */
export const createTracing = (origins: readonly string[], newId: () => string = newSpanId): Tracing => {
  const own = new Set(origins)
  const traces = new AsyncLocalStorage<Trace>()
  return {
    run: (trace, work) => traces.run(trace, work),
    over: (http) => ({
      send: (request) => {
        const trace = traces.getStore()
        const isOwn = trace !== undefined && own.has(new URL(request.url).origin)
        if (!isOwn) return http.send(request)
        return http.send({ ...request, headers: { ...request.headers, traceparent: traceparentOf(trace, newId()) } })
      },
      close: () => http.close(),
    }),
  }
}
