import type { ExecutedSwap } from '../../core/swap.ts'
import type { RefundKeeps } from '../venue.ts'
import { trackingCarry } from './wire.ts'

/** The network's fees follow the gas of the chain: our own bound on the increase from the build of a swap to its refund. */
const DEARER = 3n

/**
 * "Refunds … minus the outbound fee", by the network's fee when the swap was built; never more than half:
 * https://dev.thorchain.org/concepts/fees.html. A smaller deposit may be used up, and then stays owed.
 */
export const refundKeeps = ({ order: { inputAmount }, execution: { carry } }: ExecutedSwap): RefundKeeps => {
  const fee = BigInt(trackingCarry.readOrNull(carry)?.outboundFee ?? 0) * DEARER
  return { amount: fee < inputAmount / 2n ? fee : inputAmount / 2n, bps: 0 }
}
