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

/** What a partner is told of a state; null of one that is no end. */
export const swapEventOf = (state: SwapState): SwapEventName | null => EVENT_OF[state]

/** By how much less than was quoted came, in basis points, rounded up; 0 where it was as much or more. */
const slippageBps = (quoted: bigint, delivered: bigint): number =>
  delivered >= quoted ? 0 : Number(((quoted - delivered) * 10_000n + quoted - 1n) / quoted)

/** What is told of the end of a swap, but for when: the body of the webhook without its `ts`. */
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
