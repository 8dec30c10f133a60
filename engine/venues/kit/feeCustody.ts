import type { Address } from '../../core/address.ts'
import type { FeeCustody } from '../../core/fee.ts'

/** Of a venue that pays the fee to an account of the integrator's by the very transaction that delivers. */
export const paidOnDelivery = (from: FeeCustody['from'], payee: Address | null): FeeCustody => ({
  holder: 'integrator',
  from,
  becomes: null,
  seen: payee && { in: 'output', payee },
})

/** Of a venue that sets the fee down for the integrator, or keeps it until it pays; `becomes`: in another asset than it was. */
export const keptAtVenue = (
  holder: Exclude<FeeCustody['holder'], 'integrator'>,
  from: FeeCustody['from'],
  becomes: string | null = null,
): FeeCustody => ({ holder, from, becomes, seen: null })
