import type { ErrorObject } from 'ajv'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import { responseValidators } from '../../generated/validators.cjs'
import { failureEnvelope } from './envelope.ts'
import type { KnownOperation } from './operationTable.ts'
import type { Answer, EdgeMiddleware } from './requestState.ts'
import { headersOf } from './respond.ts'

type HeaderSchema = {
  readonly type?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}
type HeaderObject = { readonly required?: boolean; readonly schema?: HeaderSchema }
type Headers = { readonly [name: string]: HeaderObject }

const isWithin = (text: string, { type, pattern, maxLength, minimum, maximum }: HeaderSchema): boolean => {
  if (type === 'integer') return /^\d+$/.test(text) && Number(text) >= (minimum ?? 0) && Number(text) <= (maximum ?? Infinity)
  return text.length <= (maxLength ?? Infinity) && (pattern === undefined || new RegExp(pattern, 'u').test(text))
}

const headerProblems = (documented: Headers, sent: ReadonlyMap<string, string>): readonly string[] =>
  Object.entries(documented).flatMap(([name, { required, schema = {} }]) => {
    const value = sent.get(name.toLowerCase())
    if (value === undefined) return required ? [`header ${name} is missing`] : []
    return isWithin(value, schema) ? [] : [`header ${name} is not as documented`]
  })

const describe = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath} ${message} ${JSON.stringify(params)}`

const bodyProblems = ({ operationId }: KnownOperation, { status, json }: Answer): readonly string[] => {
  const validate = responseValidators[operationId][String(status)]
  if (!validate) return [`status ${status} is not documented`]
  return validate(JSON.parse(json)) ? [] : (validate.errors ?? []).map(describe)
}

const documentedHeaders = ({ contract }: KnownOperation, { status }: Answer): Headers =>
  (contract.responses?.[String(status)] as { readonly headers?: Headers } | undefined)?.headers ?? {}

/** Names in lower case, as header names are compared. */
const toMap = (pairs: readonly string[]): ReadonlyMap<string, string> => {
  const map = new Map<string, string>()
  for (let i = 0; i + 1 < pairs.length; i += 2) map.set((pairs[i] as string).toLowerCase(), pairs[i + 1] as string)
  return map
}

/**
 * Checks our own answers against the contract, errors included, and replaces an invalid one by a loud 500. For tests and
 * development: it reads every answer a second time.
 */
export const responseCheck =
  (observe: ObserveEdge, always: readonly string[]): EdgeMiddleware =>
  async ({ state }, next) => {
    await next()
    const { operation, requestId, answer } = state
    if (!operation || !answer) return
    const sent = toMap(headersOf(state, always))
    const problems = [...bodyProblems(operation, answer), ...headerProblems(documentedHeaders(operation, answer), sent)]
    if (problems.length === 0) return
    const { operationId } = operation
    observe({ event: 'contract.mismatch', requestId, operationId, status: answer.status, problems })
    const message = `The response does not match the contract of ${operationId}; the log has the details.`
    state.cacheControl = 'no-store'
    state.answer = { status: 500, json: failureEnvelope(requestId, { code: 'INTERNAL', message, details: null }) }
  }
