import { ChainError } from '../../chains/chains.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Execution } from '../../core/execution.ts'
import { SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { Observe } from '../../observe/observe.ts'

export type SimulatePorts = { readonly solana: SolanaTransactions; readonly observe: Observe; readonly requestId: string }

const SIMULATE_DEADLINE_MS = 4_000

/**
 * Has the chain try a Solana payment before a wallet is asked to sign it. BUILD_FAILED when it would fail, with what the
 * chain says. A chain that cannot be asked is reported, and the payment handed out: it is tried again when it is sent.
 */
export const simulatePayment = async (
  { payload }: Execution,
  { id, venue }: { readonly id: string; readonly venue: string },
  { solana, observe, requestId }: SimulatePorts,
): Promise<void> => {
  const serialized = payload.executionType === 'TRANSACTION' ? payload.transaction.serialized : undefined
  if (serialized === undefined) return
  try {
    const refusal = await withDeadline(SIMULATE_DEADLINE_MS, (signal) => solana.simulate(serialized, signal))
    if (refusal === null) return
    const { reason, error } = refusal
    observe({ event: 'payment.refused', requestId, quoteId: id, venue, reason })
    const text =
      reason === 'insufficientFunds'
        ? 'The payment would fail: the wallet lacks the amount, or SOL for fees. Fund it and execute again.'
        : 'The payment would fail on Solana. Request a fresh quote.'
    throw new SwapError('BUILD_FAILED', text, { details: { venue, reason, transactionError: error } })
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    observe({ event: 'chain.unread', requestId, chainId: SOLANA, what: 'simulation', reason: error.message })
  }
}
