import type { Json } from '../core/json.ts'
import type { SwapEventName } from '../core/partner.ts'
import type { SwapState, SwapStatus } from '../core/swapStatus.ts'
import type { SwapRecord } from '../store/swaps.ts'

const EVENT_OF: { readonly [S in SwapState]: SwapEventName | null } = {
  success: 'swap.settled',
  refunded: 'swap.refunded',
  failed: 'swap.failed',
  pending: null,
  processing: null,
  expired: null,
  not_found: null,
  unknown: null,
}

/** The partner event of a state; null for a state that is no end. */
export const swapEventOf = (state: SwapState): SwapEventName | null => EVENT_OF[state]

/** How far the delivery is below the quote, in basis points, rounded up; 0 where it is the quoted amount or more. */
const slippageBps = (quoted: bigint, delivered: bigint): number =>
  delivered >= quoted ? 0 : Number(((quoted - delivered) * 10_000n + quoted - 1n) / quoted)

/** The webhook body for the end of a swap, without its `ts`. */
export const swapEventBody = (
  event: SwapEventName,
  { requestId, swap }: Pick<SwapRecord, 'requestId' | 'swap'>,
  { partnerId, after }: { readonly partnerId: string; readonly after: SwapStatus },
): { readonly [field: string]: Json } => {
  const delivered = event === 'swap.settled' ? after.deliveredAmount : null
  return {
    event,
    requestId,
    partnerId,
    venue: swap.offer.venue,
    deliveredOut: delivered === null ? null : delivered.toString(),
    slippageBps: delivered === null ? null : slippageBps(swap.offer.outputAmount, delivered),
  }
}
