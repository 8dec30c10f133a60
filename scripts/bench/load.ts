import autocannon from 'autocannon'
import type { Child } from './children.ts'
import type { Usage } from './servers/parent.ts'

/** What a server did in one slice. */
export type Slice = {
  /** Requests per second of the processor time it used: comparable whatever else the machine was busy with. */
  readonly perCoreSecond: number
  /** Requests per second by the clock. */
  readonly perSecond: number
}

export type LoadRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** Beside the content type of a body. */
  readonly headers?: { readonly [name: string]: string }
  /** Of each request by itself. */
  readonly headersOf?: () => { readonly [name: string]: string }
  /** What every answer must be; left out: a success. */
  readonly status?: number
}

const CONNECTIONS = 64
/** What the client itself calls late when the machine gives it no time is not the server's. */
const TIMEOUT_SECONDS = 60
/** How often the load generator sees whether it is done. */
const CLOCK_LOOK_MS = 20
/** V8 needs so many requests until it has compiled what runs, however long a busy machine takes for them. */
const WARM_UP_REQUESTS = 8_000
const WARM_UP_SLICES = 2
const WARM_UP_SECONDS_MIN = 0.7

type Extent = { readonly duration: number } | { readonly amount: number }

/** Throws when any answer was not as it must be: a failing server must not look fast. */
const send = async (
  server: Child,
  { method, path, body, headers = {}, headersOf, status }: LoadRequest,
  extent: Extent,
): Promise<number> => {
  const result = await autocannon({
    url: `${server.ready}${path}`,
    method,
    connections: CONNECTIONS,
    sampleInt: CLOCK_LOOK_MS,
    timeout: TIMEOUT_SECONDS,
    ...extent,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(headersOf && {
      requests: [{ setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...headersOf() } }) }],
    }),
  })
  const answers = result['2xx'] + result.non2xx
  const answered = status === undefined ? result['2xx'] : (result.statusCodeStats?.[`${status}`]?.count ?? 0)
  const failed = answers - answered + result.errors
  if (failed > 0) throw new Error(`${method} ${path}: ${failed} of ${failed + answered} requests failed`)
  if (answered === 0) throw new Error(`${method} ${path}: no request was answered in time`)
  return answered
}

/** Sends so many requests, some at a time, and waits for all answers. */
export const sendMany = (server: Child, request: LoadRequest, amount: number): Promise<number> =>
  send(server, request, { amount })

/**
 * Loads one server, again at each call. The first call goes by time, warms the server up, and finds out how many
 * requests that makes; the later ones send as many and wait for every answer, so that no work is done that is not
 * counted.
 */
export const createLoad = (server: Child, request: LoadRequest, seconds: number): (() => Promise<Slice>) => {
  const warmUpSeconds = Math.max(seconds * WARM_UP_SLICES, WARM_UP_SECONDS_MIN)
  const warmUpRequests = Math.round(WARM_UP_REQUESTS * Math.min(seconds, 1))
  let amount: number | null = null
  return async () => {
    const before = await server.ask<Usage>('usage')
    const answered = await send(server, request, amount === null ? { duration: warmUpSeconds } : { amount })
    const after = await server.ask<Usage>('usage')
    if (amount === null && answered < warmUpRequests) await send(server, request, { amount: warmUpRequests - answered })
    amount ??= Math.max(Math.round((answered * seconds) / warmUpSeconds), Math.round(warmUpRequests / 4))
    return {
      perCoreSecond: (answered * 1_000) / (after.cpuMs - before.cpuMs),
      perSecond: (answered * 1_000) / (after.atMs - before.atMs),
    }
  }
}
