import type { SwapStatus } from '../../core/swapStatus.ts'
import type { Static } from '../kit/shapes.ts'
import { NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { BebopClient } from './client.ts'
import { pathOf } from './published.ts'
import type { statusShape } from './wire.ts'

/** https://docs.bebop.xyz: order-status. Nothing leaves the wallet by an order that failed. */
const judge = ({ status, txHash = null }: Static<typeof statusShape>): SwapStatus => {
  switch (status) {
    case 'Pending':
      return swapStatus(txHash === null ? 'pending' : 'processing', status)
    // It was sent.
    case 'Success':
      return swapStatus('processing', status)
    case 'Settled':
    case 'Confirmed':
      return swapStatus('success', status, { txHash })
    case 'Failed':
      return swapStatus('failed', status)
    default:
      return swapStatus('unknown', status)
  }
}

/** An order is known by its quote. Of transactions that wallets send the venue has no word. */
export const createTracker = (client: BebopClient): StatusTracker => ({
  track: async (ref, { order, offer, executed }, signal) => {
    if (offer.executionType !== 'SIGNATURE') return swapStatus('unknown', null)
    const path = pathOf(order.input.chainId)
    if (path === null || executed === null || ref !== executed.execution.venueRef) return NOT_FOUND
    const found = await client.orderStatus(path, ref, signal)
    return found === null ? NOT_FOUND : judge(found)
  },
})
