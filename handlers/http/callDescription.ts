import type { CallDescription } from '../../engine/core/paidCall.ts'
import type { Contract } from './contract.ts'
import type { KnownOperation } from './operationTable.ts'

type Json = { readonly [name: string]: unknown }
type Media = { readonly schema?: Json; readonly examples?: { readonly [name: string]: { readonly value: unknown } } }
type Content = { readonly 'application/json'?: Media }
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Json
  readonly example?: unknown
}

/** The schema keywords that a program needs. A header carries them, and clients return it, so the rest is left out. */
const KEPT = ['type', 'enum', 'items', 'properties', 'required']

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const createReader = (document: Contract['document']) => {
  const resolve = <T>(value: unknown): T => {
    if (!isJson(value) || typeof value['$ref'] !== 'string') return value as T
    const found = value['$ref']
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (isJson(at) ? at[name] : undefined), document)
    return resolve(found)
  }
  const bare = (value: unknown): Json => {
    const schema = resolve<Json>(value)
    const kept = Object.entries(schema).filter(([name]) => KEPT.includes(name))
    return Object.fromEntries(
      kept.map(([name, part]) => {
        if (name === 'items') return [name, bare(part)]
        if (name === 'properties' && isJson(part))
          return [name, Object.fromEntries(Object.entries(part).map(([key, one]) => [key, bare(one)]))]
        return [name, part]
      }),
    )
  }
  return { resolve, bare }
}

const firstExample = ({ examples }: Media): Json => {
  const value = Object.values(examples ?? {})[0]?.value
  return isJson(value) ? value : {}
}

const TEXT_MOST = 200

/** The plain fields of an answer's data. */
const plainOf = ({ data }: Json): Json =>
  Object.fromEntries(
    Object.entries(isJson(data) ? data : {}).filter(([, value]) => !isJson(value) && JSON.stringify(value).length <= TEXT_MOST),
  )

export type CallDescriptions = (known: KnownOperation) => CallDescription

/** Requests and answers of the contract's operations, for the discovery of paid calls. Each is read at its first use. */
export const createCallDescriptions = ({ document }: Contract): CallDescriptions => {
  const { resolve, bare } = createReader(document)
  const answerOf = ({ contract, successStatus }: KnownOperation): Json => {
    const response = resolve<{ readonly content?: Content }>(contract.responses?.[String(successStatus)])
    return plainOf(firstExample(response?.content?.['application/json'] ?? {}))
  }
  const describe = (known: KnownOperation): CallDescription => {
    const { contract, operationId: operation } = known
    const method = contract.method.toUpperCase() === 'GET' ? 'GET' : 'POST'
    const answer = answerOf(known)
    if (method === 'POST') {
      const media = resolve<{ readonly content?: Content }>(contract.requestBody)?.content?.['application/json'] ?? {}
      return { operation, method, schema: bare(media.schema), example: firstExample(media), answer }
    }
    const asked = (contract.parameters ?? []).map((one) => resolve<Parameter>(one)).filter((one) => one.in === 'query')
    const schema = {
      properties: Object.fromEntries(asked.map((one) => [one.name, bare(one.schema)])),
      required: asked.filter((one) => one.required).map((one) => one.name),
    }
    return { operation, method, schema, example: Object.fromEntries(asked.map((one) => [one.name, one.example])), answer }
  }
  const described = new Map<string, CallDescription>()
  return (known) => {
    const call = described.get(known.operationId) ?? describe(known)
    described.set(known.operationId, call)
    return call
  }
}
