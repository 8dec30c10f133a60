import type { Handler } from '../handler.ts'

export const submitTransaction: Handler<'submitTransaction'> = ({ body, context }, engine) => {
  const { quoteToken, signedTransaction } = body
  return engine.submitTransaction({ quoteToken, signedTransaction }, context)
}
