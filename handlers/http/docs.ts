import type { Engine } from '../../engine/engine.ts'
import type { PageAnswer } from '../../engine/pages/pages.ts'
import type { DocsPages } from '../docs/docsPages.ts'
import type { ClientAddress } from './clientAddress.ts'
import { EdgeError, methodNotAllowed, notFound } from './edgeError.ts'
import { successEnvelope } from './envelope.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'
import { spend } from './spend.ts'

const ROOT = '/'
const DOCS = '/docs'
const GUIDES = `${DOCS}/guides/first-swap`
const ALLOW = 'GET, HEAD, OPTIONS'

/** The main paths, for a client of `/` that is no browser. */
const PLACES = JSON.stringify({
  docs: DOCS,
  guides: GUIDES,
  openapi: '/openapi.json',
  health: '/api/v1/health',
  quote: '/api/v1/quote',
})

/** A page has some six files, and browsers cache the large ones. */
const PAGES_PER_MINUTE = 240

/** Whether the client prefers HTML to JSON: browsers name it, while other clients name no type, all types, or JSON. */
const isBrowser = (accept = ''): boolean => {
  const wanted = accept.split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase())
  return wanted.includes('text/html') && !wanted.includes('application/json')
}

const answerRoot = ({ req, res, state }: EdgeContext): number => {
  state.cacheControl = 'no-cache'
  res.setHeader('vary', 'accept')
  if (isBrowser(req.headers.accept)) {
    res.setHeader('location', DOCS)
    return 302
  }
  state.answer = { status: 200, json: successEnvelope(state.requestId, PLACES) }
  return 200
}

/** Likely paths for users without the exact page. */
const LEADS: { readonly [path: string]: string } = {
  [`${DOCS}/`]: DOCS,
  [`${DOCS}/guides`]: GUIDES,
  [`${DOCS}/guides/`]: GUIDES,
}

/** Writes all but the body, and returns the status. */
const dress = ({ res, state }: EdgeContext, { status, headers }: PageAnswer): number => {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cache-control') state.cacheControl = value
    else res.setHeader(name, value)
  }
  return status
}

/** The pages show the anonymous limit of this instance, in requests a minute. */
export type LoadPages = (anonymousPerMinute: number) => Promise<DocsPages>

const loadPages: LoadPages = async (anonymousPerMinute) => {
  const { createDocsPages } = await import('../docs/docsPages.ts')
  return createDocsPages(anonymousPerMinute)
}

/**
 * `/docs` and below, and `/`, which redirects there: outside the contract and its rate limits, and loaded at the first use. An
 * address has its own limit of files a minute.
 */
export const docs = (
  { identify }: Pick<Engine, 'identify'>,
  clientAddress: ClientAddress,
  counter: RateCounter,
  load: LoadPages = loadPages,
): EdgeMiddleware => {
  let loading: Promise<DocsPages> | null = null
  const pages = (): Promise<DocsPages> => {
    loading ??= identify(null).then(({ requestsPerMinute }) => load(requestsPerMinute))
    return loading
  }
  const find = async (ctx: EdgeContext): Promise<PageAnswer | null> => {
    const { headers } = ctx.req
    const request = {
      method: 'GET',
      path: ctx.state.path,
      acceptEncoding: headers['accept-encoding']?.toString(),
      ifNoneMatch: headers['if-none-match'],
    }
    try {
      return await (await pages()).answer(request)
    } catch (cause) {
      throw new EdgeError(503, 'NOT_CONFIGURED', 'The pages are not installed here. The document is at /openapi.json.', { cause })
    }
  }
  return async (ctx, next) => {
    const { req, state } = ctx
    const { path } = state
    if (path !== ROOT && path !== DOCS && !path.startsWith(`${DOCS}/`)) return next()
    if (req.method === 'OPTIONS') {
      ctx.res.setHeader('allow', ALLOW)
      ctx.status = 204
      return
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(ALLOW)
    if (path === ROOT) {
      ctx.status = answerRoot(ctx)
      return
    }
    const lead = LEADS[path]
    if (lead !== undefined) {
      state.cacheControl = 'no-cache'
      ctx.res.setHeader('location', lead)
      ctx.status = 302
      return
    }
    await spend(state, counter, `docs ${clientAddress(req)}`, { policy: 'docs', perMinute: PAGES_PER_MINUTE, what: 'pages' })
    const found = await find(ctx)
    if (found === null) throw notFound()
    ctx.status = dress(ctx, found)
    if (req.method === 'GET' && found.status === 200) ctx.body = found.body
  }
}
