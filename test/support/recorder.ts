import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { documentedOperations } from './documentedOperations.ts'
import { listening } from './listening.ts'
import type { RecordedAnswer } from './prism.ts'
import { shapeOf } from './shape.ts'

/** Stands in front of a service, changes nothing, and keeps one answer of every shape to documented operations. */
export type Recorder = {
  readonly url: string
  close(): Promise<void>
}

/** An answer, and what makes it like another: its operation and status, and the shapes of what was asked and answered. */
export type Exchange = { readonly shape: string; readonly answer: RecordedAnswer }

type Upstream = { readonly status: number; readonly rawHeaders: readonly string[]; readonly body: Buffer }

const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const forward = (origin: string, incoming: IncomingMessage): Promise<Upstream> =>
  new Promise((resolve, reject) => {
    const options = { method: incoming.method ?? 'GET', headers: incoming.rawHeaders, agent: false as const }
    const outgoing = request(`${origin}${incoming.url}`, options, (response) => {
      const { statusCode: status = 0, rawHeaders } = response
      readAll(response).then((body) => resolve({ status, rawHeaders, body }), reject)
    })
    outgoing.once('error', reject)
    incoming.pipe(outgoing)
  })

const relay = (response: ServerResponse, { status, rawHeaders, body }: Upstream): void => {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) response.appendHeader(name, value)
  }
  response.writeHead(status)
  response.end(body)
}

const exchangeOf = (operationId: string, question: string, { status, rawHeaders, body }: Upstream): Exchange => {
  const answer = { operationId, status, rawHeaders, body: body.toString() }
  const headers = rawHeaders.map((value, i) => (i % 2 === 0 ? value.toLowerCase() : shapeOf(value))).join(' ')
  return { shape: `${operationId} ${status} ${shapeOf(question)} ${headers} ${shapeOf(answer.body)}`, answer }
}

/** Appends what is new to a file, a JSON line each. */
export const startRecorder = async (origin: string, file: string): Promise<Recorder> => {
  const known = new Set<string>()
  const record = (exchange: Exchange): void => {
    if (known.has(exchange.shape)) return
    known.add(exchange.shape)
    appendFileSync(file, `${JSON.stringify(exchange)}\n`)
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => asked.push(chunk))
    const answer = await forward(origin, incoming)
    const [path = '', query = ''] = incoming.url?.split('?', 2) ?? []
    const located = documentedOperations.find(incoming.method ?? '', path)
    if (located) record(exchangeOf(located.operation.operationId, `${query}${Buffer.concat(asked)}`, answer))
    relay(response, answer)
  }
  const server = createServer((incoming, response) => {
    // A connection the service cut is cut for its client too.
    handle(incoming, response).catch(() => response.destroy())
  })
  return listening(server)
}
