import { createHash } from 'node:crypto'
import Router from '@koa/router'
import { CACHE_FOR_AN_HOUR } from './dispatch.ts'
import { methodNotAllowed } from './edgeError.ts'
import type { RequestState } from './requestState.ts'

const PATH = '/openapi.json'
const ALLOW = 'GET, HEAD, OPTIONS'

/** Serves the contract itself, the one thing outside the contract. */
export const openapiJson = (bytes: Buffer): ReturnType<Router<RequestState>['routes']> => {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get(PATH, (ctx) => {
    ctx.res.setHeader('etag', etag)
    ctx.state.cacheControl = CACHE_FOR_AN_HOUR
    ctx.res.setHeader('content-type', 'application/json')
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = bytes
  })
  router.options(PATH, (ctx) => {
    ctx.res.setHeader('allow', ALLOW)
    ctx.status = 204
  })
  router.all(PATH, () => {
    throw methodNotAllowed(ALLOW)
  })
  return router.routes()
}
