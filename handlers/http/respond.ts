import type { Caller } from '../../engine/core/caller.ts'
import type { Clock } from '../../engine/core/clock.ts'
import { parseTraceparent } from '../../engine/core/trace.ts'
import { baseHeaders, type ExtraHeaders } from './baseHeaders.ts'
import { leavingOf } from './leaving.ts'
import type { OperationTable } from './operationTable.ts'
import type { Answer, EdgeContext, EdgeMiddleware, RequestState } from './requestState.ts'
import { standingHeaders } from './standing.ts'

/** Short enough for every log, and without characters that need escaping in a header or in JSON. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Used until the caller is identified: for preflights and early failures. */
const NOBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 }

type Target = { readonly path: string; readonly search: string }

/** The path and the query of a request target, which may also be a whole URL (RFC 9112, 3.2.2). */
const parseTarget = (target: string): Target => {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? { path: local, search: '' } : { path: local.slice(0, mark), search: local.slice(mark + 1) }
}

/** The headers of an answer, except those of its body: names and values in turn. */
export const headersOf = ({ requestId, cacheControl, headers, standing }: RequestState, always: readonly string[]): string[] => [
  'x-request-id',
  requestId,
  'cache-control',
  cacheControl,
  ...always,
  ...headers,
  // A cache would show one caller's limits to all others.
  ...(cacheControl.startsWith('public') ? [] : standingHeaders(standing)),
]

/**
 * Writes an answer in one piece, past Koa: one list of headers instead of a dozen calls. ASCII text, nearly all of ours, needs no
 * encoder. The content type has no charset: JSON has only one.
 */
const write = ({ res, state }: EdgeContext, always: readonly string[], { status, json }: Answer): void => {
  const length = Buffer.byteLength(json)
  const headers = headersOf(state, always)
  headers.push('content-type', 'application/json', 'content-length', String(length))
  res.writeHead(status, headers)
  res.end(json, length === json.length ? 'latin1' : 'utf8')
}

/** Adds the same headers to Koa's own answers, which have no JSON body. */
const dress = ({ res, state }: EdgeContext, always: readonly string[]): void => {
  const headers = headersOf(state, always)
  for (let i = 0; i + 1 < headers.length; i += 2) res.setHeader(headers[i] as string, headers[i + 1] as string)
}

/**
 * The first middleware: one request and its answer. It gives the request its id and its place in the contract, and writes the
 * answer with the headers of every response.
 */
export const respond = (
  table: OperationTable,
  options: { readonly clock: Clock; readonly randomId: () => string; readonly headers: ExtraHeaders },
): EdgeMiddleware => {
  const always = baseHeaders(options.headers)
  return async (ctx, next) => {
    const { req } = ctx
    const offered = req.headers['x-request-id']
    const { path, search } = parseTarget(req.url ?? '/')
    const known = table.get(path) ?? null
    ctx.state = {
      requestId: typeof offered === 'string' && ACCEPTED_ID.test(offered) ? offered : options.randomId(),
      trace: parseTraceparent(req.headers['traceparent']),
      startedAt: options.clock.now(),
      path,
      search,
      known,
      operation: known?.methods.get(req.method ?? '') ?? null,
      leaving: leavingOf(ctx.res),
      stay: null,
      arrival: null,
      caller: NOBODY,
      address: '',
      client: '',
      refusal: null,
      body: undefined,
      query: {},
      answer: null,
      failure: null,
      headers: [],
      payment: '',
      resource: null,
      isCharged: false,
      standing: null,
      cacheControl: 'no-store',
    }
    await next()
    const { answer } = ctx.state
    if (!answer) return dress(ctx, always)
    ctx.respond = false
    if (ctx.writable) write(ctx, always, answer)
  }
}
