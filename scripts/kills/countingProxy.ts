import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that changes something at a venue or on a chain, and what it was answered. */
export type Counted = { readonly method: string; readonly path: string; readonly body: string; status: number | null }

/** Between the service and one host: passes everything on, and notes what was posted. */
export type CountingProxy = { readonly url: string; readonly posts: readonly Counted[]; close(): Promise<void> }

/** `isNoted`: which posts are. */
export const startCountingProxy = async (
  target: string,
  isNoted: (path: string, body: string) => boolean,
  mount = '',
): Promise<CountingProxy> => {
  const posts: Counted[] = []
  const base = target.replace(/\/$/, '')
  const server = createServer(async (request, response) => {
    try {
      const sent = await buffer(request)
      const path = (request.url ?? '/').slice(mount.length)
      const { method = 'GET' } = request
      const body = sent.toString()
      const counted: Counted = { method, path, body, status: null }
      if (method === 'POST' && isNoted(path, body)) posts.push(counted)
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
      const answer = await fetch(`${base}${path === '/' && mount !== '' ? '' : path}`, {
        method,
        headers: headers as Record<string, string>,
        ...(sent.length > 0 && { body: sent }),
      })
      const answered = Buffer.from(await answer.arrayBuffer())
      counted.status = answer.status
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(answered)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount}`,
    posts,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
