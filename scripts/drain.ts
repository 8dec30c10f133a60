import type { Server, ServerResponse } from 'node:http'

/** How long all of it may take. */
const DRAIN_MS = 10_000

/** How often connections that have become idle are looked for. */
const IDLE_CHECK_MS = 50

/** How long a moment without new connections is waited for, and requests meanwhile are held. */
const CONNECTING_MS = 250
const QUIET_MS = 20

export type DrainOptions = {
  /**
   * How long connections are still taken, so that every client that is there hears that its own is over before it is.
   * With nobody there it is left out.
   */
  readonly graceMs: number
}

const afterPoll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Listener = (...args: unknown[]) => void

/** Keeps requests from being served, until the function it gives is called. */
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

/** Waits for a moment in which nobody connects. Clients without end are not waited for. */
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
 * Prepares a server for its end, which is then asked for. From that moment every answer says `connection: close`, also to
 * requests that were under way; after the grace nothing new is taken, and what is still asked for is answered.
 */
export const createDrain = (server: Server): ((options: DrainOptions) => Promise<void>) => {
  const underWay = new Set<ServerResponse>()
  let isEnding = false
  const tellEnd = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    if (isEnding) tellEnd(response)
  })
  return async ({ graceMs }) => {
    const startedAt = performance.now()
    isEnding = true
    for (const response of underWay) tellEnd(response)
    await afterPoll()
    if ((await countConnections(server)) > 0) await pause(graceMs)
    // What waits to be accepted when the server is closed is reset, and whoever is answered may connect again at once.
    const release = holdRequests(server)
    await passConnecting(server)
    const closed = closeServer(server, DRAIN_MS - (performance.now() - startedAt))
    release()
    await closed
  }
}
