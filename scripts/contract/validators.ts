import { Ajv, type Options } from 'ajv'
import standaloneModule from 'ajv/dist/standalone/index.js'
import formatsModule from 'ajv-formats'
import { type Content, dereference, type OpenApiDocument, type Operation, operationsOf, type Schema } from './document.ts'
import { strictDocument } from './strictDocument.ts'

// Both packages are CommonJS with a `default` export, which Node hands over as the namespace.
const standaloneCode = standaloneModule.default
const addFormats = formatsModule.default

type NamedSchemas = Readonly<Record<string, Schema>>

const componentPrefix = '#/components/schemas/'

// Validators do not read these keywords. Standalone code would contain them.
const proseKeywords: ReadonlySet<string> = new Set(['description', 'title', 'example', 'default'])

const forAjvMap = (map: object): Schema => Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, forAjv(schema)]))

/** Rewrites a schema of the document for ajv: references by `$id`, and no discriminator mapping, which ajv refuses. */
const forAjv = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(forAjv)
  if (typeof value !== 'object' || value === null) return value
  const rewritten: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (proseKeywords.has(key)) continue
    // The keys below `properties` are names, of which one may well be `description`.
    if (key === 'properties') rewritten[key] = forAjvMap(child)
    else if (key === '$ref') rewritten[key] = String(child).replace(componentPrefix, '')
    else if (key === 'discriminator') rewritten[key] = { propertyName: (child as { propertyName: string }).propertyName }
    else rewritten[key] = forAjv(child)
  }
  return rewritten
}

/** The component a schema is a bare reference to; its validator serves as it is. */
const componentOf = (schema: Schema): string => {
  const name = String(schema['$ref'] ?? '').replace(componentPrefix, '')
  // The validators of bodies are found by name, and the types are no use to a reader without one.
  if (name === '') throw new Error('a body schema must be a reference to a component schema')
  return name
}

/** Compiles to CommonJS source: a constant `name` with one function for each of `schemas`, and for each of `components`. */
const compile = (
  name: string,
  document: OpenApiDocument,
  input: { readonly components: readonly string[]; readonly schemas: NamedSchemas },
  options: Options,
): string => {
  const ajv = new Ajv({
    code: { source: true, lines: true },
    discriminator: true,
    strict: true,
    // OpenAPI writes `required` and `type` where they read best, not always beside the properties they concern.
    strictRequired: false,
    strictTypes: false,
    ...options,
  })
  addFormats(ajv)
  for (const [id, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema({ ...(forAjv(schema) as Schema), $id: id })
  }
  const exported: Record<string, string> = Object.fromEntries(input.components.map((component) => [component, component]))
  for (const [key, schema] of Object.entries(input.schemas)) {
    ajv.addSchema({ ...(forAjv(schema) as Schema), $id: `${name}.${key}` })
    exported[key] = `${name}.${key}`
  }
  const body = standaloneCode(ajv, exported)
    .replace('"use strict";', '')
    .replace(/(^|;)exports\.(\w+) = /gm, '$1compiled.$2 = ')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
  // Each compilation numbers its functions from the start, so each needs a scope of its own.
  return `const ${name} = (() => {\nconst compiled = {};\n${body}\nreturn compiled;\n})();\n`
}

const jsonSchemaOf = (content: Content): Schema | undefined => content.content?.['application/json']?.schema

const bodyOf = (document: OpenApiDocument, operation: Operation): Schema | undefined =>
  operation.requestBody && jsonSchemaOf(dereference(document, operation.requestBody))

const responsesOf = (document: OpenApiDocument, operation: Operation): readonly (readonly [string, string])[] =>
  Object.entries(operation.responses).flatMap(([status, response]) => {
    const schema = jsonSchemaOf(dereference(document, response))
    return schema ? [[status, componentOf(schema)] as const] : []
  })

/** The schema of `{ path, query }`. It ignores header and cookie values. */
const paramsSchemaOf = (document: OpenApiDocument, operation: Operation): Schema => {
  const parameters = (operation.parameters ?? []).map((parameter) => dereference(document, parameter))
  const group = (place: string): Schema => {
    const here = parameters.filter((parameter) => parameter.in === place)
    return {
      type: 'object',
      // An operation without parameters ignores all, such as a cache-buster on /chains.
      additionalProperties: here.length === 0,
      required: here.filter((parameter) => parameter.required).map((parameter) => parameter.name),
      properties: Object.fromEntries(here.map((parameter) => [parameter.name, parameter.schema])),
    }
  }
  const query = group('query')
  return {
    type: 'object',
    required: (query['required'] as readonly string[]).length > 0 ? ['query'] : [],
    properties: { path: group('path'), query },
  }
}

/** The body as openapi-backend hands it over. */
const wrapped = (body: Schema): Schema => ({ type: 'object', required: ['requestBody'], properties: { requestBody: body } })

const exportTables = (document: OpenApiDocument, operations: readonly Operation[]): string => {
  const table = (name: string, row: (operation: Operation) => string): string =>
    `exports.${name} = {\n${operations.map((operation) => `  ${operation.operationId}: ${row(operation)},`).join('\n')}\n};\n`
  return [
    table('requests', (operation) => {
      const body = bodyOf(document, operation)
      return `{ body: ${body ? `bodies.${componentOf(body)}` : 'null'}, params: params.${operation.operationId} }`
    }),
    table('responses', (operation) => {
      const rows = responsesOf(document, operation).map(([status, component]) => `${status}: responseBodies.${component}`)
      return `{ ${rows.join(', ')} }`
    }),
    table('requestValidators', (operation) => {
      const body = bodyOf(document, operation) ? `bodies.${operation.operationId}, ` : ''
      return `[${body}params.${operation.operationId}]`
    }),
    'exports.responseValidators = exports.responses;\n',
  ].join('\n')
}

/** Standalone validators of every request and response, as the text of a CommonJS module: ajv's ESM output contains `require`. */
export const generateValidators = (document: OpenApiDocument): string => {
  const operations = operationsOf(document).map(({ operation }) => operation)
  const bodies = operations.flatMap((operation) => {
    const schema = bodyOf(document, operation)
    return schema ? [{ id: operation.operationId, schema }] : []
  })
  const bodyInput = {
    components: bodies.map(({ schema }) => componentOf(schema)),
    schemas: Object.fromEntries(bodies.map(({ id, schema }) => [id, wrapped(schema)])),
  }
  const params = Object.fromEntries(operations.map((operation) => [operation.operationId, paramsSchemaOf(document, operation)]))
  const responses = new Set(operations.flatMap((operation) => responsesOf(document, operation).map(([, component]) => component)))
  return [
    '"use strict";\n',
    compile('bodies', document, bodyInput, { allErrors: true }),
    // Only values of a URL are coerced: `"slippageBps": "50"` in a body is a client's mistake.
    compile('params', document, { components: [], schemas: params }, { allErrors: true, coerceTypes: true }),
    // Clients accept unknown fields, and the service sends none.
    compile('responseBodies', strictDocument(document), { components: [...responses], schemas: {} }, {}),
    exportTables(document, operations),
  ].join('\n')
}
