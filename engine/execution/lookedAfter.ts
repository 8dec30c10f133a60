import type { SwapState } from '../core/swapStatus.ts'
import type { NewSwap, SwapRecord } from '../store/swaps.ts'

/** True if settlement follows the swap: a partner gets its result or earns a fee. */
export const isLookedAfter = ({ isSandbox, executedBy, swap }: Pick<NewSwap, 'isSandbox' | 'executedBy' | 'swap'>): boolean =>
  !isSandbox && (executedBy !== null || swap.offer.fee.bps > 0)

const HAS_MONEY: { readonly [S in SwapState]: boolean } = {
  pending: false,
  processing: true,
  success: true,
  // A payment arrived, so a refund is due.
  expired: true,
  refunded: true,
  failed: false,
  not_found: false,
  unknown: false,
}

/** True if money may be in transit: the swap is paid, or its order is signed and the venue may fill it. */
export const isPaidOrSigned = ({ postingAt, submittedAt }: Pick<SwapRecord, 'postingAt' | 'submittedAt'>, state: SwapState) =>
  HAS_MONEY[state] || ((postingAt !== null || submittedAt !== null) && state !== 'failed')
