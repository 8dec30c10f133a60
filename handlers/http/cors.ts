import preflightOf from '@koa/cors'
import type { EdgeMiddleware } from './requestState.ts'

/** Browsers cache a preflight answer this long, Chromium at most two hours. */
const MAX_AGE_SECONDS = 7_200
/**
 * Two are those of W3C Trace Context, which browser instrumentation adds by itself. The last one is a response header; the
 * official x402 client sends it with every payment.
 */
const ALLOWED_REQUEST_HEADERS = [
  'content-type',
  'x-api-key',
  'x-request-id',
  'traceparent',
  'tracestate',
  'payment-signature',
  'access-control-expose-headers',
]

/**
 * Answers OPTIONS: a browser's preflight for any path, so that a script can read our 404 as well. Other OPTIONS requests get the
 * methods of a known path. Both are neither identified nor limited. Every other response has its CORS headers from the start;
 * @koa/cors would miss those that never reach the app.
 */
export const cors = (): EdgeMiddleware => {
  const preflight = preflightOf({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH'],
    allowHeaders: ALLOWED_REQUEST_HEADERS,
    maxAge: MAX_AGE_SECONDS,
  })
  return (ctx, next) => {
    if (ctx.req.method !== 'OPTIONS') return next()
    const { known } = ctx.state
    if (known) ctx.res.setHeader('allow', known.allow)
    if (ctx.req.headers['access-control-request-method'] !== undefined) return preflight(ctx, next)
    if (!known) return next()
    ctx.status = 204
    return Promise.resolve()
  }
}
