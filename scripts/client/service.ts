import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { operations } from '../../generated/api.d.ts'
import { type OpenApiDocument, operationsOf, projectRoot } from '../contract/document.ts'

type OperationId = keyof operations
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never
type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Request } ? JsonOf<Request> : undefined
type ResponsesOf<Id extends OperationId> = operations[Id]['responses']
type SuccessOf<Id extends OperationId> = JsonOf<ResponsesOf<Id>[keyof ResponsesOf<Id> & (200 | 201)]>
type DataOf<Id extends OperationId> = SuccessOf<Id> extends { readonly data: infer Data } ? Data : never

export type Ask = {
  readonly query?: { readonly [name: string]: string | number }
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: unknown }

/** A running service, as any client reaches it: over HTTP. */
export interface ServiceClient {
  /** Any request, right or wrong. */
  send(method: string, path: string, ask?: Ask): Promise<Answer>
  /** Calls an operation as documented and gives the data of its answer. Throws when it is no success. */
  call<Id extends OperationId>(id: Id, ask?: Omit<Ask, 'body'> & { readonly body?: BodyOf<Id> }): Promise<DataOf<Id>>
}

const toInit = (method: string, { body, headers = {} }: Ask): RequestInit => {
  if (body === undefined) return { method, headers }
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const sent = isRaw ? (body as string) : JSON.stringify(body)
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: sent }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetchBy`: for a client that does more than ask, such as paying. */
export const connectService = (origin: string, fetchBy: typeof fetch = fetch): ServiceClient => {
  const document = JSON.parse(readFileSync(join(projectRoot, 'generated/openapi.json'), 'utf8')) as OpenApiDocument
  const located = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]))
  const send: ServiceClient['send'] = async (method, path, ask = {}) => {
    const query = new URLSearchParams(
      Object.entries(ask.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const response = await fetchBy(`${origin}${path}${query.size > 0 ? `?${query}` : ''}`, toInit(method, ask))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }
  const call: ServiceClient['call'] = async <Id extends OperationId>(id: Id, ask: Ask = {}) => {
    const found = located.get(id)
    if (!found) throw new Error(`${id} is not documented`)
    const { status, text, body } = await send(found.method.toUpperCase(), found.path, ask)
    if (status !== 200 && status !== 201) throw new Error(`${id} answered ${status}: ${text}`)
    return (body as { data: DataOf<Id> }).data
  }
  return { send, call }
}
