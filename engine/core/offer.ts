import type { Address } from './address.ts'
import type { Amount } from './amount.ts'
import type { Json } from './json.ts'
import type { Sum } from './peg.ts'

/** The API's venue id, such as `near-intents`. */
export type VenueId = string

export type ExecutionType = 'TRANSACTION' | 'SIGNATURE' | 'DEPOSIT'

/** A bound on how much worse than `outputAmount` the swap may end. */
export type Slippage = {
  /** True when a contract or the venue's signed word enforces the bound. */
  readonly isFirm: boolean
  /** The least the recipient can get for the swap to count as done; smallest units of the output token. */
  readonly guaranteedMin: Amount
}

/** The integrator fee as this venue will take it: zero where the venue cannot take one on this route. */
export type OfferFee = {
  readonly bps: number
  /** Smallest units of the output token; already subtracted from the offer's `outputAmount`. */
  readonly amount: Amount
}

/** One venue's price for one order. Asking for it must have changed nothing at the venue. */
export type Offer = {
  readonly venue: VenueId
  readonly executionType: ExecutionType
  /** What the recipient is expected to get, net of every fee the venue and the integrator take from it. */
  readonly outputAmount: Amount
  readonly fee: OfferFee
  /** Null when the venue gives no bound: fit for a preview only. */
  readonly slippage: Slippage | null
  /**
   * What the wallet's own transaction takes, in units of the chain's fee price: gas on EVM, on Solana signatures, in which a
   * priority is counted too. Null when the venue does not say or the wallet sends none.
   */
  readonly gasUnits: bigint | null
  /** Who must be allowed to take the input token; null when nobody need be. */
  readonly spender: Address | null
  /** True where the wallet allows that by a signature beside its swap, so that no approval need be sent before. */
  readonly isApprovedBySignature?: boolean
  /**
   * What the venue takes beside the input, in smallest units of the input chain's native coin; 0 for most. It is not the
   * network's fee.
   */
  readonly nativeFee: Amount
  /** From broadcast, signature or deposit to delivery; null when the venue does not say. */
  readonly estimatedTimeSeconds: number | null
  /** Epoch ms until which the venue stands by the price; null when it does not say. */
  readonly expiresAt: number | null
  /** What the venue itself says of the tokens' decimals. The engine drops an offer that contradicts the chain. */
  readonly decimals: { readonly input: number | null; readonly output: number | null }
  /** What is locked or bridged at least where the venue exchanges the input before; left out where it locks the input itself. */
  readonly bridges?: Sum
  /**
   * The least of the locked asset that is worth the guaranteed minimum, by prices at quote time. The engine seals it where the
   * locked asset and the output are of no common peg class; no adapter sets it.
   */
  readonly bridgesLeast?: Sum
  /** What the venue needs to see again at execute time: small, versioned, JSON. It travels inside the quote token. */
  readonly carry: Json
}
