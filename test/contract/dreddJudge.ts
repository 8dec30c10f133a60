import { Ajv, type ValidateFunction } from 'ajv'
import formatsModule from 'ajv-formats'
import {
  dereference,
  type LocatedOperation,
  type OpenApiDocument,
  operationsOf,
  type Schema,
} from '../../scripts/contract/document.ts'
import { strictDocument } from '../../scripts/contract/strictDocument.ts'
import { contract } from '../support/documentedOperations.ts'

// CommonJS with a `default` export, which Node hands over as the namespace.
const addFormats = formatsModule.default

/** An answer as Dredd received it: header names in lower case, repeated ones joined. */
export type RealAnswer = {
  readonly statusCode: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Everything that is wrong with an answer of an operation by the document; empty when it is as documented. */
export type Judge = (located: LocatedOperation, answer: RealAnswer) => readonly string[]

type Header = { readonly required?: boolean; readonly schema: Schema }

const DOCUMENT = 'contract'

const withoutMapping = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMapping)
  if (typeof value !== 'object' || value === null) return value
  // One branch only can match by its own enum; ajv's discriminator keyword would refuse the mapping.
  const entries = Object.entries(value).filter(([key]) => key !== 'discriminator')
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutMapping(child)]))
}

/**
 * Judges by schemas compiled from the document itself, not by the validators the service is built with. By itself strictly:
 * what the document does not name is not sent.
 */
export const createJudge = (document: OpenApiDocument = strictDocument(contract)): Judge => {
  const operations = new Map(operationsOf(document).map(({ operation }) => [operation.operationId, operation]))
  const options = { strict: false, allErrors: true }
  const bodies = new Ajv(options)
  // A header is text, whatever type the document gives it.
  const headers = new Ajv({ ...options, coerceTypes: true })
  for (const ajv of [bodies, headers]) {
    addFormats(ajv)
    ajv.addSchema({ $id: DOCUMENT, components: withoutMapping(document.components) })
  }
  const compiled = new Map<Ajv, Map<string, ValidateFunction>>([bodies, headers].map((ajv) => [ajv, new Map()]))
  const compile = (ajv: Ajv, schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', `"${DOCUMENT}#/components`)
    const validate = compiled.get(ajv)?.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
    compiled.get(ajv)?.set(text, validate)
    return validate
  }
  const describe = (ajv: Ajv, at: string, { errors }: ValidateFunction) => ajv.errorsText(errors ?? null, { dataVar: at })

  const judgeHeaders = (documented: { readonly [name: string]: unknown }, real: RealAnswer['headers']): readonly string[] =>
    Object.entries(documented).flatMap(([name, value]) => {
      const { required, schema } = dereference(document, value) as Header
      const text = real[name.toLowerCase()]
      if (text === undefined) return required ? [`header ${name} is missing`] : []
      const validate = compile(headers, schema)
      return validate(text) ? [] : [describe(headers, name, validate)]
    })

  const judgeBody = (schema: Schema, { body, headers: real }: RealAnswer): readonly string[] => {
    let value: unknown
    try {
      value = JSON.parse(body)
    } catch {
      return ['the body is not JSON']
    }
    const validate = compile(bodies, schema)
    if (!validate(value)) return [describe(bodies, 'body', validate)]
    const { meta } = value as { meta: { requestId: string; version: string } }
    const isSame = meta.requestId === real['x-request-id'] && meta.version === real['service-version']
    return isSame ? [] : ['meta and headers do not tell the same']
  }

  return ({ operation: { operationId } }, answer) => {
    const documented = operations.get(operationId)?.responses[String(answer.statusCode)]
    if (!documented) return [`status ${answer.statusCode} is not documented`]
    const response = dereference(document, documented)
    const media = Object.entries(response.content ?? {}).find(([type]) => type === answer.headers['content-type'])
    const problems = judgeHeaders(response.headers ?? {}, answer.headers)
    if (!media) return [...problems, `content type ${answer.headers['content-type']} is not documented`]
    return [...problems, ...judgeBody(media[1].schema, answer)]
  }
}
