import type { SwapState } from '../../core/swapStatus.ts'
import { NOT_FOUND, stateIn, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { ZeroxClient } from './client.ts'
import { settledShape } from './wire.ts'

/** https://docs.0x.org/evm/gasless/api-reference: GET /gasless/status. `succeeded` has less than three confirmations. */
const STATES: { readonly [status: string]: SwapState } = {
  pending: 'pending',
  submitted: 'processing',
  succeeded: 'processing',
  confirmed: 'success',
  failed: 'failed',
}

/** Follows a signed trade by its hash. 0x reports no content of a trade, so without our record the state is unknown. */
export const createTracker = (client: ZeroxClient): StatusTracker => ({
  track: async (ref, { order, offer, executed }, signal) => {
    if (offer.executionType !== 'SIGNATURE' || executed === null) return swapStatus('unknown', null)
    const { venueRef } = executed.execution
    if (venueRef === null || ref.toLowerCase() !== venueRef) return NOT_FOUND
    const told = await client.status(venueRef, order.input.chainId, signal)
    if (told === null) return NOT_FOUND
    const { status, transactions } = told
    const state = stateIn(STATES, status)
    const isSent = state === 'processing' || state === 'success'
    // Several can be pending, of which one is mined.
    const [only] = Array.isArray(transactions) && transactions.length === 1 ? transactions : []
    return swapStatus(state, status, isSent ? { txHash: settledShape.readOrNull(only)?.hash.toLowerCase() ?? null } : {})
  },
})
