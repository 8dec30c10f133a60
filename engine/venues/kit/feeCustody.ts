import type { Address } from '../../core/address.ts'
import type { FeeCustody } from '../../core/fee.ts'

/** For a venue whose delivering transaction also pays the fee to an account of the integrator. */
export const paidOnDelivery = (from: FeeCustody['from'], payee: Address | null): FeeCustody => ({
  holder: 'integrator',
  from,
  becomes: null,
  seen: payee && { in: 'output', payee },
})

/** For a venue that credits the fee to the integrator, or holds it until a payment; `becomes`: the asset after a conversion. */
export const keptAtVenue = (
  holder: Exclude<FeeCustody['holder'], 'integrator'>,
  from: FeeCustody['from'],
  becomes: string | null = null,
): FeeCustody => ({ holder, from, becomes, seen: null })
