import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { dereference, type LocatedOperation } from '../../scripts/contract/document.ts'
import { contract, documentedOperations } from '../support/documentedOperations.ts'
import { listening } from '../support/listening.ts'

/** An answer, taken apart so that it can be spoiled. */
export type Spoilable = {
  readonly located: LocatedOperation
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  text: string
}

/** Spoils one answer in place; false where it has nothing to spoil in that way. */
export type Corruption = (answer: Spoilable) => boolean

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the answer is about: `data`, the first of a list, or `error`. */
const subjectOf = (body: Json): Json | null => {
  const data = Array.isArray(body['data']) ? body['data'][0] : body['data']
  return [data, body['error']].find(isObject) ?? null
}

const spoilBody =
  (spoil: (subject: Json, body: Json, answer: Spoilable) => boolean): Corruption =>
  (answer) => {
    const body = JSON.parse(answer.text) as Json
    const subject = subjectOf(body)
    if (!subject || !spoil(subject, body, answer)) return false
    answer.text = JSON.stringify(body)
    return true
  }

const spoilField = (spoil: (value: unknown) => unknown, names: readonly string[]): Corruption =>
  spoilBody((subject) => {
    const name = names.find((candidate) => candidate in subject)
    if (name === undefined) return false
    subject[name] = spoil(subject[name])
    return true
  })

type DocumentedHeader = { readonly required?: boolean }

/** Headers may be sent where the document does not ask for them; those are nobody's loss. */
const documentedHeader = ({ located, status }: Spoilable, name: string): DocumentedHeader | null => {
  const response = located.operation.responses[String(status)]
  const documented = Object.entries((response && dereference(contract, response).headers) ?? {})
  const found = documented.find(([header]) => header.toLowerCase() === name)
  return found ? dereference(contract, found[1] as DocumentedHeader) : null
}

const dropHeader =
  (name: string): Corruption =>
  (answer) => {
    delete answer.headers[name]
    return documentedHeader(answer, name)?.required ?? false
  }

const setHeader =
  (name: string, value: string): Corruption =>
  (answer) => {
    answer.headers[name] = value
    return documentedHeader(answer, name) !== null
  }

const setContentType =
  (value: string): Corruption =>
  ({ headers }) => {
    headers['content-type'] = value
    return true
  }

/** Required in every success or failure. */
const ALWAYS_THERE = ['quoteToken', 'executionType', 'statusRef', 'venue', 'token', 'chainId', 'venues', 'code']
const ENUMERATED = ['routeType', 'executionType', 'status', 'code']
const EXECUTION_TYPES = ['TRANSACTION', 'SIGNATURE', 'DEPOSIT']

/** Every way in which an answer is spoiled, in the words of a report. */
export const CORRUPTIONS: { readonly [name: string]: Corruption } = {
  'a required field is missing': spoilBody((subject) => {
    const name = ALWAYS_THERE.find((candidate) => candidate in subject)
    if (name !== undefined) delete subject[name]
    return name !== undefined
  }),
  'a field has another type': spoilField(
    () => 12,
    ['quoteToken', 'executionType', 'statusRef', 'status', 'token', 'name', 'code'],
  ),
  'a field is null': spoilField(() => null, ALWAYS_THERE),
  'a field is not documented': spoilBody((subject) => {
    subject['surprise'] = true
    return true
  }),
  'a value is outside its enumeration': spoilField(() => 'SOMETHING_ELSE', ENUMERATED),
  'an amount has a leading zero': spoilBody(({ input, deposit }) => {
    const holder = [input, deposit].find(isObject)
    if (holder) holder['amount'] = `0${holder['amount']}`
    return holder !== undefined
  }),
  'executionType has another value': spoilField((type) => EXECUTION_TYPES.find((other) => other !== type), ['executionType']),
  'meta is missing': spoilBody((_subject, body) => delete body['meta']),
  'meta has another request id': spoilBody((_subject, { meta }) => {
    if (isObject(meta)) meta['requestId'] = 'somebody-elses'
    return isObject(meta)
  }),
  'the status is replaced by another documented one': (answer) => {
    const others = Object.keys(answer.located.operation.responses).filter((status) => Number(status) !== answer.status)
    if (others[0] === undefined) return false
    answer.status = Number(others[0])
    return true
  },
  'the status is not documented': (answer) => {
    answer.status = 418
    return true
  },
  'the content type has a charset': setContentType('application/json; charset=utf-8'),
  'the content type is HTML': setContentType('text/html'),
  'the body is not JSON': (answer) => {
    answer.text = `${answer.text}<!-- cache -->`
    return true
  },
  'x-request-id is missing': dropHeader('x-request-id'),
  'service-version is malformed': setHeader('service-version', 'v2'),
  'RateLimit is missing': dropHeader('ratelimit'),
  'PAYMENT-RESPONSE is missing': dropHeader('payment-response'),
  'PAYMENT-REQUIRED is missing': dropHeader('payment-required'),
  'RateLimit-Policy is malformed': setHeader('ratelimit-policy', 'generous'),
  'Retry-After is not a number': setHeader('retry-after', 'soon'),
}

type Running = { readonly url: string; close(): Promise<void> }

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const listen = async (handle: Handle): Promise<Running> => {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  return listening(server)
}

const answerWith = (outgoing: ServerResponse, { status, headers, text }: Spoilable): void => {
  outgoing.writeHead(status, headers)
  outgoing.end(text)
}

const HOP_BY_HOP = ['content-length', 'connection', 'keep-alive', 'transfer-encoding']

const forward = (origin: string, incoming: IncomingMessage, located: LocatedOperation): Promise<Spoilable> =>
  new Promise((resolve, reject) => {
    const options = { method: incoming.method ?? 'GET', headers: incoming.headers }
    const outgoing = request(`${origin}${incoming.url}`, options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
      for (const name of HOP_BY_HOP) delete headers[name]
      resolve({ located, status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() })
    })
    outgoing.once('error', reject)
    incoming.pipe(outgoing)
  })

/** A proxy that changes nothing and remembers every answer, in order. */
export type Recorder = Running & { readonly answers: readonly Spoilable[] }

export const startRecorder = async (origin: string): Promise<Recorder> => {
  const answers: Spoilable[] = []
  const running = await listen(async (incoming, outgoing) => {
    const located = documentedOperations.find(incoming.method ?? '', incoming.url?.split('?', 1)[0] ?? '')
    if (!located) throw new Error(`${incoming.method} ${incoming.url} is not documented`)
    const answer = await forward(origin, incoming, located)
    answers.push(answer)
    answerWith(outgoing, answer)
  })
  return { ...running, answers }
}

/** A server that gives the honest answers of a service again, in the same order, and spoils them on the way out. */
export type BrokenServer = Running & {
  /** For every answer given, whether it was spoiled. */
  readonly spoiled: readonly boolean[]
}

export const startBrokenServer = async (answers: readonly Spoilable[], corruption: Corruption): Promise<BrokenServer> => {
  const spoiled: boolean[] = []
  const running = await listen(async (incoming, outgoing) => {
    const honest = answers[spoiled.length]
    if (!honest) throw new Error('more was asked than was recorded')
    const answer = { ...honest, headers: { ...honest.headers } }
    spoiled.push(corruption(answer))
    // The request is read to its end, or a large one would be reset.
    incoming.resume().once('end', () => answerWith(outgoing, answer))
  })
  return { ...running, spoiled }
}
