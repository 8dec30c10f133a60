import type { Handlers } from './handler.ts'
import { btcCoverage } from './operations/btcCoverage.ts'
import { chains } from './operations/chains.ts'
import { execute } from './operations/execute.ts'
import { health } from './operations/health.ts'
import { quote } from './operations/quote.ts'
import { resolveToken } from './operations/resolveToken.ts'
import { status } from './operations/status.ts'
import { submitSignature } from './operations/submitSignature.ts'
import { submitTransaction } from './operations/submitTransaction.ts'

/** Every operation of the contract, by operationId. */
export const handlers = {
  btcCoverage,
  chains,
  execute,
  health,
  quote,
  resolveToken,
  status,
  submitSignature,
  submitTransaction,
} satisfies Handlers
