import type { Caller } from '../../engine/core/caller.ts'
import type { Clock } from '../../engine/core/clock.ts'
import { baseHeaders, type ExtraHeaders } from './baseHeaders.ts'
import type { OperationTable } from './operationTable.ts'
import type { EdgeMiddleware } from './requestState.ts'

/** Short enough for every log, and free of anything that would need escaping in a header or in JSON. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Stands until the caller is known: of a preflight, and of what fails before. */
const NOBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 }

type Target = { readonly path: string; readonly search: string }

/** The path and the query of a request target, which may also be a whole URL (RFC 9112, 3.2.2). */
const parseTarget = (target: string): Target => {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? { path: local, search: '' } : { path: local.slice(0, mark), search: local.slice(mark + 1) }
}

/**
 * Gives the request its id, its place in the contract, and the headers every response bears. First of all middleware and
 * unable to fail, so that whatever fails later is answered with these headers.
 */
export const requestId = (
  table: OperationTable,
  options: { readonly clock: Clock; readonly randomId: () => string; readonly headers?: ExtraHeaders },
): EdgeMiddleware => {
  const always = baseHeaders(options.headers)
  return (ctx, next) => {
    const { req, res } = ctx
    const offered = req.headers['x-request-id']
    const id = typeof offered === 'string' && ACCEPTED_ID.test(offered) ? offered : options.randomId()
    const target = parseTarget(req.url ?? '/')
    const known = table.get(target.path) ?? null
    ctx.state = {
      requestId: id,
      startedAt: options.clock.now(),
      path: target.path,
      search: target.search,
      known,
      operation: known?.methods.get(req.method ?? '') ?? null,
      caller: NOBODY,
      refusal: null,
      body: undefined,
      query: {},
    }
    res.setHeader('x-request-id', id)
    for (const [name, value] of always) res.setHeader(name, value)
    return next()
  }
}
