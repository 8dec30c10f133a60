import type { Address } from './address.ts'
import type { Amount } from './amount.ts'
import type { Binding, Execution, RefundElsewhere, WalletTransaction } from './execution.ts'
import type { FeeCustody } from './fee.ts'
import type { Offer } from './offer.ts'
import type { VenueOrder } from './order.ts'
import type { Proof } from './proof.ts'

/** The ERC-20 step to complete before the payload can work: the exact amount, never an unlimited one. */
export type Approval = {
  readonly token: Address
  readonly spender: Address
  readonly amount: Amount
  readonly transaction: WalletTransaction
  /** To send first, when the token refuses to change a non-zero allowance; else null. */
  readonly reset: WalletTransaction | null
}

/** What a quote sealed: the order as priced, and the venue's offer for it. */
export type SealedOffer = { readonly order: VenueOrder; readonly offer: Offer }

/** A swap that was executed, as the venue's submitter and tracker see it again. */
export type ExecutedSwap = SealedOffer & {
  readonly binding: Binding
  readonly execution: Execution
  /** What was proved of the payload; swaps stored before this was kept have none. */
  readonly proof?: Proof
  /** Epoch ms after which the payload can no longer do anything, by its bytes; null where it has no deadline. Likewise. */
  readonly deadlineAt?: number | null
  /** Where else than on its own chain the input may be given back, by the payload; left out: nowhere. */
  readonly refundsElsewhere?: readonly RefundElsewhere[]
  /** Where its integrator fee goes, as it was when it was built; left out where it has none, and likewise. */
  readonly feeCustody?: FeeCustody
  /** When the swap was executed by the chains' time, epoch ms. Left out when our clock was not ahead of the chains. */
  readonly chainsAt?: number
}

/** How long after a swap's deadline a payment of it may still arrive. Bitcoin has had hours without a block. */
export const PAYMENT_LATE_MS = 24 * 3_600_000

/**
 * How a venue tells the payment of one swap from that of another. `payload`: by nothing that the venue gave it, but by what
 * the payload itself says.
 */
export type SwapKeyKind = 'address' | 'address+channel' | 'address+amount' | 'orderId' | 'signedQuote' | 'payload'

/** What sets one swap apart from all others of its venue. `value` is in the one spelling that it has. */
export type SwapKey = { readonly kind: SwapKeyKind; readonly value: string }
