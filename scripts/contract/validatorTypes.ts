/** The declaration of generated/validators.cjs, written by hand. */
export const validatorTypes = `import type { ErrorObject, ValidateFunction } from 'ajv'
import type { operations } from './api.d.ts'

export type OperationId = keyof operations

/** True for a valid value. \`errors\` holds the problems until the next call; null without any. */
export type Validate<T> = {
  (value: unknown): value is T
  errors?: readonly ErrorObject[] | null
}

type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never
type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Request } ? JsonOf<Request> : never

/**
 * \`{ path, query }\` of a request, with the values of the URL. Header and cookie values are ignored. ajv coerces numbers and booleans
 * in place. Its rules also accept \`0x1\`, \`1.0\` and \` 1\` for an integer, which the HTTP edge must refuse before. Pass \`query: {}\`
 * for a URL without a query, so that each missing parameter is named.
 */
export type Params<Id extends OperationId> = {
  readonly path?: Readonly<Record<string, string>>
  readonly query: NonNullable<operations[Id]['parameters']['query']>
}

type RequestValidators<Id extends OperationId> = {
  /** Validates the parsed body without coercion; null for an operation without a body. Reports every problem of every field. */
  readonly body: BodyOf<Id> extends never ? null : Validate<BodyOf<Id>>
  readonly params: Validate<Params<Id>>
}

type ResponseValidators<Id extends OperationId> = {
  readonly [Status in keyof operations[Id]['responses']]: Validate<JsonOf<operations[Id]['responses'][Status]>>
}

/** By operationId. */
export declare const requests: { readonly [Id in OperationId]: RequestValidators<Id> }

/** By operationId and documented status. A response with another status is invalid. */
export declare const responses: { readonly [Id in OperationId]: ResponseValidators<Id> }

/**
 * The request validators in the shape of openapi-backend's \`validator.requestValidators\`: first \`{ requestBody }\` where there is a
 * body, then \`{ path, query, header, cookie }\`.
 */
export declare const requestValidators: { readonly [Id in OperationId]: ValidateFunction[] }

/** \`responses\` under the name and shape of openapi-backend's \`validator.statusBasedResponseValidators\`. */
export declare const responseValidators: { readonly [Id in OperationId]: { [status: string]: ValidateFunction } }
`
