import type { Clock } from '../../core/clock.ts'
import type { SignatureSubmitter } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { UniswapXClient } from './client.ts'
import { orderOf } from './events.ts'
import { carryShape } from './wire.ts'

/** r, s and v: the API accepts no other form, also for contract wallets. */
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/**
 * Posts signed orders with the exact quote that they were made from. The venue's other use of that quote is harmless: the reactor
 * enforces the signed values.
 */
export const createSubmitter = (client: UniswapXClient, clock: Clock): SignatureSubmitter => ({
  submit: async (swap, { signature }, signal) => {
    const order = await orderOf(swap)
    if (order === null) throw new VenueError('badRequest', 'this swap is not signed')
    if (!SIGNATURE.test(signature))
      throw new VenueError('badRequest', 'the venue takes signatures of 65 bytes only', { party: 'signature' })
    const { routing, quote } = carryShape.read(swap.execution.carry)
    const { orderId } = order
    try {
      const placed = await client.place({ signature, quote, routing }, signal)
      if (placed.orderId.toLowerCase() !== orderId)
        throw rejected('orderId', 'another order was placed than was signed', placed.orderId)
    } catch (error) {
      if (!(error instanceof VenueError) || !error.isDecline) throw error
      // The venue refuses a repeated order that is filled, or about to end. The first post still counts.
      const isPlaced = (await client.order(orderId, routing, signal)) !== null
      const isLate = clock.now() >= Number(order.deadline) * 1_000
      if (!isPlaced) throw isLate ? new VenueError('noLiquidity', 'it was signed too late', { cause: error }) : error
    }
    return { statusRef: orderId }
  },
})
