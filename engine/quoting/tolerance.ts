import type { Order, VenueOrder } from '../core/order.ts'
import type { VenueProfile } from '../venues/venue.ts'

/**
 * The order as the venue receives it. Its tolerance is the caller's, or else the venue's documented default of at most
 * `defaultBpsMax`. In both cases it is limited to the range of the venue. `checkOffer` enforces the caller's own bound.
 */
export const orderFor = (profile: Pick<VenueProfile, 'slippage'>, order: Order, defaultBpsMax: number): VenueOrder => {
  const { defaultBps, minBps, maxBps } = profile.slippage(order)
  const wanted = order.slippageBps ?? Math.min(defaultBps, defaultBpsMax)
  return { ...order, slippageBps: Math.min(Math.max(wanted, minBps), maxBps) }
}
