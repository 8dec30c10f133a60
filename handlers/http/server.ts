import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import { baseHeaders, type ExtraHeaders } from './baseHeaders.ts'
import { createSocketNetwork } from './clientAddress.ts'
import { failureEnvelope } from './envelope.ts'
import type { RequestState } from './requestState.ts'

/** Bounds on the resources of one client. */
export type ServerLimits = {
  /** From the first byte, or from the connection, to the end of the headers. */
  readonly headersTimeoutMs: number
  /** From the first byte to the end of the body. */
  readonly requestTimeoutMs: number
  /** How long a served connection may be idle: a client that does not read is disconnected. */
  readonly stallTimeoutMs: number
  /** How long a connection may idle between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How often the two request timeouts are checked. */
  readonly checkIntervalMs: number
  readonly headerBytesMax: number
  readonly headersMax: number
  readonly connectionsMax: number
  /** From one IPv4 address or IPv6 /64 that is no trusted proxy. */
  readonly connectionsPerAddressMax: number
}

const LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  stallTimeoutMs: 60_000,
  // Longer than the minute of most load balancers, so that they end idle connections, not the server.
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 1_000,
  headerBytesMax: 16 * 1024,
  headersMax: 100,
  connectionsMax: 5_000,
  connectionsPerAddressMax: 256,
}

/** How long a refused client has to send its request and to read the answer. Then the connection closes. */
const LINGER_MS = 1_000

/** Concurrent connections beyond a limit. Further ones are closed at once. */
const REFUSED_MAX = 128

export type ServerOptions = {
  /** The same as for the app: requests that never reach it get the same headers. */
  readonly headers?: ExtraHeaders
  readonly observe?: ObserveEdge
  readonly randomId?: () => string
  readonly limits?: Partial<ServerLimits>
  /** Addresses or CIDR ranges with unlimited connections. */
  readonly trustedProxies?: readonly string[]
}

type Refusal = { readonly status: number; readonly message: string; readonly retryAfterSec?: number }

const BAD_REQUEST: Refusal = { status: 400, message: 'The request is not valid HTTP/1.1.' }
const REFUSALS: { readonly [code: string]: Refusal } = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const NO_HOST: Refusal = { status: 400, message: 'The Host header is missing.' }
const TWO_HOSTS: Refusal = { status: 400, message: 'There must be one Host header only.' }
const NO_TUNNEL: Refusal = { status: 400, message: 'This server is no proxy.' }
const UNKNOWN_EXPECTATION: Refusal = { status: 417, message: 'The Expect header asks for what this server does not do.' }
const TOO_MANY = 'Too many connections are open. Keep fewer, and repeat the same request after the given seconds.'

type Answer = Refusal & { readonly body: string; readonly headers: readonly string[] }

/** The problem of the Host header (RFC 9112, 3.2), or null. Node silently uses the first of two. */
const hostProblem = ({ headers, httpVersion, rawHeaders }: IncomingMessage): Refusal | null => {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : null
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? TWO_HOSTS : null
}

/** The same envelope and headers as for other failures, for requests that the app never receives. */
const createRefuser = ({ headers, observe, randomId = randomUUID }: ServerOptions): ((refusal: Refusal) => Answer) => {
  const always = baseHeaders(headers)
  return ({ status, message, retryAfterSec }) => {
    const requestId = randomId()
    const details = retryAfterSec === undefined ? null : { retryAfterSec, retryable: true }
    const body = failureEnvelope(requestId, { code: details ? 'OVERLOADED' : 'INVALID_REQUEST', message, details })
    if (!details) observe?.({ event: 'request.refused', requestId, status, reason: message })
    const length = String(Buffer.byteLength(body))
    const own = [
      'x-request-id',
      requestId,
      'cache-control',
      'no-store',
      'content-type',
      'application/json',
      'content-length',
      length,
      ...(details ? ['retry-after', String(retryAfterSec)] : []),
    ]
    return { status, message, body, headers: [...own, 'connection', 'close', ...always] }
  }
}

const toBytes = ({ status, headers, body }: Answer): string => {
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}`] : []))
  const date = `date: ${new Date().toUTCString()}`
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, date, ...lines, '', body].join('\r\n')
}

const send = (res: ServerResponse, { status, headers, body }: Answer): void => {
  res.writeHead(status, [...headers])
  res.end(body)
}

/** Ends the connection, whatever the client does. */
const endSoon = (socket: Duplex, last = ''): void => {
  socket.end(last)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Answers a request on a connection beyond a limit at its headers, and reads further data: else the answer becomes a reset. */
const refuseOverload = ({ method, socket }: IncomingMessage, refuse: (refusal: Refusal) => Answer): void => {
  // Spreads the retries of clients that were refused together.
  const answer = refuse({ status: 503, message: TOO_MANY, retryAfterSec: 1 + Math.floor(Math.random() * 3) })
  // A pipelined request finds the connection already answered.
  if (socket.writable) endSoon(socket, toBytes(method === 'HEAD' ? { ...answer, body: '' } : answer))
}

/** Answers a request that the parser rejected, once per connection. It then ends the connection, whatever the client does. */
const refuseBrokenRequests = (server: Server, refuse: (refusal: Refusal) => Answer): void => {
  const refused = new WeakSet<Duplex>()
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => answering.set(socket, res))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const current = answering.get(socket)
    if (error.code !== 'ECONNRESET' && socket.writable && current?.req.complete && !current.writableFinished) {
      // An earlier complete request is in progress, and a refusal now would look like its answer.
      current.shouldKeepAlive = false
      current.once('finish', () => endSoon(socket))
      return
    }
    // A part of an answer was sent, or all of it before the end of its request: a second answer would confuse the client.
    const isAnswered = current?.headersSent && !(current.writableFinished && current.req.complete)
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
      socket.destroy()
      return
    }
    endSoon(socket, toBytes(refuse(REFUSALS[error.code ?? ''] ?? BAD_REQUEST)))
  })
}

/** Limits connections, so that no address can exclude the others. Returns those beyond a limit. */
const limitConnections = (
  server: Server,
  { connectionsMax, connectionsPerAddressMax }: ServerLimits,
  { trustedProxies = [], observe }: ServerOptions,
): ReadonlySet<Duplex> => {
  const networkOf = createSocketNetwork(trustedProxies)
  const [served, refused] = [new Set<Duplex>(), new Set<Duplex>()]
  const servedOf = new Map<string | null, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress)
    const change = (by: 1 | -1) => servedOf.set(network, (servedOf.get(network) ?? 0) + by).get(network)
    const isCrowded = network !== null && (servedOf.get(network) ?? 0) >= connectionsPerAddressMax
    if (!isCrowded && served.size < connectionsMax) {
      served.add(socket)
      change(1)
      socket.once('close', () => served.delete(socket) && change(-1) === 0 && servedOf.delete(network))
      return
    }
    const reason = isCrowded ? `more than ${connectionsPerAddressMax} from one address` : `more than ${connectionsMax}`
    observe?.({ event: 'connections.refused', limit: isCrowded ? 'address' : 'all', reason })
    if (refused.size >= REFUSED_MAX) return void socket.destroy()
    refused.add(socket)
    socket.once('close', () => refused.delete(socket))
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
  return refused
}

/**
 * An HTTP server around the app, not listening yet. It bounds slow, idle, endless and malformed clients. Every failure that can
 * still be answered gets the failure envelope and the headers of every response.
 */
export const createServer = (app: Koa<RequestState>, options: ServerOptions = {}): Server => {
  const limits = { ...LIMITS, ...options.limits }
  const refuse = createRefuser(options)
  const handle = app.callback()
  const server = createHttpServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: limits.headerBytesMax,
    // Checked below: Node's own answer would lack our headers.
    requireHostHeader: false,
  })
  server.timeout = limits.stallTimeoutMs
  server.maxHeadersCount = limits.headersMax
  const overLimit = limitConnections(server, limits, options)
  refuseBrokenRequests(server, refuse)
  server.on('request', (req, res) => {
    const problem = hostProblem(req)
    if (overLimit.has(req.socket)) refuseOverload(req.resume(), refuse)
    else if (problem) send(res, refuse(problem))
    else void handle(req, res)
  })
  // A client that sends `Expect: 100-continue` gets the `100 Continue` only once its body is needed.
  server.on('checkContinue', (req, res) => {
    res.setHeader('connection', 'close')
    server.emit('request', req, res)
  })
  // Node would close the connection without an answer.
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined)
    endSoon(socket, toBytes(refuse(NO_TUNNEL)))
  })
  server.on('checkExpectation', (_req, res) => send(res, refuse(UNKNOWN_EXPECTATION)))
  return server
}
