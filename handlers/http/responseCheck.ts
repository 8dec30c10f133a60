import type { ErrorObject } from 'ajv'
import { responseValidators } from '../../generated/validators.cjs'
import { baseHeaders } from './baseHeaders.ts'
import { failureEnvelope } from './envelope.ts'
import type { KnownOperation } from './operationTable.ts'
import type { EdgeContext, EdgeMiddleware, Log } from './requestState.ts'
import { writeJson } from './writeJson.ts'

type HeaderSchema = {
  readonly type?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}
type HeaderObject = { readonly required?: boolean; readonly schema?: HeaderSchema }
type ResponseObject = { readonly headers?: { readonly [name: string]: HeaderObject } }

const isWithin = (text: string, { type, pattern, maxLength, minimum, maximum }: HeaderSchema): boolean => {
  if (type !== 'integer') return (pattern === undefined || new RegExp(pattern, 'u').test(text)) && text.length <= (maxLength ?? Infinity)
  return /^\d+$/.test(text) && Number(text) >= (minimum ?? 0) && Number(text) <= (maximum ?? Infinity)
}

const headerProblems = (ctx: EdgeContext, { headers = {} }: ResponseObject): readonly string[] =>
  Object.entries(headers).flatMap(([name, { required, schema = {} }]) => {
    const value = ctx.res.getHeader(name)
    if (value === undefined) return required ? [`header ${name} is missing`] : []
    return isWithin(String(value), schema) ? [] : [`header ${name} is not as documented`]
  })

const describe = ({ instancePath, message, params }: ErrorObject): string => `${instancePath} ${message} ${JSON.stringify(params)}`

const bodyProblems = (ctx: EdgeContext, operation: KnownOperation): readonly string[] => {
  const validate = responseValidators[operation.operationId][String(ctx.status)]
  if (!validate) return [`status ${ctx.status} is not documented`]
  if (ctx.res.getHeader('content-type') !== 'application/json') return ['the content type is not application/json']
  return validate(JSON.parse(String(ctx.body))) ? [] : (validate.errors ?? []).map(describe)
}

const problemsOf = (ctx: EdgeContext, operation: KnownOperation): readonly string[] => {
  const documented = operation.contract.responses?.[String(ctx.status)] as ResponseObject | undefined
  return [...bodyProblems(ctx, operation), ...headerProblems(ctx, documented ?? {})]
}

/**
 * Holds our own answers against the contract, errors included, and replaces one that breaks it by a loud 500. For tests
 * and development: it reads every answer a second time.
 */
export const responseCheck =
  (log: Log): EdgeMiddleware =>
  async (ctx, next) => {
    await next()
    const { operation, requestId } = ctx.state
    if (!operation || !ctx.writable) return
    const problems = problemsOf(ctx, operation)
    if (problems.length === 0) return
    const { operationId } = operation
    log({ level: 'error', event: 'contract.mismatch', requestId, operationId, status: ctx.status, problems })
    const message = `The response does not match the contract of ${operationId}; the log has the details.`
    for (const [name, value] of baseHeaders()) ctx.res.setHeader(name, value)
    writeJson(ctx, 500, failureEnvelope(requestId, { code: 'INTERNAL', message, details: null }))
  }
