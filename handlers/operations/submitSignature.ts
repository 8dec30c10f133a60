import type { Hex } from '../../engine/core/execution.ts'
import type { Handler } from '../handler.ts'

// The contract's pattern has checked the 0x; its generated type is a plain string.
const asHex = (text: string): Hex => text as Hex

export const submitSignature: Handler<'submitSignature'> = async ({ body, context }, engine) => {
  const { quoteToken, signature, approvalSignature } = body
  const { statusRef, venue } = await engine.submitSignature(
    {
      quoteToken,
      signature: asHex(signature),
      approvalSignature: approvalSignature === undefined ? null : asHex(approvalSignature),
    },
    context,
  )
  return { statusRef, venue }
}
