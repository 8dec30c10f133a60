import type { Amount } from './amount.ts'
import type { Asset } from './asset.ts'

export type SwapState = 'pending' | 'processing' | 'success' | 'expired' | 'refunded' | 'failed' | 'not_found' | 'unknown'

/** Where a swap stands, in our words and the venue's own. */
export type SwapStatus = {
  readonly state: SwapState
  /** The venue's raw status; null when the venue was not asked or said nothing. */
  readonly venueStatus: string | null
  /** Smallest units of the output token that reached the recipient; null until known. */
  readonly deliveredAmount: Amount | null
  /** The delivery, or the refund; the destination chain's own transaction id. Null until known. */
  readonly txHash: string | null
  /** What a venue says it refunds in, where that is another token than was paid; it must be one it really deals in. */
  readonly refundedIn?: Asset
}

export const TERMINAL_STATES: readonly SwapState[] = ['success', 'refunded', 'failed']

/** True when the swap can never change again. `expired` is not: a refund is still owed. */
export const isTerminal = (state: SwapState): boolean => TERMINAL_STATES.includes(state)
