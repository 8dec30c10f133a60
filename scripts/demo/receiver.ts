import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../client/certificate.ts'

const HOST = '127.0.0.1'
const WAIT_MS = 15_000

/** What came to a partner's server, as it came. */
export type Received = { readonly signature: string; readonly body: string }

/** A partner's server, as the service reaches it: HTTPS, by a certificate made on the spot that this process trusts. */
export type Receiver = {
  readonly url: string
  /** The first delivery. Rejects when none comes in time. */
  readonly delivered: () => Promise<Received>
  close(): Promise<void>
}

/** Over the raw bytes, in constant time. */
export const isSignedBy = (secret: string, { signature, body }: Received): boolean => {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const told = Buffer.from(signature)
  return told.length === expected.length && timingSafeEqual(told, expected)
}

export const startReceiver = async (): Promise<Receiver> => {
  const certificate = makeCertificate(HOST)
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert])
  const first = Promise.withResolvers<Received>()
  const server = createServer(certificate, async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    first.resolve({ signature: String(request.headers['x-service-signature']), body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const delivered = async (): Promise<Received> => {
    const timer = setTimeout(() => first.reject(new Error('no webhook came')), WAIT_MS)
    try {
      return await first.promise
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    url: `https://${HOST}:${(server.address() as AddressInfo).port}/swap-events`,
    delivered,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
