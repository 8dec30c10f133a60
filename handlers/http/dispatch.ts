import type { IncomingHttpHeaders } from 'node:http'
import type { OperationId } from '../handler.ts'
import type { Backend } from './backend.ts'
import { successEnvelope } from './envelope.ts'
import { parseQuery } from './query.ts'
import type { EdgeMiddleware } from './requestState.ts'

/** Operations whose answer is constant until the next release. */
const STATIC: ReadonlySet<OperationId> = new Set<OperationId>(['chains'])
export const CACHE_FOR_AN_HOUR = 'public, max-age=3600'

/** Serves the operations of the contract and wraps their answers in the success envelope. */
export const dispatch = (backend: Backend): EdgeMiddleware => {
  const texts = new WeakMap<object, string>()
  const stringifyOnce = (data: object): string => {
    const text = texts.get(data) ?? JSON.stringify(data)
    texts.set(data, text)
    return text
  }
  return async ({ state, req }, next) => {
    const { operation } = state
    if (!state.known) return next()
    if (operation?.takesQuery) state.query = parseQuery(state.search, operation.integerParameters)
    const data = await backend.serve(state, req.method ?? '', req.headers as IncomingHttpHeaders & Record<string, string>)
    const isStatic = operation !== null && STATIC.has(operation.operationId)
    if (isStatic) state.cacheControl = CACHE_FOR_AN_HOUR
    state.answer = {
      status: operation?.successStatus ?? 200,
      json: successEnvelope(state.requestId, isStatic ? stringifyOnce(data as object) : JSON.stringify(data)),
    }
  }
}
