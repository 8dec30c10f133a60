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
   * The cost of the wallet's own transaction, in units of the chain's fee price: gas on EVM, signatures on Solana, which include
   * a priority fee. Null when the venue states none, or when the wallet sends no transaction.
   */
  readonly gasUnits: bigint | null
  /** The contract that needs an allowance for the input token; null without one. */
  readonly spender: Address | null
  /** True where the wallet allows it by a signature beside its swap, so that no approval transaction is needed. */
  readonly isApprovedBySignature?: boolean
  /**
   * The venue's charge beside the input, in smallest units of the input chain's native coin; 0 for most. The network's fee is
   * separate.
   */
  readonly nativeFee: Amount
  /** From broadcast, signature or deposit to delivery; null when the venue does not say. */
  readonly estimatedTimeSeconds: number | null
  /** Epoch ms until which the venue guarantees the price; null when it states no time. */
  readonly expiresAt: number | null
  /** The token decimals by the venue. The engine drops an offer that contradicts the chain. */
  readonly decimals: { readonly input: number | null; readonly output: number | null }
  /** The least locked or bridged amount after the venue's exchange of the input; absent where it locks the input itself. */
  readonly bridges?: Sum
  /**
   * The least of the locked asset that is worth the guaranteed minimum, by prices at quote time. The engine seals it where the
   * locked asset and the output are of no common peg class; no adapter sets it.
   */
  readonly bridgesLeast?: Sum
  /** What the venue needs to see again at execute time: small, versioned, JSON. It travels inside the quote token. */
  readonly carry: Json
}
