import type { Address } from './address.ts'
import type { Amount } from './amount.ts'
import type { Binding, Execution, RefundElsewhere, WalletTransaction } from './execution.ts'
import type { FeeCustody } from './fee.ts'
import type { Offer } from './offer.ts'
import type { VenueOrder } from './order.ts'
import type { Proof } from './proof.ts'

/** The ERC-20 step that the payload requires first: the exact amount, never an unlimited one. */
export type Approval = {
  readonly token: Address
  readonly spender: Address
  readonly amount: Amount
  readonly transaction: WalletTransaction
  /** Sent first, when the token rejects a change of a non-zero allowance; else null. */
  readonly reset: WalletTransaction | null
}

/** The sealed content of a quote: the order as priced, and the venue's offer for it. */
export type SealedOffer = { readonly order: VenueOrder; readonly offer: Offer }

/** An executed swap, for the venue's submitter and tracker. */
export type ExecutedSwap = SealedOffer & {
  readonly binding: Binding
  readonly execution: Execution
  /** The proved parts of the payload; absent for swaps stored before this field existed. */
  readonly proof?: Proof
  /** Epoch ms after which the payload has no effect, by its bytes; null without a deadline; absent for older swaps. */
  readonly deadlineAt?: number | null
  /** Other chains where the payload allows a refund of the input; absent: none. */
  readonly refundsElsewhere?: readonly RefundElsewhere[]
  /** The recipient of its integrator fee when it was built; absent without a fee and for older swaps. */
  readonly feeCustody?: FeeCustody
  /** When the swap was executed by the chains' time, epoch ms. Absent when our clock was not ahead of the chains. */
  readonly chainsAt?: number
}

/** How long after a swap's deadline a payment of it may still arrive. Bitcoin has had hours without a block. */
export const PAYMENT_LATE_MS = 24 * 3_600_000

/**
 * The means by which a venue distinguishes the payments of two swaps. `payload`: by the payload's own content, without an id of
 * the venue.
 */
export type SwapKeyKind = 'address' | 'address+channel' | 'address+amount' | 'orderId' | 'signedQuote' | 'payload'

/** Distinguishes one swap from all others of its venue. `value` is in its canonical spelling. */
export type SwapKey = { readonly kind: SwapKeyKind; readonly value: string }
