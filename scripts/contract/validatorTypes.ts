/** The hand-kept declaration of generated/validators.cjs; only the operation ids in it come from the document. */
export const validatorTypes = `import type { ErrorObject, ValidateFunction } from 'ajv'
import type { operations } from './api.d.ts'

export type OperationId = keyof operations

/** Answers whether the value is valid and leaves what is wrong in \`errors\` (null when nothing is) until its next call. */
export type Validate<T> = {
  (value: unknown): value is T
  errors?: readonly ErrorObject[] | null
}

type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never
type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Request } ? JsonOf<Request> : never

/**
 * \`{ path, query }\` of a request, values as the URL carries them. Header and cookie values may lie beside them and are not
 * looked at. Numbers and booleans are coerced in place, by ajv's rules, which are laxer than ours: an integer parameter
 * also accepts \`0x1\`, \`1.0\` and \` 1\`. The HTTP edge must refuse those spellings before it validates. Pass \`query: {}\` when
 * the URL has no query, so that each missing parameter is named.
 */
export type Params<Id extends OperationId> = {
  readonly path?: Readonly<Record<string, string>>
  readonly query: NonNullable<operations[Id]['parameters']['query']>
}

type RequestValidators<Id extends OperationId> = {
  /**
   * Over the parsed body itself, nothing coerced; null for an operation without a body. Reports every failing field, and
   * more than once a value that is wrong in several ways: a chain id of the wrong type is outside the enumeration too.
   */
  readonly body: BodyOf<Id> extends never ? null : Validate<BodyOf<Id>>
  readonly params: Validate<Params<Id>>
}

type ResponseValidators<Id extends OperationId> = {
  readonly [Status in keyof operations[Id]['responses']]: Validate<JsonOf<operations[Id]['responses'][Status]>>
}

/** By operationId. */
export declare const requests: { readonly [Id in OperationId]: RequestValidators<Id> }

/** By operationId and documented status. A status that is missing here is not documented, and must count as invalid. */
export declare const responses: { readonly [Id in OperationId]: ResponseValidators<Id> }

/**
 * The same request validators in the shape of openapi-backend's \`validator.requestValidators\`: the first, where there is a
 * body, over \`{ requestBody }\` (error paths start with \`/requestBody\`), the last over \`{ path, query, header, cookie }\`.
 */
export declare const requestValidators: { readonly [Id in OperationId]: ValidateFunction[] }

/** \`responses\` under the name and shape of openapi-backend's \`validator.statusBasedResponseValidators\`. */
export declare const responseValidators: { readonly [Id in OperationId]: { [status: string]: ValidateFunction } }
`
