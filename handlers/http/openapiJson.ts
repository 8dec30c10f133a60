import Router from '@koa/router'
import { createServedFile } from '../../engine/pages/pages.ts'
import { CACHE_FOR_AN_HOUR } from './dispatch.ts'
import { methodNotAllowed } from './edgeError.ts'
import type { RequestState } from './requestState.ts'

const PATH = '/openapi.json'
const ALLOW = 'GET, HEAD, OPTIONS'

/** Serves the contract itself, compressed for clients that accept it. */
export const openapiJson = (bytes: Buffer): ReturnType<Router<RequestState>['routes']> => {
  const file = createServedFile('openapi.json', bytes)
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get(PATH, async (ctx) => {
    ctx.res.setHeader('etag', file.etag)
    ctx.res.setHeader('vary', 'accept-encoding')
    ctx.state.cacheControl = CACHE_FOR_AN_HOUR
    ctx.res.setHeader('content-type', 'application/json')
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    const { encoding, body } = await file.encode(ctx.req.headers['accept-encoding']?.toString())
    if (encoding !== null) ctx.res.setHeader('content-encoding', encoding)
    ctx.body = body
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
