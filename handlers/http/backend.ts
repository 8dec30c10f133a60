import type { ValidateFunction } from 'ajv'
import {
  type Context,
  OpenAPIBackend,
  OpenAPIRouter,
  OpenAPIValidator,
  type Operation,
  type ParsedRequest,
  type Request,
  type ValidationResult,
} from 'openapi-backend'
import type { Caller, RequestContext } from '../../engine/core/caller.ts'
import type { Engine } from '../../engine/engine.ts'
import { requestValidators } from '../../generated/validators.cjs'
import type { Call, Handler, Handlers, OperationId } from '../handler.ts'
import type { Contract } from './contract.ts'
import { methodNotAllowed, notFound } from './edgeError.ts'
import { invalidAgainstSchema } from './fieldProblems.ts'
import type { Leaving } from './leaving.ts'
import type { OperationLimits } from './operationLimits.ts'
import { createOperationTable, type OperationTable } from './operationTable.ts'
import type { PaidServe } from './paidServe.ts'
import type { RequestState } from './requestState.ts'

/** A request from the edge, with body and query already read. */
type EdgeRequest = Request & ParsedRequest

export type Backend = {
  readonly table: OperationTable
  /** Matches, validates and serves a request of the contract. Throws SwapError, or the handler's own error. */
  readonly serve: (state: RequestState, method: string, headers: EdgeRequest['headers']) => Promise<unknown>
}

/**
 * openapi-backend's router with its work done once. The published one flattens the document and parses headers, cookies, query
 * and body several times per request. That takes longer than all other work of the edge.
 */
class PreparedRouter extends OpenAPIRouter {
  readonly #operations: Operation[]
  readonly #table: OperationTable

  constructor(definition: Contract['document'], operations: Operation[], table: OperationTable) {
    super({ definition, ignoreTrailingSlashes: false })
    this.#operations = operations
    this.#table = table
  }

  override getOperations(): Operation[] {
    return this.#operations
  }

  override matchOperation({ path, method }: Request): Operation {
    const known = this.#table.get(path)
    // openapi-backend distinguishes these cases by the beginning of the two messages.
    if (!known) throw new Error('404-notFound: no route matches request')
    const operation = known.methods.get(method)
    if (!operation) throw new Error('405-methodNotAllowed: this method is not registered for the route')
    return operation.contract
  }

  override parseRequest(request: Request): ParsedRequest {
    return request as EdgeRequest
  }
}

const VALID: ValidationResult = Object.freeze({ valid: true, errors: null })

/** openapi-backend's validator with the generated functions, applied to the data that the edge has read. */
class PreparedValidator extends OpenAPIValidator {
  override requestValidators: { readonly [operationId: string]: ValidateFunction[] } = requestValidators

  override validateRequest(request: Request, operation: Operation): ValidationResult {
    const { query, requestBody } = request as EdgeRequest
    const values = requestBody === undefined ? { query } : { query, requestBody }
    const validators = this.requestValidators[operation.operationId ?? '']
    if (!validators) throw new Error(`no generated validators for ${operation.operationId}`)
    const errors = validators.flatMap((validate) => (validate(values) ? [] : (validate.errors ?? [])))
    return errors.length === 0 ? VALID : { valid: false, errors }
  }
}

const initialise = (document: Contract['document']): OpenAPIBackend => {
  const backend = new OpenAPIBackend({ definition: document, strict: true, quick: true, ignoreTrailingSlashes: false })
  let failure: unknown
  // A quick start with a document in memory is synchronous: after the call it is done or has failed.
  backend.init().catch((error: unknown) => {
    failure = error
  })
  if (!backend.initialized) throw new Error('the generated document cannot be served', { cause: failure })
  return backend
}

/**
 * A class, because of its getter: an object literal with one has its own hidden class. That class keeps the object and all it
 * refers to until a full garbage collection.
 */
class StateContext implements RequestContext {
  readonly requestId: string
  readonly caller: Caller
  readonly client: string
  readonly trace: RequestState['trace']
  readonly #leaving: Leaving

  constructor({ requestId, caller, address, client, trace, leaving }: RequestState) {
    this.requestId = requestId
    this.caller = caller
    // Self-serve keys are free. Each would be one more client in fair sharing, and one more witness of a venue's failure.
    this.client = caller.tier === 'selfServe' ? address : client
    this.trace = trace
    this.#leaving = leaving
  }

  get signal(): AbortSignal {
    return this.#leaving()
  }
}

export type BackendParts = {
  readonly handlers: Handlers
  readonly engine: Engine
  readonly limits: OperationLimits
  readonly paidServe: PaidServe
}

/** openapi-backend as the dispatcher: it owns the operations and fails closed; the generated validators check requests. */
export const createBackend = ({ document }: Contract, { handlers, engine, limits, paidServe }: BackendParts): Backend => {
  const backend = initialise(document)
  const operations = backend.getOperations()
  const table = createOperationTable(operations)
  const router = new PreparedRouter(backend.definition, operations, table)
  backend.router = router
  backend.validator = new PreparedValidator({ definition: backend.definition, router, lazyCompileValidators: true })

  backend.register({
    notFound: () => {
      throw notFound()
    },
    methodNotAllowed: ({ request }) => {
      throw methodNotAllowed(table.get(request.path)?.allow ?? '')
    },
    validationFail: ({ request, validation }) => {
      throw invalidAgainstSchema(validation.errors ?? [], request)
    },
  })
  const paidIds = new Set(
    [...table.values()]
      .flatMap(({ methods }) => [...methods.values()])
      .filter((one) => one.isPaid)
      .map((one) => one.operationId),
  )
  const isPaid = (operationId: string): boolean => paidIds.has(operationId as OperationId)
  for (const [operationId, handler] of Object.entries(handlers)) {
    // The only place without operation types: the validators have checked body and query.
    const serve = handler as Handler<OperationId>
    const call = ({ request }: Context, state: RequestState) =>
      serve({ body: request.requestBody, query: request.query, context: new StateContext(state) } as Call<OperationId>, engine)
    const count = limits(operationId as OperationId)
    const counted = count ? async (context: Context, state: RequestState) => count(state).then(() => call(context, state)) : call
    const paid = (context: Context, state: RequestState) => {
      const { requestBody, query } = context.request
      return paidServe(state, requestBody ?? query, async () => call(context, state))
    }
    backend.register(operationId, isPaid(operationId) ? paid : counted)
  }

  const serve: Backend['serve'] = (state, method, headers) => {
    const request: EdgeRequest = {
      method,
      path: state.path,
      headers,
      query: state.query as EdgeRequest['query'],
      requestBody: state.body,
      params: {},
      cookies: {},
    }
    return backend.handleRequest(request, state)
  }
  return { table, serve }
}
