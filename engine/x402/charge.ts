import type { SettleResponse } from '@x402/core/types'
import type { PaymentReason } from '../core/paidCall.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import type { AuthorizationReader, AuthorizationState } from './authorizationReader.ts'
import { isDefinite, reasonFrom } from './paymentRefusal.ts'
import type { PaymentTerms } from './paymentTerms.ts'
import type { SignedPayment } from './signedPayment.ts'

/** The end of a charge. `never`: it was not made, and cannot be. `refused`: it was not made, by the chain's current state. */
export type Charge =
  | { readonly kind: 'settled'; readonly transaction: string }
  | { readonly kind: 'never' | 'refused'; readonly reason: PaymentReason }
  | { readonly kind: 'unsure'; readonly cause: unknown }

type Payment = Pick<SignedPayment, 'payload' | 'requirements'>

/** A facilitator's own limit is shorter; the official server asks it once more after an uncertain answer. */
const SETTLE_MS = 20_000
/** Our own nodes may be some seconds behind the node that settled it. */
const READ_MS = 15_000

export const readAuthorization = async (
  authorizations: AuthorizationReader,
  { payload, requirements }: Payment,
  told: string | null = null,
): Promise<AuthorizationState> => {
  try {
    return await withDeadline(READ_MS, (signal) =>
      untilAborted(authorizations.stateOf(payload, requirements, signal, told), signal),
    )
  } catch {
    return { state: 'unknown' }
  }
}

/** The end of a charge by the chain; null while it may still be made. */
export const chargeFrom = (seen: AuthorizationState): Charge | null => {
  if (seen.state === 'used') return { kind: 'settled', transaction: seen.transaction }
  if (seen.state === 'spent') return { kind: 'never', reason: 'spent' }
  if (seen.state === 'expired') return { kind: 'never', reason: 'notValidNow' }
  return null
}

/**
 * Settles a payment. The chain must confirm the facilitator's report of success or failure. A failure without a report proves
 * nothing.
 */
export const charge = async (
  { server }: PaymentTerms,
  authorizations: AuthorizationReader,
  payment: Payment,
): Promise<Charge> => {
  let told: SettleResponse | null = null
  let cause: unknown = null
  try {
    told = await withDeadline(SETTLE_MS, (signal) =>
      untilAborted(server.settlePayment(payment.payload, payment.requirements), signal),
    )
  } catch (error) {
    cause = error
  }
  const seen = await readAuthorization(authorizations, payment, told?.transaction || null)
  const shown = chargeFrom(seen)
  if (shown) return shown
  if (seen.state === 'unused' && told?.success === false && !told.transaction && isDefinite(told.errorReason))
    return { kind: 'refused', reason: reasonFrom(told.errorReason) }
  return { kind: 'unsure', cause: cause ?? new Error(`the facilitator says ${told?.success}, the chain ${seen.state}`) }
}
