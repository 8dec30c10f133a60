import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import { startHookTarget } from '../../test/support/hookTarget.ts'
import { listening } from '../../test/support/listening.ts'
import { makeCertificate } from '../client/certificate.ts'

/** A request that changes something at a venue or on a chain; `status` is null until it is answered. */
export type Post = { readonly body: string; status: number | null }

/** Stands between the service and one host, and records the posts that `isCounted` selects. */
export const startCountingProxy = async (target: string, isCounted: (path: string, body: string) => boolean, mount = '') => {
  const posts: Post[] = []
  const base = target.replace(/\/$/, '')
  const server = createServer(async (request, response) => {
    try {
      const sent = await buffer(request)
      const path = (request.url ?? '/').slice(mount.length)
      const { method = 'GET' } = request
      const post: Post = { body: sent.toString(), status: null }
      if (method === 'POST' && isCounted(path, post.body)) posts.push(post)
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
      const init = { method, headers: headers as Record<string, string>, ...(sent.length > 0 && { body: sent }) }
      const answer = await fetch(`${base}${path}`, init)
      const answered = Buffer.from(await answer.arrayBuffer())
      post.status = answer.status
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(answered)
    } catch {
      response.destroy()
    }
  })
  const { url, close } = await listening(server)
  return { url: `${url}${mount}`, posts: posts as readonly Post[], close }
}

/** A public address. The preload connects to this machine instead. */
const PUBLIC = '8.8.8.8'
const ANSWERS = [200, 204, 204, 204, 302, 500]
const PAUSE_MS_MAX = 60

/** A webhook that arrived at a partner's path, and the status that it was answered with. */
export type Delivered = { readonly path: string; readonly signature: string; readonly body: string; readonly answered: number }

/** The webhook targets of all partners, each at a path of its own. */
export const startReceiver = async (random: SimRandom) => {
  const certificate = makeCertificate('127.0.0.1', PUBLIC)
  const delivered: Delivered[] = []
  const { port, close } = await startHookTarget({
    certificate,
    answer: (response, { path, headers, body }) => {
      const answered = ANSWERS[random.integer(ANSWERS.length)] ?? 204
      delivered.push({ path, signature: String(headers['x-service-signature']), body: body.toString(), answered })
      setTimeout(() => response.writeHead(answered).end(), random.integer(PAUSE_MS_MAX))
    },
  })
  const urlOf = (partner: string) => `https://${PUBLIC}:${port}/${partner}`
  return { certificate: certificate.cert, urlOf, delivered: delivered as readonly Delivered[], close }
}
