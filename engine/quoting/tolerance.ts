import type { Order, VenueOrder } from '../core/order.ts'
import type { VenueProfile } from '../venues/venue.ts'

/**
 * The order as a venue is asked it. Its tolerance is the caller's, else the venue's documented default but at most
 * `defaultBpsMax`, in either case kept within what the venue takes. The caller's own bound is held to by `checkOffer`.
 */
export const orderFor = (profile: Pick<VenueProfile, 'slippage'>, order: Order, defaultBpsMax: number): VenueOrder => {
  const { defaultBps, minBps, maxBps } = profile.slippage(order)
  const wanted = order.slippageBps ?? Math.min(defaultBps, defaultBpsMax)
  return { ...order, slippageBps: Math.min(Math.max(wanted, minBps), maxBps) }
}
