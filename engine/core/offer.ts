import type { Address } from './address.ts'
import type { Amount } from './amount.ts'
import type { Json } from './json.ts'
import type { Sum } from './peg.ts'

/** The API's venue id, such as `near-intents`. */
export type VenueId = string

export type ExecutionType = 'TRANSACTION' | 'SIGNATURE' | 'DEPOSIT'

/** A bound on how far the swap's output may fall below `outputAmount`. */
export type Slippage = {
  /** True when a contract or the venue's signature enforces the bound. */
  readonly isFirm: boolean
  /** The least delivery of a successful swap; smallest units of the output token. */
  readonly guaranteedMin: Amount
}

/** The integrator fee that this venue takes: zero where it cannot take one on this route. */
export type OfferFee = {
  readonly bps: number
  /** Smallest units of the output token; already subtracted from the offer's `outputAmount`. */
  readonly amount: Amount
}

/** One venue's price for one order. Requesting it has no side effect at the venue. */
export type Offer = {
  readonly venue: VenueId
  readonly executionType: ExecutionType
  /** The recipient's expected output, net of every fee of the venue and the integrator. */
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
  /** From broadcast, signature or deposit to delivery; null when the venue states no time. */
  readonly estimatedTimeSeconds: number | null
  /** Epoch ms until which the venue guarantees the price; null when it states no time. */
  readonly expiresAt: number | null
  /** The token decimals by the venue. The engine drops an offer that contradicts the chain. */
  readonly decimals: { readonly input: number | null; readonly output: number | null }
  /** The least locked or bridged amount after the venue's exchange of the input; absent where it locks the input itself. */
  readonly bridges?: Sum
  /**
   * The least of the locked asset with the value of the guaranteed minimum, by prices at quote time. The engine seals it where
   * locked asset and output have no common peg class; no adapter sets it.
   */
  readonly bridgesLeast?: Sum
  /** The data that the venue needs at execute: small, versioned, JSON. The quote token contains it. */
  readonly carry: Json
}
