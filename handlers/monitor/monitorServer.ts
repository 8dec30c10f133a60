import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'
import type { PageAnswer } from '../../engine/pages/pages.ts'
import { createOperatorPage, type OperatorPage, type OperatorPort, REFUSED, type Told } from './operatorPage.ts'

/** The sources of the monitoring port. Each call must be fast: probes are frequent. */
export type MonitorPorts = {
  /** The readiness at the last check. */
  isReady(): { readonly ready: boolean; readonly reasons: readonly string[] }
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>
  /** Null without a page for a browser. */
  readonly operator?: OperatorPort | null
}

/** There are few clients, and a client that keeps connecting must not use up the sockets of the service. */
const CONNECTIONS_MAX = 64
/** Time limit of a request to arrive, ms. */
const REQUEST_MS = 5_000
const CHECK_MS = 1_000
const METRICS_MS = 5_000
/** The pause after a collection of metrics: a multiple of its duration, at most `REST_MS_MAX`, since it may await the records. */
const REST = 9
const REST_MS_MAX = 100

const JSON_TYPE = 'application/json'

type Headers = { readonly [name: string]: string }
type Answer = { readonly status: number; readonly headers: Headers; readonly body: string | Buffer }

/** Prevents embedding by other sites as a script, an image or a frame. Requests to a plain-HTTP name lack Sec-Fetch headers. */
const CLOSED = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const inText = (status: number, contentType: string, body: string): Answer => ({
  status,
  headers: {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...CLOSED,
  },
  body,
})

const inJson = (status: number, told: object): Answer => inText(status, JSON_TYPE, `${JSON.stringify(told)}\n`)

const NOT_FOUND = inJson(404, { error: 'not found' })
const NO_PAGE = inJson(404, { error: "OPERATOR_PAGE is not set: set OPERATOR_PAGE=true to serve the operator's page here" })

const withinLimit = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), METRICS_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const tellMetrics = async ({ metrics }: MonitorPorts): Promise<Answer> => {
  try {
    const { contentType, text } = await metrics()
    return inText(200, contentType, text)
  } catch {
    return inJson(500, { error: 'metrics could not be gathered' })
  }
}

const shownAs = (shown: PageAnswer | Told | null): Answer => {
  if (shown === null) return NOT_FOUND
  return 'told' in shown ? inJson(shown.status, shown.told) : shown
}

const showPage = async (page: OperatorPage, request: IncomingMessage): Promise<Answer> => {
  try {
    return shownAs(await withinLimit(page.answer(request)))
  } catch {
    return inJson(503, { error: 'this could not be shown in time, or is not installed' })
  }
}

const answerTo = async (request: IncomingMessage, ports: MonitorPorts, page: OperatorPage | null): Promise<Answer> => {
  const { method, url = '' } = request
  if (method !== 'GET' && method !== 'HEAD') return NOT_FOUND
  const [path] = url.split('?')
  if (path === '/live') return inJson(200, { live: true })
  if (path === '/' && page === null) return NO_PAGE
  if (path !== '/metrics' && path !== '/ready') return page === null ? NOT_FOUND : showPage(page, request)
  if (page?.mayRead(request) === false) return shownAs(REFUSED)
  if (path === '/metrics') return tellMetrics(ports)
  const { ready, reasons } = ports.isReady()
  return inJson(ready ? 200 : 503, { ready, reasons })
}

const write = (response: ServerResponse, { status, headers, body }: Answer, isHead: boolean): void => {
  response.writeHead(status, headers).end(isHead ? undefined : body)
}

/** Collects metrics once for all concurrent requests, then pauses: constant scrapes must not take processor time from callers. */
const gatherOnce = (gather: MonitorPorts['metrics']): MonitorPorts['metrics'] => {
  let underWay: ReturnType<MonitorPorts['metrics']> | null = null
  let restUntil = 0
  const gatherRested = async () => {
    const restMs = restUntil - performance.now()
    if (restMs > 0) await rest(restMs)
    const from = performance.now()
    try {
      return await gather()
    } finally {
      const at = performance.now()
      restUntil = at + Math.min((at - from) * REST, REST_MS_MAX)
    }
  }
  return () => {
    underWay ??= withinLimit(gatherRested()).finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** A connection beyond the limit closes the oldest one, so clients that hold all connections cannot block a later probe. */
const boundConnections = (server: Server): void => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    const [oldest] = open
    if (oldest && open.size >= CONNECTIONS_MAX) {
      open.delete(oldest)
      oldest.destroy()
    }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/**
 * Liveness, readiness, metrics and a page that shows them, for the operator. Its own port answers before the service listens,
 * while it drains, and under any load.
 */
export const createMonitorServer = ({ isReady, metrics, operator = null }: MonitorPorts): Server => {
  const ports = { isReady, metrics: gatherOnce(metrics) }
  const page = operator === null ? null : createOperatorPage(operator)
  const bounds = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS }
  const server = createServer(bounds, (request, response) => {
    request.resume()
    answerTo(request, ports, page).then(
      (answer) => write(response, answer, request.method === 'HEAD'),
      () => response.destroy(),
    )
  })
  server.timeout = REQUEST_MS + METRICS_MS
  boundConnections(server)
  return server
}
