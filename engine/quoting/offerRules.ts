import { bpsOf } from '../core/amount.ts'
import { isNative } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'

/** The venues' own integer divisions may each lose a unit. */
const ROUNDING_UNITS = 2n

const slippageProblem = ({ outputAmount, slippage }: Offer, { slippageBps }: Order): string | null => {
  if (slippage === null) return null
  if (slippage.guaranteedMin <= 0n || slippage.guaranteedMin > outputAmount) return 'the guaranteed minimum is out of range'
  if (slippageBps === null) return null
  const least = outputAmount - bpsOf(outputAmount, slippageBps) - ROUNDING_UNITS
  return slippage.guaranteedMin < least ? 'the guaranteed minimum is below the slippage asked for' : null
}

const problemOf = (offer: Offer, order: Order, profile: VenueProfile, now: number): string | null => {
  if (offer.venue !== profile.id) return 'the offer names another venue'
  if (offer.outputAmount <= 0n) return 'the output is nothing'
  if (offer.fee.bps > order.feeBps) return 'the integrator fee is higher than asked for'
  if (offer.expiresAt !== null && offer.expiresAt <= now) return 'the offer has already expired'
  if (offer.spender !== null && isNative(order.input)) return 'a native coin needs no spender'
  const contracts = profile.contracts[order.input.chainId] ?? []
  if (offer.spender !== null && !contracts.includes(offer.spender)) return 'the spender is no published contract of the venue'
  return slippageProblem(offer, order)
}

/** Holds every offer to what any offer must be, whatever its adapter checked. Throws VenueError('badResponse'). */
export const checkOffer = (offer: Offer, order: Order, profile: VenueProfile, now: number): Offer => {
  const problem = problemOf(offer, order, profile, now)
  if (problem !== null) throw new VenueError('badResponse', problem)
  return offer
}
