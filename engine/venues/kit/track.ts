import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'

/** A swap for a tracker; `executed` null: our record is lost. */
export type Tracked = SealedOffer & { readonly executed: ExecutedSwap | null }

export const swapStatus = (
  state: SwapState,
  venueStatus: string | null,
  known: Partial<Pick<SwapStatus, 'deliveredAmount' | 'txHash'>> = {},
): SwapStatus => ({ deliveredAmount: null, txHash: null, ...known, state, venueStatus })

/** The ref belongs to another swap, or the venue has no record of it. */
export const NOT_FOUND: SwapStatus = swapStatus('not_found', null)

/** Distinguishes documented raw statuses from undocumented ones. */
export const isOneOf =
  <const T extends string>(documented: readonly T[]) =>
  (status: string): status is T =>
    documented.some((each) => each === status)

/** Our states of the venue's documented statuses; `unknown` for any other. */
export const stateIn = (states: { readonly [status: string]: SwapState }, status: string): SwapState =>
  Object.hasOwn(states, status) ? (states[status] ?? 'unknown') : 'unknown'
