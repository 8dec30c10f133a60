import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LoopbackServer = { readonly origin: string; close(): Promise<void> }

/** A request with its body read. */
export type LoopbackRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string | undefined }
  readonly rawBody: string
}

/** Writes the answer itself; what it throws becomes a 500. */
export type LoopbackHandler = (request: LoopbackRequest, response: ServerResponse) => Promise<void>

/** The port asked for is taken. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'
  readonly port: number
  constructor(port: number, cause?: unknown) {
    super(`port ${port} on 127.0.0.1 is in use`, { cause })
    this.port = port
  }
}

const BODY_BYTES_MAX = 1024 * 1024

class BodyTooLarge extends Error {}

/** Nobody can tell whom or what it is for. */
class Ambiguous extends Error {}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) throw new BodyTooLarge(`the body is larger than ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A target that names a host would stand above the Host header, by which callers are told apart. https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
const targetOf = ({ url: target = '/', headersDistinct }: IncomingMessage): URL => {
  if ((headersDistinct['host']?.length ?? 0) > 1) throw new Ambiguous('there is more than one host')
  if (!target.startsWith('/')) throw new Ambiguous('the target must be a path')
  return new URL(`http://simnet${target}`)
}

const toRequest = async (request: IncomingMessage): Promise<LoopbackRequest> => ({
  method: request.method ?? 'GET',
  url: targetOf(request),
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()])),
  rawBody: await readBody(request),
})

/** Every answer of the offline network says that it is one. */
export const NETWORK_HEADER = { 'service-network': 'simnet' }

export const writeJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { ...NETWORK_HEADER, 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const fail = (response: ServerResponse, error: unknown): void => {
  if (response.headersSent || response.destroyed) response.destroy()
  else if (error instanceof BodyTooLarge) writeJson(response, 413, { error: error.message })
  else if (error instanceof Ambiguous) writeJson(response, 400, { error: error.message })
  else writeJson(response, 500, { error: `simulator error: ${error instanceof Error ? error.message : String(error)}` })
}

/** Undefined when the text is not JSON; an empty text is not. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An HTTP server on loopback; port 0 takes a free one. Throws PortInUseError. */
export const startLoopbackServer = async (handle: LoopbackHandler, port = 0): Promise<LoopbackServer> => {
  const server = createServer((request, response) => {
    toRequest(request)
      .then((read) => handle(read, response))
      .catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, error) : error),
    )
    server.listen(port, '127.0.0.1', () => resolve())
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
