import Router from '@koa/router'
import { createServedFile } from '../../engine/pages/pages.ts'
import { CACHE_FOR_AN_HOUR } from './dispatch.ts'
import { methodNotAllowed } from './edgeError.ts'
import type { RequestState } from './requestState.ts'
import { sendFile } from './sendFile.ts'

const PATH = '/openapi.json'
const ALLOW = 'GET, HEAD, OPTIONS'

/** Serves the contract itself, compressed for clients that accept it. */
export const openapiJson = (bytes: Buffer): ReturnType<Router<RequestState>['routes']> => {
  const file = createServedFile('openapi.json', bytes)
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get(PATH, (ctx) => sendFile(ctx, file, CACHE_FOR_AN_HOUR))
  router.options(PATH, (ctx) => {
    ctx.res.setHeader('allow', ALLOW)
    ctx.status = 204
  })
  router.all(PATH, () => {
    throw methodNotAllowed(ALLOW)
  })
  return router.routes()
}
