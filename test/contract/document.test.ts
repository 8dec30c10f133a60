import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import type { ErrorCode } from '../../engine/errors.ts'
import type { components, operations as operationTypes } from '../../generated/api.d.ts'
import { type OperationId, requests, requestValidators, responseValidators } from '../../generated/validators.cjs'
import { createRooms } from '../../handlers/http/rooms.ts'
import {
  dereference,
  type MediaType,
  type OpenApiDocument,
  operationsOf,
  projectRoot,
  type ResponseObject,
  type Schema,
} from '../../scripts/contract/document.ts'
import { strictDocument } from '../../scripts/contract/strictDocument.ts'
import { queryOf } from '../support/documentedOperations.ts'
import { WIDE } from '../support/wideRooms.ts'

const text = await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')
const document = JSON.parse(text) as OpenApiDocument
const operations = operationsOf(document)

type Example = { readonly name: string; readonly value: unknown }

const jsonOf = (holder: { readonly content?: Readonly<Record<string, MediaType>> }): MediaType => {
  const media = holder.content?.['application/json']
  if (!media) throw new Error('no application/json content')
  return media
}

const examplesOf = (media: MediaType): readonly Example[] =>
  Object.entries(media.examples ?? {}).map(([name, { value }]) => ({ name, value }))

type Answer = { readonly where: string; readonly id: OperationId; readonly status: string; readonly response: ResponseObject }

const answers: readonly Answer[] = operations.flatMap(({ operation }) =>
  Object.entries(operation.responses).map(([status, response]) => ({
    where: `${operation.operationId} ${status}`,
    id: operation.operationId as OperationId,
    status,
    response: dereference(document, response),
  })),
)

const failures = answers.filter(({ status }) => Number(status) >= 400)

describe('operations of the OpenAPI document', () => {
  test('are exactly the ones of the documented list', () => {
    expect(operations.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`)).toEqual([
      'post /api/v1/quote quote',
      'post /api/v1/execute execute',
      'post /api/v1/submit-signature submitSignature',
      'post /api/v1/submit-transaction submitTransaction',
      'get /api/v1/status status',
      'post /api/v1/x402/quote x402Quote',
      'post /api/v1/x402/execute x402Execute',
      'post /api/v1/x402/submit-signature x402SubmitSignature',
      'post /api/v1/x402/submit-transaction x402SubmitTransaction',
      'get /api/v1/x402/status x402Status',
      'get /api/v1/tokens/resolve resolveToken',
      'get /api/v1/tokens/btc-coverage btcCoverage',
      'get /api/v1/chains chains',
      'post /api/v1/keys createKey',
      'patch /api/v1/keys updateKey',
      'get /api/v1/keys readKey',
      'get /api/v1/keys/events keyEvents',
      'post /api/v1/keys/webhook-test webhookTest',
      'get /api/v1/health health',
    ])
  })

  test('have one tag, a description and a unique summary', () => {
    for (const { operation } of operations) {
      expect(operation.tags, operation.operationId).toHaveLength(1)
      expect(operation.description.trim(), operation.operationId).not.toBe('')
    }
    expect(new Set(operations.map(({ operation }) => operation.summary)).size).toBe(operations.length)
  })

  test('have an example for every parameter', () => {
    for (const { operation } of operations) {
      for (const parameter of operation.parameters ?? [])
        expect(dereference(document, parameter), operation.operationId).toHaveProperty('example')
    }
  })

  test('list every status explicitly, with an error schema for each except that of health', () => {
    for (const { where, status } of answers) expect(status, where).toMatch(/^[1-5][0-9]{2}$/)
    expect(operations.flatMap(({ operation }) => (operation.responses['401'] ? [] : [operation.operationId]))).toEqual(['health'])
  })
})

const statusesOfCode: Readonly<Record<ErrorCode, readonly string[]>> = {
  INVALID_REQUEST: ['400', '413', '415'],
  UNSUPPORTED_TOKEN: ['400'],
  UNSUPPORTED_CHAIN: ['400'],
  QUOTE_INVALID: ['400'],
  UNAUTHORIZED: ['401'],
  PAYMENT_REQUIRED: ['402'],
  NO_LIQUIDITY: ['404'],
  NOT_FOUND: ['404'],
  QUOTE_EXPIRED: ['410'],
  QUOTE_NOT_EXECUTABLE: ['422'],
  ORDER_REJECTED: ['422'],
  RATE_LIMITED: ['429'],
  INTERNAL: ['500'],
  BUILD_FAILED: ['502'],
  NOT_CONFIGURED: ['503'],
  PAYMENT_PENDING: ['503'],
  OVERLOADED: ['503'],
}

describe('responses of the OpenAPI document', () => {
  test('have a description and a valid example [contract-examples-valid]', () => {
    for (const { where, id, status, response } of answers) {
      const validate = responseValidators[id][status]
      const examples = examplesOf(jsonOf(response))
      expect(response.description.trim(), where).not.toBe('')
      expect(examples.length, where).toBeGreaterThan(0)
      for (const { name, value } of examples)
        expect([validate?.(value), validate?.errors], `${where} ${name}`).toEqual([true, null])
    }
  })

  test('with an error show only codes of their status', () => {
    for (const { where, status, response } of failures) {
      for (const { name, value } of examplesOf(jsonOf(response))) {
        const { error } = value as components['schemas']['ErrorResponse']
        expect(statusesOfCode[error.code], `${where} ${name}`).toContain(status)
      }
    }
  })

  test('declare rate limit headers where the limiter runs, and Retry-After where it refuses', () => {
    for (const { where, id, status, response } of answers) {
      // Refused before the caller is counted: by the parser, by a failing store, without a free place. Caches share /chains.
      // Paid calls are not counted.
      const isPaid = id.startsWith('x402')
      const isUntold = ['400', '413', '500', '503'].includes(status) || ((id === 'chains' || isPaid) && status === '200')
      const standing = isUntold ? undefined : true
      const expected = {
        'x-request-id': true,
        'service-version': true,
        ...(id !== 'health' && { RateLimit: standing, 'RateLimit-Policy': standing }),
        ...(status === '429' && { 'Retry-After': true }),
        ...(status === '503' && { 'Retry-After': isPaid ? undefined : true }),
        ...(isPaid && status === '200' && { 'PAYMENT-RESPONSE': true }),
        ...(status === '402' && { 'PAYMENT-REQUIRED': true }),
      }
      const documented = Object.entries(response.headers ?? {}).map(([name, header]) => [
        name,
        dereference(document, header as { readonly required?: boolean }).required,
      ])
      expect(Object.fromEntries(documented), where).toEqual(expected)
    }
  })

  test('have the same closed set of error codes as the engine', () => {
    type Codes = components['schemas']
    expectTypeOf<Codes['ErrorCode'] | Codes['PaymentErrorCode'] | Codes['OverloadedCode']>().toEqualTypeOf<ErrorCode>()
    expectTypeOf<Codes['PaymentUnavailableCode']>().toEqualTypeOf<
      Exclude<Codes['PaymentErrorCode'], 'PAYMENT_REQUIRED'> | Codes['OverloadedCode']
    >()
    const { ErrorCode: plain, PaymentErrorCode: paid, OverloadedCode: busy } = document.components.schemas
    const codes = new Set([plain, paid, busy].flatMap((schema) => schema?.['enum'] as readonly string[]))
    expect(codes.size).toBe(Object.keys(statusesOfCode).length)
  })

  test('use the payment error schemas only in x402 operations', () => {
    for (const { where, id, response } of answers) {
      const { $ref } = jsonOf(response).schema as { $ref?: string }
      const own = { 402: '/PaymentErrorResponse', 503: '/PaymentUnavailableResponse' }
      const expected = Object.entries(own).filter(([status]) => id.startsWith('x402') && where.endsWith(status))
      const found = Object.entries(own).filter(([, name]) => $ref?.endsWith(name))
      expect(found, where).toEqual(expected)
    }
  })

  test('show OVERLOADED exactly in the operations with a concurrency limit', () => {
    const rooms = createRooms(WIDE, { observe: () => undefined })
    const shown = answers.flatMap(({ id, response }) =>
      examplesOf(jsonOf(response)).some(({ value }) => JSON.stringify(value).includes('"OVERLOADED"')) ? [id] : [],
    )
    const bounded = operations.flatMap(({ operation }) => {
      const id = operation.operationId as OperationId
      return rooms.of(id) === null ? [] : [id]
    })
    expect(shown.toSorted()).toEqual(bounded.toSorted())
    expect(bounded).toHaveLength(10)
  })

  test('keep the fourteen error codes that released clients were generated from', () => {
    const codes =
      'BUILD_FAILED INTERNAL INVALID_REQUEST NOT_CONFIGURED NOT_FOUND NO_LIQUIDITY ORDER_REJECTED QUOTE_EXPIRED QUOTE_INVALID ' +
      'QUOTE_NOT_EXECUTABLE RATE_LIMITED UNAUTHORIZED UNSUPPORTED_CHAIN UNSUPPORTED_TOKEN'
    const { enum: documented } = document.components.schemas['ErrorCode'] as { enum: readonly string[] }
    expect(documented.toSorted().join(' ')).toBe(codes)
  })
})

const schemasWithin = (schema: Schema, at: string, seen = new Set<Schema>()): readonly (readonly [string, Schema])[] => {
  const target = dereference(document, schema)
  if (seen.has(target)) return []
  seen.add(target)
  const children = Object.entries((target['properties'] ?? {}) as Record<string, Schema>)
  if (target['items']) children.push(['[]', target['items'] as Schema])
  return [[at, target], ...children.flatMap(([name, child]) => schemasWithin(child, `${at}/${name}`, seen))]
}

/** Every object below a schema that names its properties, with the way to it. */
const shapesWithin = (value: unknown, at: string): readonly (readonly [string, Schema])[] => {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([key, child]) => shapesWithin(child, `${at}/${key}`))
  return 'properties' in value && (value as Schema)['type'] === 'object' ? [[at, value as Schema], ...below] : below
}

describe('schemas of the OpenAPI document', () => {
  const { schemas } = document.components

  test('allow additional fields in responses, and forbid them in requests [contract-open-responses]', () => {
    const shapes = Object.entries(schemas).flatMap(([name, schema]) => shapesWithin(schema, name))
    expect(shapes.length).toBeGreaterThan(30)
    for (const [at, shape] of shapes) {
      const expected = at === 'FailureDetails' ? true : undefined
      expect(shape['additionalProperties'], at).toBe(/^\w+Request$/.test(at) ? false : expected)
    }
  })

  test('forbid additional fields in responses of the strict copy', () => {
    const validate = responseValidators.health['200']
    const answer = { data: { status: 'ok', venues: [] }, meta: { requestId: 'r', version: '2026-11' } }
    expect(validate?.(answer)).toBe(true)
    expect(validate?.({ ...answer, data: { ...answer.data, later: 1 } })).toBe(false)
    expect(validate?.({ ...answer, later: 1 })).toBe(false)
    const shapes = Object.entries(strictDocument(document).components.schemas).flatMap(([name, schema]) =>
      shapesWithin(schema, name),
    )
    for (const [at, shape] of shapes) expect(shape['additionalProperties'], at).toBe(false)
  })

  test('have a description, also for every property', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      expect(String(schema['description'] ?? '').trim(), name).not.toBe('')
      for (const [at, shape] of shapesWithin(schema, name)) {
        for (const [property, child] of Object.entries(shape['properties'] as Record<string, Schema>))
          expect(String(dereference(document, child)['description'] ?? '').trim(), `${at}.${property}`).not.toBe('')
      }
    }
  })

  test('have no name of a JavaScript global', () => {
    expect(Object.keys(schemas).filter((name) => name in globalThis)).toEqual([])
  })

  test('have no default value, which would make generators require the field', () => {
    for (const [name, schema] of Object.entries(schemas)) expect(JSON.stringify(schema), name).not.toContain('"default":')
    expectTypeOf<{
      inputChainId: 1
      outputChainId: 10
      inputToken: 'x'
      outputToken: 'y'
      inputAmount: '1'
      userAddress: 'z'
    }>().toExtend<components['schemas']['QuoteRequest']>()
  })

  test('have 32-bit chain ids, and no number that a generator truncates or reads as BigInt [contract-open-responses]', () => {
    const numbers = Object.entries(schemas)
      .flatMap(([name, schema]) => [[name, schema] as const, ...shapesWithin(schema, name)])
      .flatMap(([at, schema]) => [
        [at, schema] as const,
        ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
          ([name, child]) => [`${at}.${name}`, dereference(document, child)] as const,
        ),
      ])
      .filter(([, { type }]) => type === 'integer' || type === 'number')
    expect(numbers.length).toBeGreaterThan(10)
    for (const [at, { type, format }] of numbers) expect(format, at).toBe(type === 'integer' ? 'int32' : 'double')
    // `details.chainId` repeats any integer of a request.
    const chainIds = numbers.filter(([at]) => /chainId$/i.test(at) && at !== 'FailureDetails.chainId')
    expect(chainIds.length).toBeGreaterThan(7)
    for (const [at, { format }] of chainIds) expect(format, at).toBe('int32')
  })

  test('describe base64 by a pattern, since generators read the format byte as bytes', () => {
    expect(text).not.toContain('"byte"')
    const { Transaction, SubmitTransactionRequest } = schemas as Record<string, { properties: Record<string, Schema> }>
    for (const schema of [Transaction?.properties['serialized'], SubmitTransactionRequest?.properties['signedTransaction']])
      expect(schema).toMatchObject({
        type: 'string',
        description: expect.stringContaining('base64'),
        pattern: expect.any(String),
      })
  })
})

describe('the introduction of the OpenAPI document', () => {
  const introduction = (document as unknown as { info: { description: string } }).info.description

  test.each(['408', '417', '431'])('documents status %s of the HTTP server', (status) => {
    expect(introduction).toContain(status)
  })

  test('tells clients to handle unknown codes by their status, and to ignore unknown fields', () => {
    expect(introduction).toMatch(/code you do not know by the HTTP status/)
    expect(introduction).toMatch(/fields may be added to any object of a response/)
  })
})

describe('requests of the OpenAPI document', () => {
  const bodies = operations.flatMap(({ operation }) =>
    operation.requestBody ? [{ id: operation.operationId as OperationId, media: jsonOf(operation.requestBody) }] : [],
  )
  const inputs = operations.flatMap(({ operation: { operationId, parameters, requestBody } }) => [
    ...(parameters ?? [])
      .map((parameter) => dereference(document, parameter))
      .flatMap(({ name, schema }) => schemasWithin(schema, `${operationId}?${name}`)),
    ...(requestBody ? schemasWithin(jsonOf(requestBody).schema, operationId) : []),
  ])

  test('limit every string, list and number [contract-open-responses]', () => {
    expect(inputs.length).toBeGreaterThan(20)
    for (const [at, schema] of inputs) {
      if ('enum' in schema) continue
      if (schema['type'] === 'string') expect(schema, at).toHaveProperty('maxLength')
      if (schema['type'] === 'array') expect(schema, at).toHaveProperty('maxItems')
      if (schema['type'] === 'integer')
        expect(schema, at).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) })
    }
  })

  test('have valid examples [contract-examples-valid]', () => {
    for (const { id, media } of bodies) {
      const validate = requests[id].body
      expect(examplesOf(media).length, id).toBeGreaterThan(0)
      for (const { name, value } of examplesOf(media)) {
        expect([validate?.(value), validate?.errors], `${id} ${name}`).toEqual([true, null])
      }
    }
    for (const { operation } of operations) {
      // As a URL carries them: everything is a string until the validator coerces it.
      const query = Object.fromEntries(queryOf(operation).map(({ name, example }) => [name, String(example)]))
      expect(requests[operation.operationId as OperationId].params({ path: {}, query }), operation.operationId).toBe(true)
    }
  })

  test('accept exactly the chains of the engine', () => {
    expect(document.components.schemas['ChainId']?.['enum']).toEqual([...CHAIN_IDS])
    expectTypeOf<components['schemas']['ChainId']>().toEqualTypeOf<(typeof CHAIN_IDS)[number]>()
  })

  const quoteBody = (): Record<string, unknown> => ({
    ...(examplesOf(jsonOf(operations[0]?.operation.requestBody ?? {}))[0]?.value as object),
  })

  test('with an unknown body field are rejected, naming it and every other invalid field', () => {
    const validate = requests.quote.body
    expect(validate({ ...quoteBody(), destinationAdress: '0x1', inputAmount: '007', inputChainId: 250 })).toBe(false)
    expect(
      validate.errors?.map(({ keyword, instancePath, params }) => [keyword, instancePath || params['additionalProperty']]),
    ).toEqual(
      expect.arrayContaining([
        ['additionalProperties', 'destinationAdress'],
        ['pattern', '/inputAmount'],
        ['enum', '/inputChainId'],
      ]),
    )
  })

  test('with an unknown query parameter are rejected, except by operations without parameters', () => {
    expect(requests.status.params({ query: { quoteToken: 'x', ref: 'y', reff: 'z' } })).toBe(false)
    expect(requests.chains.params({ query: { t: '1' } })).toBe(true)
    expect(requests.health.params({ query: { t: '1' } })).toBe(true)
  })

  test('convert query strings to numbers, but convert nothing in a body', () => {
    const params = { path: {}, query: { chainId: '-1', address: 'BTC' } }
    expect(requests.resolveToken.params(params)).toBe(true)
    expect(params.query.chainId).toBe(-1)
    expect(requests.quote.body({ ...quoteBody(), slippageBps: '50' })).toBe(false)
  })

  test('accept a malformed quoteToken, which the engine rejects with QUOTE_INVALID', () => {
    expect(requests.execute.body({ quoteToken: 'no token at all!' })).toBe(true)
    expect(requestValidators.execute[0]?.({ requestBody: { quoteToken: '' } })).toBe(false)
  })
})

describe('generated files', () => {
  test('name the command that generates them', async () => {
    for (const name of ['api.d.ts', 'validators.cjs', 'validators.d.cts']) {
      expect(await readFile(join(projectRoot, 'generated', name), 'utf8'), name).toMatch(/^\/\/.*`npm run generate`/)
    }
  })

  test('represent the three executions as a tagged union in types and validation', () => {
    type Execution = operationTypes['execute']['responses'][200]['content']['application/json']['data']
    expectTypeOf<Execution['executionType']>().toEqualTypeOf<'TRANSACTION' | 'SIGNATURE' | 'DEPOSIT'>()
    expectTypeOf<keyof Extract<Execution, { executionType: 'DEPOSIT' }>>().toEqualTypeOf<
      'executionType' | 'deposit' | 'ignored' | 'proof' | 'statusRef'
    >()

    const validate = responseValidators.execute['200']
    const meta = { requestId: 'r-1', version: '2026-11' }
    expect(validate?.({ data: { executionType: 'DEPOSIT', statusRef: 'x' }, meta })).toBe(false)
    // One precise reason, not one for each branch that did not match.
    expect(validate?.errors?.map(({ params }) => params)).toEqual([{ missingProperty: 'deposit' }])
  })
})
