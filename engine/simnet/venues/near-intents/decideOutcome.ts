import type { FaultName } from '../../kit/faults.ts'
import type { OrderTerms, Outcome } from './orders.ts'

export const SETTLEMENT_FAULTS = ['fails', 'lying-success', 'short-fill', 'never-fills'] as const satisfies readonly FaultName[]

/** How long a refund takes. */
export const REFUND_MS = 60_000
const NEVER_FILLS_REFUND_MS = 60 * 60_000

/** At the price of this moment. */
export const decideOutcome = (order: OrderTerms, now: number, fault: (typeof SETTLEMENT_FAULTS)[number] | null): Outcome => {
  const { amountOut, minAmountOut, deadlineAt, timeEstimateMs } = order
  if (fault === 'fails') return { ends: 'FAILED' }
  if (fault === 'lying-success') return { ends: 'SUCCESS', amountOut, isLie: true }
  if (fault === 'short-fill') return { ends: 'SUCCESS', amountOut: (minAmountOut * 9n) / 10n }
  if (fault === 'never-fills') return { ends: 'REFUNDED', reason: 'NO_LIQUIDITY', at: deadlineAt + NEVER_FILLS_REFUND_MS }
  if (now > deadlineAt) return { ends: 'REFUNDED', reason: 'UNKNOWN', at: now + REFUND_MS }
  const fresh = order.reprice()
  if (fresh < minAmountOut)
    return { ends: 'REFUNDED', reason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT', at: now + timeEstimateMs + REFUND_MS }
  // A better price than quoted is shared with the venue, half and half.
  return { ends: 'SUCCESS', amountOut: fresh > amountOut ? amountOut + (fresh - amountOut) / 2n : fresh }
}
