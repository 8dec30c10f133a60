import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import { makeCertificate } from '../client/certificate.ts'

/** A public address that is never connected to: the preload leads it to this machine. */
const PUBLIC = '8.8.8.8'

export type Delivered = { readonly path: string; readonly signature: string; readonly body: string; readonly answered: number }

/** The servers of all partners: what came, told apart by the path. */
export type Receiver = {
  readonly certificate: string
  urlOf(partner: string): string
  readonly delivered: readonly Delivered[]
  close(): Promise<void>
}

export const isSignedBy = (secret: string, { signature, body }: Delivered): boolean =>
  signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const ANSWERS = [200, 204, 204, 204, 302, 500]
const PAUSE_MS_MAX = 60

export const startReceiver = async (random: SimRandom): Promise<Receiver> => {
  const certificate = makeCertificate('127.0.0.1', PUBLIC)
  const delivered: Delivered[] = []
  const server = createServer(certificate, async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      // Killed while it sent: nobody can make anything of it.
      return
    }
    const answered = ANSWERS[random.integer(ANSWERS.length)] ?? 204
    delivered.push({ path: request.url ?? '', signature: String(request.headers['x-service-signature']), body, answered })
    await sleep(random.integer(PAUSE_MS_MAX))
    response.writeHead(answered).end()
  })
  server.on('clientError', (_error, socket) => void socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    certificate: certificate.cert,
    urlOf: (partner) => `https://${PUBLIC}:${port}/${partner}`,
    delivered,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
