import type { ExecutedSwap } from '../../core/swap.ts'
import type { RefundKeeps } from '../venue.ts'
import { evidence } from './wire.ts'

/**
 * `refundFee` of the quote, which the venue signs: the cost of a refund, in smallest units of the input. Source: `Quote` of
 * @defuse-protocol/one-click-sdk-typescript 0.1.25. It is from 0.05 % to 19 % in recorded quotes, the most of 10,000 satoshi. The
 * service accepts at most half of the input, whatever was signed.
 */
export const refundKeeps = ({ order: { inputAmount }, execution }: ExecutedSwap): RefundKeeps => {
  const signed = BigInt(evidence.readOrNull(execution.evidence)?.words.refundFee ?? 0)
  const half = inputAmount / 2n
  return { amount: signed < half ? signed : half, bps: 0 }
}
