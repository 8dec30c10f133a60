import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'

/**
 * The state of a signed payment on its chain.
 * - `used`: a successful transaction used it and paid the recipient of the requirements the demanded amount.
 * - `spent`: it is used up without that payment: cancelled by its payer, or used for another purpose. Final.
 * - `expired`: it is unused after its end by the chain's own, confirmed blocks. Final.
 * - `unused`: any holder can still use it. Not final: a transaction may be pending.
 * - `unknown`: the chain could not be read, or gave too little data.
 */
export type AuthorizationState =
  | { readonly state: 'used'; readonly transaction: string }
  | { readonly state: 'spent' | 'expired' | 'unused' | 'unknown' }

/** Reads the state of a payment on its chain. Never throws, unless the signal aborts. */
export interface AuthorizationReader {
  /**
   * `told`: the reported transaction, or null. The reader gives our nodes some seconds to reach its block. Only the chain's state
   * counts.
   */
  stateOf(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    signal: AbortSignal,
    told: string | null,
  ): Promise<AuthorizationState>
}
