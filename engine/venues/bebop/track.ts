import type { SwapState } from '../../core/swapStatus.ts'
import { NOT_FOUND, stateIn, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { BebopClient } from './client.ts'
import { pathOf } from './published.ts'

/** https://docs.bebop.xyz: order-status. `Success`: it was sent. A failed order takes no money from the wallet. */
const STATES: { readonly [status: string]: SwapState } = {
  Pending: 'pending',
  Success: 'processing',
  Settled: 'success',
  Confirmed: 'success',
  Failed: 'failed',
}

/** The quote identifies an order. The venue reports nothing about transactions that wallets send. */
export const createTracker = (client: BebopClient): StatusTracker => ({
  track: async (ref, { order, offer, executed }, signal) => {
    if (offer.executionType !== 'SIGNATURE') return swapStatus('unknown', null)
    const path = pathOf(order.input.chainId)
    if (path === null || executed === null || ref !== executed.execution.venueRef) return NOT_FOUND
    const found = await client.orderStatus(path, ref, signal)
    if (found === null) return NOT_FOUND
    const { status, txHash } = found
    const state = stateIn(STATES, status)
    if (state === 'pending' && txHash) return swapStatus('processing', status)
    return swapStatus(state, status, state === 'success' ? { txHash: txHash || null } : {})
  },
})
