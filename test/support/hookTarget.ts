import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createTargetPost, type TargetPost, type TargetPostOptions } from '../../engine/net/targetPost.ts'
import { type Certificate, makeCertificate } from '../../scripts/client/certificate.ts'

/** The name that the targets of tests have: no name server knows it. */
export const HOOK_HOST = 'hooks.example'

/** One certificate for all of them, made on the spot. */
export const HOOK_CERTIFICATE: Certificate = makeCertificate(HOOK_HOST)

/** A request as it came: its bytes, and not what a parser makes of them. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The name that was asked for in the TLS handshake. */
  readonly servername: string | false | null
  readonly toAddress: string
}

export type HookTarget = {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** How many connections were opened, whatever came of them. */
  readonly connections: number
  /** Resolves once there are so many requests. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

export type HookTargetOptions = {
  readonly answer?: (response: ServerResponse, request: Received) => void
  readonly address?: string
  readonly port?: number
  readonly certificate?: Certificate
}

const noContent = (response: ServerResponse): void => void response.writeHead(204).end()

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A real HTTPS server that webhooks are delivered to. */
export const startHookTarget = async ({
  answer = noContent,
  address = '127.0.0.1',
  port: wish = 0,
  certificate = HOOK_CERTIFICATE,
}: HookTargetOptions = {}): Promise<HookTarget> => {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  let connections = 0
  const server = createServer(certificate, async (request, response) => {
    // One who is cut off while it sends has sent nothing.
    const body = await readAll(request).catch(() => null)
    if (body === null) return
    const socket = request.socket as typeof request.socket & { readonly servername?: string | false }
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body, servername: socket.servername ?? null, toAddress: socket.localAddress ?? '' }
    received.push(one)
    for (const look of waiting) look()
    answer(response, one)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(wish, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://${HOOK_HOST}:${port}/swaps?of=me`,
    port,
    received,
    get connections() {
      return connections
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length >= count) resolve()
        }
        waiting.push(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Posts to targets on this machine, as if they were public. */
export const postLocally = (options: Partial<TargetPostOptions> = {}): TargetPost =>
  createTargetPost({
    allowPrivate: false,
    mayConnect: () => true,
    resolve: async () => ['127.0.0.1'],
    ca: HOOK_CERTIFICATE.cert,
    ...options,
  })
