import type { Handler } from '../handler.ts'
import { toExecution } from '../map/execution.ts'

export const execute: Handler<'execute'> = async ({ body, context }, engine) => {
  const { quoteToken, destinationAddress = null, refundAddress = null } = body
  return toExecution(await engine.execute({ quoteToken, destinationAddress, refundAddress }, context))
}
