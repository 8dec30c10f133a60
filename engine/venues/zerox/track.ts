import type { VenueWord } from '../../core/swapStatus.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { ZeroxClient } from './client.ts'
import type { WireStatus } from './wire.ts'

/** https://docs.0x.org/evm/gasless/api-reference: GET /gasless/status. `confirmed` is under three blocks. */
const isDocumented = isOneOf(['pending', 'submitted', 'succeeded', 'confirmed', 'failed'])

/** Several are under way at times, of which one is mined. */
const txHashOf = ({ transactions }: WireStatus): string | null =>
  transactions.length === 1 ? (transactions[0]?.hash.toLowerCase() ?? null) : null

const judge = (told: WireStatus): VenueWord => {
  const { status } = told
  const known = { txHash: txHashOf(told) }
  if (!isDocumented(status)) return swapStatus('unknown', status)
  switch (status) {
    case 'pending':
      return swapStatus('pending', status)
    case 'submitted':
    case 'succeeded':
      return swapStatus('processing', status, known)
    case 'confirmed':
      return swapStatus('success', status, known)
    case 'failed':
      return swapStatus('failed', status)
  }
}

/** A signed trade by its hash. 0x tells nothing of what a trade is, so that without our record none is known to be this swap's. */
export const createTracker = (client: ZeroxClient): StatusTracker => ({
  track: async (ref, { order, offer, executed }, signal) => {
    if (offer.executionType !== 'SIGNATURE' || executed === null) return swapStatus('unknown', null)
    const { venueRef } = executed.execution
    if (venueRef === null || ref.toLowerCase() !== venueRef) return NOT_FOUND
    const told = await client.status(venueRef, order.input.chainId, signal)
    return told === null ? NOT_FOUND : judge(told)
  },
})
