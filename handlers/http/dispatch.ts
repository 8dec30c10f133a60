import type { IncomingHttpHeaders } from 'node:http'
import type { OperationId } from '../handler.ts'
import type { Backend } from './backend.ts'
import { successEnvelope } from './envelope.ts'
import { parseQuery } from './query.ts'
import type { EdgeMiddleware } from './requestState.ts'
import { writeJson } from './writeJson.ts'

/** Answers that are the same for everybody until the next release. */
const CACHEABLE: ReadonlySet<OperationId> = new Set<OperationId>(['chains'])
export const CACHE_FOR_AN_HOUR = 'public, max-age=3600'

/** Serves the operations of the contract and puts their answers into the success envelope. */
export const dispatch =
  (backend: Backend): EdgeMiddleware =>
  async (ctx, next) => {
    const { state, req, res } = ctx
    const { operation } = state
    if (!state.known) return next()
    if (operation?.takesQuery) state.query = parseQuery(state.search, operation.integerParameters)
    const data = await backend.serve(state, req.method ?? '', req.headers as IncomingHttpHeaders & Record<string, string>)
    if (operation && CACHEABLE.has(operation.operationId)) res.setHeader('cache-control', CACHE_FOR_AN_HOUR)
    writeJson(ctx, 200, successEnvelope(state.requestId, data))
  }
