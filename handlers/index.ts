import type { Handlers } from './handler.ts'
import { btcCoverage } from './operations/btcCoverage.ts'
import { createChains } from './operations/chains.ts'
import { createKey } from './operations/createKey.ts'
import { execute } from './operations/execute.ts'
import { health } from './operations/health.ts'
import { keyEvents } from './operations/keyEvents.ts'
import { quote } from './operations/quote.ts'
import { readKey } from './operations/readKey.ts'
import { resolveToken } from './operations/resolveToken.ts'
import { status } from './operations/status.ts'
import { submitSignature } from './operations/submitSignature.ts'
import { submitTransaction } from './operations/submitTransaction.ts'
import { updateKey } from './operations/updateKey.ts'
import { webhookTest } from './operations/webhookTest.ts'

/** Every operation of the contract, by operationId. */
export const createHandlers = (publicUrl: string | null): Handlers => ({
  btcCoverage,
  chains: createChains(publicUrl),
  createKey,
  execute,
  health,
  keyEvents,
  quote,
  readKey,
  resolveToken,
  status,
  submitSignature,
  submitTransaction,
  updateKey,
  webhookTest,
  // Paid by the call, and else the same.
  x402Quote: quote,
  x402Execute: execute,
  x402SubmitSignature: submitSignature,
  x402SubmitTransaction: submitTransaction,
  x402Status: status,
})
