import type { ExecutionType } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { Assurance, Proof } from '../core/proof.ts'
import type { Route } from '../core/route.ts'
import type { TrustedPart, VenueProfile } from '../venues/venue.ts'

/** Whether the profile lists, with its reason, that payloads of this kind cannot prove the part on this route. */
export const isListed = (
  { takesOnTrust }: Pick<VenueProfile, 'takesOnTrust'>,
  part: TrustedPart,
  executionType: ExecutionType,
  route: Route,
): boolean =>
  takesOnTrust.some((rule) => rule.executionType === executionType && rule.parts.includes(part) && rule.appliesTo(route))

/** What a payload of this venue will prove, by its profile, before it is built. The actual proof may be better. */
export const expectProof = (profile: VenueProfile, executionType: ExecutionType, route: Route): Proof => {
  const sure = (part: TrustedPart): Assurance => (isListed(profile, part, executionType, route) ? 'taken-on-trust' : 'proved')
  return {
    recipient: sure('recipient'),
    minimum: sure('minimum'),
    refund: profile.holdsInput(route, executionType) ? sure('refund') : 'not-applicable',
  }
}

/** Whether anything of this order would be taken on trust, however the venue executes it. A fee counts where one is charged. */
export const needsTrust = (profile: VenueProfile, order: Route & Pick<Order, 'feeBps'>): boolean => {
  const isCharged = order.feeBps > 0 && profile.feeRecipient(order) !== null
  return profile.takesOnTrust.some(
    ({ parts, appliesTo }) => appliesTo(order) && parts.some((part) => part !== 'fee' || isCharged),
  )
}
