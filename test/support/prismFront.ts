import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { documentedOperations } from './documentedOperations.ts'

/** An answer on its way to a client, as it was sent. */
export type RecordedAnswer = {
  readonly operationId: string
  readonly status: number
  /** Name, value, name, value: order, spelling and repetition kept. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** Stands in front of a service and lets only answers through that Prism finds as documented. */
export type PrismFront = {
  readonly url: string
  /** What broke the contract so far, one line each. */
  readonly violations: readonly string[]
  close(): Promise<void>
}

type Upstream = { readonly status: number; readonly rawHeaders: readonly string[]; readonly body: Buffer }

const forward = (origin: string, incoming: IncomingMessage): Promise<Upstream> =>
  new Promise((resolve, reject) => {
    const options = { method: incoming.method ?? 'GET', headers: incoming.rawHeaders, agent: false as const }
    const outgoing = request(`${origin}${incoming.url}`, options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) })
    })
    outgoing.once('error', reject)
    incoming.pipe(outgoing)
  })

/** Asks the gateway of test/viaPrism.ts; null when the answer is as documented, else what is wrong with it. */
const askPrism = async (gateway: string, answer: RecordedAnswer): Promise<string | null> => {
  const response = await fetch(gateway, { method: 'POST', body: JSON.stringify(answer) })
  if (!response.ok) throw new Error(`the Prism gateway answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { violation: string | null }).violation
}

const relay = (response: ServerResponse, { status, rawHeaders, body }: Upstream): void => {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) response.appendHeader(name, value)
  }
  response.writeHead(status)
  response.end(body)
}

export const startPrismFront = async (origin: string, gateway: string): Promise<PrismFront> => {
  const violations: string[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await forward(origin, incoming)
    const path = incoming.url?.split('?', 1)[0] ?? ''
    const located = documentedOperations.find(incoming.method ?? '', path)
    if (!located) return relay(response, answer)
    const { operationId } = located.operation
    const recorded = { operationId, status: answer.status, rawHeaders: answer.rawHeaders, body: answer.body.toString() }
    // Not being able to ask is no pass.
    const violation = await askPrism(gateway, recorded).catch((error: unknown) => String(error))
    if (violation === null) return relay(response, answer)
    const text = `${operationId} ${answer.status}: ${violation}`
    violations.push(text)
    response.writeHead(500, { 'content-type': 'text/plain' })
    response.end(`Prism: ${text}`)
  }
  const server = createServer((incoming, response) => {
    // A connection the service cut is cut for its client too.
    handle(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, violations, close }
}
