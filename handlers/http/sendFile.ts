import type { createServedFile } from '../../engine/pages/pages.ts'
import type { EdgeContext } from './requestState.ts'

/** Sends a file from memory: compressed if the client accepts that, and 304 if the client already has it. */
export const sendFile = async (
  ctx: EdgeContext,
  file: ReturnType<typeof createServedFile>,
  cacheControl: string,
): Promise<void> => {
  ctx.res.setHeader('etag', file.etag)
  ctx.res.setHeader('vary', 'accept-encoding')
  ctx.state.cacheControl = cacheControl
  ctx.res.setHeader('content-type', file.type)
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const { encoding, body } = await file.encode(ctx.req.headers['accept-encoding']?.toString())
  if (encoding !== null) ctx.res.setHeader('content-encoding', encoding)
  ctx.body = body
}
