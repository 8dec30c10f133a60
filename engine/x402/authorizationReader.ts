import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'

/**
 * What the chain shows of a signed payment.
 * `used`: a transaction that did not fail used it up and paid the requirements' recipient the amount they ask for.
 * `spent`: it is used up, and did not pay that: cancelled by its payer, or used for something else. It never will.
 * `expired`: it is not used, and its time is over by the chain's own, confirmed blocks: it never will be.
 * `unused`: it can still be used, by whoever holds it. Nothing final: a transaction may be under way.
 * `unknown`: the chain could not be read, or did not say enough.
 */
export type AuthorizationState =
  | { readonly state: 'used'; readonly transaction: string }
  | { readonly state: 'spent' | 'expired' | 'unused' | 'unknown' }

/** Asks the chains themselves what became of a payment. Never throws, unless the signal aborts. */
export interface AuthorizationReader {
  /**
   * `told`: the transaction that is said to have used it, null where none is. Our own nodes are given some seconds to come as
   * far as whoever said so; what it shows alone counts.
   */
  stateOf(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    signal: AbortSignal,
    told: string | null,
  ): Promise<AuthorizationState>
}
