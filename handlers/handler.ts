import type { RequestContext } from '../engine/core/caller.ts'
import type { Engine } from '../engine/engine.ts'
import type { operations } from '../generated/api.d.ts'

export type OperationId = keyof operations

type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never
type RequestOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Request }
  ? JsonOf<Request>
  : undefined
type ResponsesOf<Id extends OperationId> = operations[Id]['responses']
type SuccessOf<Id extends OperationId> = JsonOf<ResponsesOf<Id>[keyof ResponsesOf<Id> & (200 | 201)]>

/** One validated request of an operation. Nothing in it is left to check against the contract. */
export type Call<Id extends OperationId> = {
  readonly body: RequestOf<Id>
  readonly query: NonNullable<operations[Id]['parameters']['query']>
  readonly context: RequestContext
}

/** The `data` of a success envelope. */
export type Data<Id extends OperationId> = SuccessOf<Id> extends { readonly data: infer Told } ? Told : never

/** Serves one operation. Throws SwapError for every failure a client should understand. */
export type Handler<Id extends OperationId> = (call: Call<Id>, engine: Engine) => Data<Id> | Promise<Data<Id>>

/** A paid call is served as the plain one: its contract has the same body, query and data. */
type Served<Id extends OperationId> = Id extends `x402${infer Plain}` ? Extract<Uncapitalize<Plain>, OperationId> : Id

export type Handlers = { readonly [Id in OperationId]: Handler<Served<Id>> }
