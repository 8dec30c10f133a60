import type { Server, ServerResponse } from 'node:http'

/** Time limit of the whole drain, ms. */
const DRAIN_MS = 10_000

/** Interval at which idle connections are closed, ms. */
const IDLE_CHECK_MS = 50

/** The maximum wait for a moment without new connections, and the length of the moment, ms. Requests are held meanwhile. */
const CONNECTING_MS = 250
const QUIET_MS = 20

export type DrainOptions = {
  /**
   * How long the server still accepts connections, ms, so that every client receives `connection: close` first. Skipped without
   * open connections.
   */
  readonly graceMs: number
}

const afterPoll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Listener = (...args: unknown[]) => void

/** Holds requests until the returned function is called. */
const holdRequests = (server: Server): (() => void) => {
  const listeners = server.rawListeners('request') as Listener[]
  const held: unknown[][] = []
  server.removeAllListeners('request')
  server.on('request', (...args) => held.push(args))
  return () => {
    server.removeAllListeners('request')
    for (const listener of listeners) server.on('request', listener)
    for (const args of held) server.emit('request', ...args)
  }
}

/** Waits for a moment without new connections, at most `CONNECTING_MS`. */
const passConnecting = async (server: Server): Promise<void> => {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  const until = performance.now() + CONNECTING_MS
  for (let before = -1; before !== accepted && performance.now() < until; ) {
    before = accepted
    await pause(QUIET_MS)
    await afterPoll()
  }
  server.off('connection', count)
}

const closeServer = (server: Server, limitMs: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
    const limit = setTimeout(() => server.closeAllConnections(), limitMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(limit)
      resolve()
    })
    server.closeIdleConnections()
  })

/**
 * Prepares a server for shutdown, which the returned function starts. From then on every answer carries `connection: close`, also
 * to requests under way. After the grace the server accepts no connections, and answers the requests that it has.
 */
export const createDrain = (server: Server): ((options: DrainOptions) => Promise<void>) => {
  const underWay = new Set<ServerResponse>()
  let isEnding = false
  const sendClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    if (isEnding) sendClose(response)
  })
  return async ({ graceMs }) => {
    const startedAt = performance.now()
    isEnding = true
    for (const response of underWay) sendClose(response)
    await afterPoll()
    if ((await countConnections(server)) > 0) await pause(graceMs)
    // Closing the server resets connections that wait to be accepted. A client that has its answer may connect again at once.
    const release = holdRequests(server)
    await passConnecting(server)
    const closed = closeServer(server, DRAIN_MS - (performance.now() - startedAt))
    release()
    await closed
  }
}
