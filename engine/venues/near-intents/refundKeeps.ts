import type { ExecutedSwap } from '../../core/swap.ts'
import type { RefundKeeps } from '../venue.ts'
import { evidence } from './wire.ts'

/**
 * `refundFee` of the quote, which the venue signs: what a refund costs, in smallest units of the input. Source: `Quote` of
 * @defuse-protocol/one-click-sdk-typescript 0.1.25. Recorded quotes have from 0.05 % to 19 % there, the most of 10,000
 * satoshi. More than half of the input is not granted, whatever was signed: the rest would be next to nothing.
 */
export const refundKeeps = ({ order: { inputAmount }, execution }: ExecutedSwap): RefundKeeps => {
  const signed = BigInt(evidence.readOrNull(execution.evidence)?.words.refundFee ?? 0)
  const half = inputAmount / 2n
  return { amount: signed < half ? signed : half, bps: 0 }
}
