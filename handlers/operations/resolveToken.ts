import type { Handler } from '../handler.ts'
import { toToken } from '../map/token.ts'

export const resolveToken: Handler<'resolveToken'> = async ({ query: { chainId, address }, context }, engine) => ({
  token: toToken(await engine.resolveToken({ chainId, address }, context)),
})
