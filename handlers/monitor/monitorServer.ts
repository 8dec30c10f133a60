import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What the operator's side is told. Neither call may take long: whoever asks asks often. */
export type MonitorPorts = {
  /** As it is known now. */
  isReady(): { readonly ready: boolean; readonly reasons: readonly string[] }
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Few ask, and one that keeps asking must not cost the service its sockets. */
const CONNECTIONS_MAX = 64
/** For a request to arrive, and for its answer to be taken. */
const REQUEST_MS = 5_000
const CHECK_MS = 1_000
const METRICS_MS = 5_000

const JSON_TYPE = 'application/json'

type Answer = { readonly status: number; readonly contentType: string; readonly text: string }

const inJson = (status: number, told: object): Answer => ({ status, contentType: JSON_TYPE, text: `${JSON.stringify(told)}\n` })

const NOT_FOUND = inJson(404, { error: 'not found' })

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
    return { status: 200, ...(await metrics()) }
  } catch {
    return inJson(500, { error: 'metrics could not be gathered' })
  }
}

const answerTo = async ({ method, url = '' }: IncomingMessage, ports: MonitorPorts): Promise<Answer> => {
  if (method !== 'GET' && method !== 'HEAD') return NOT_FOUND
  const [path] = url.split('?')
  if (path === '/live') return inJson(200, { live: true })
  if (path === '/metrics') return tellMetrics(ports)
  if (path !== '/ready') return NOT_FOUND
  const { ready, reasons } = ports.isReady()
  return inJson(ready ? 200 : 503, { ready, reasons })
}

const write = (response: ServerResponse, { status, contentType, text }: Answer, isHead: boolean): void => {
  const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(isHead ? undefined : text)
}

/** One gathering at a time, for all who ask meanwhile: those who ask without end must not have the processor of those who are served. */
const gatherOnce = (gather: MonitorPorts['metrics']): MonitorPorts['metrics'] => {
  let underWay: ReturnType<MonitorPorts['metrics']> | null = null
  return () => {
    underWay ??= withinLimit(gather()).finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** The oldest connection makes room for one more: whoever takes all of them and keeps them hides nothing from a probe that comes after. */
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
 * Liveness, readiness and metrics, for the operator: on a port of its own, so that it answers before the service listens,
 * while it drains, and however many callers there are.
 */
export const createMonitorServer = ({ isReady, metrics }: MonitorPorts): Server => {
  const ports = { isReady, metrics: gatherOnce(metrics) }
  const bounds = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS }
  const server = createServer(bounds, (request, response) => {
    request.resume()
    answerTo(request, ports).then(
      (answer) => write(response, answer, request.method === 'HEAD'),
      () => response.destroy(),
    )
  })
  server.timeout = REQUEST_MS + METRICS_MS
  boundConnections(server)
  return server
}
