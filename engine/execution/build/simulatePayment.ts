import { readOr } from '../../chains/readOr.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Execution } from '../../core/execution.ts'
import type { VenueId } from '../../core/offer.ts'
import { SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'

export type SimulatePorts = { readonly solana: SolanaTransactions; readonly observe: ObserveRequest }

const SIMULATE_DEADLINE_MS = 4_000

/**
 * Simulates a Solana payment before the wallet signs it. Throws BUILD_FAILED with the chain's error if it would fail. If the
 * chain is unreachable, logs that and returns the payload: the broadcast simulates it again.
 */
export const simulatePayment = async (
  { payload }: Execution,
  venue: VenueId,
  { solana, observe }: SimulatePorts,
): Promise<void> => {
  const serialized = payload.executionType === 'TRANSACTION' ? payload.transaction.serialized : undefined
  if (serialized === undefined) return
  const refusal = await readOr({ chainId: SOLANA, what: 'simulation', observe }, null, () =>
    withDeadline(SIMULATE_DEADLINE_MS, (signal) => solana.simulate(serialized, signal)),
  )
  if (refusal === null) return
  const { reason, error } = refusal
  observe({ event: 'payment.refused', venue, reason })
  const text =
    reason === 'insufficientFunds'
      ? 'The payment would fail: the wallet lacks the amount, or SOL for fees. Fund it and execute again.'
      : 'The payment would fail on Solana. Request a fresh quote.'
  throw new SwapError('BUILD_FAILED', text, { details: { venue, reason, transactionError: error } })
}
