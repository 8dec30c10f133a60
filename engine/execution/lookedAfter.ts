import type { SwapState } from '../core/swapStatus.ts'
import type { NewSwap, SwapRecord } from '../store/swaps.ts'

/** Whether a swap is followed without being asked for: somebody is to be told how it ends, or earns by it. */
export const isLookedAfter = ({ isSandbox, executedBy, swap }: Pick<NewSwap, 'isSandbox' | 'executedBy' | 'swap'>): boolean =>
  !isSandbox && (executedBy !== null || swap.offer.fee.bps > 0)

const HAS_MONEY: { readonly [S in SwapState]: boolean } = {
  pending: false,
  processing: true,
  success: true,
  // Something was paid, and is owed back.
  expired: true,
  refunded: true,
  failed: false,
  not_found: false,
  unknown: false,
}

/** Whether money may be under way: it was paid, or its order is signed, and the venue may take it. */
export const isPaidOrSigned = ({ postingAt, submittedAt }: Pick<SwapRecord, 'postingAt' | 'submittedAt'>, state: SwapState) =>
  HAS_MONEY[state] || ((postingAt !== null || submittedAt !== null) && state !== 'failed')
