import { chains } from './chains.ts'
import { execute } from './execute.ts'
import type { Handlers } from './handler.ts'
import { health } from './health.ts'
import { quote } from './quote.ts'
import { resolveToken } from './resolveToken.ts'
import { status } from './status.ts'
import { submitSignature } from './submitSignature.ts'
import { submitTransaction } from './submitTransaction.ts'

/** Every operation of the contract, by operationId. */
export const handlers = {
  chains,
  execute,
  health,
  quote,
  resolveToken,
  status,
  submitSignature,
  submitTransaction,
} satisfies Handlers
