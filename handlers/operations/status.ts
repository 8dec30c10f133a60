import type { Handler } from '../handler.ts'
import { toSwapStatus } from '../map/swapStatus.ts'

export const status: Handler<'status'> = async ({ query: { quoteToken, ref }, context }, engine) =>
  toSwapStatus(await engine.status({ quoteToken, ref }, context))
