import type { Address } from './address.ts'
import type { Amount } from './amount.ts'
import type { Asset } from './asset.ts'
import type { ChainId } from './chain.ts'
import type { Json } from './json.ts'
import type { Slippage } from './offer.ts'
import type { Sum } from './peg.ts'

export type Hex = `0x${string}`

/** A transaction exactly as the wallet must sign it. On Solana `data` and `serialized` are the same base64. */
export type WalletTransaction = {
  readonly chainId: ChainId
  readonly to: Address
  readonly data: string
  /** Smallest units of the chain's native coin. */
  readonly value: Amount
  /** Base64 of the unsigned Solana transaction. */
  readonly serialized?: string
}

export type TypedDataField = { readonly name: string; readonly type: string }

/** EIP-712 typed data. Integers are decimal strings, as every wallet accepts them over JSON. */
export type TypedData = {
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId?: number
    readonly verifyingContract?: string
    readonly salt?: string
  }
  readonly types: { readonly [type: string]: readonly TypedDataField[] }
  readonly primaryType: string
  readonly message: { readonly [field: string]: Json }
}

export type TransactionPayload = { readonly executionType: 'TRANSACTION'; readonly transaction: WalletTransaction }

export type SignaturePayload = {
  readonly executionType: 'SIGNATURE'
  readonly chainId: ChainId
  readonly typedData: TypedData
  /** A second message to sign when the venue accepts the allowance by signature; null otherwise. */
  readonly approvalData: TypedData | null
}

export type Deposit = { readonly chainId: ChainId; readonly address: Address; readonly amount: Amount }

export type DepositPayload = { readonly executionType: 'DEPOSIT'; readonly deposit: Deposit }

/** The wallet must sign or send this. */
export type Payload = TransactionPayload | SignaturePayload | DepositPayload

/** The two addresses of a swap, bound at execute time. Neither may be a placeholder. */
export type Binding = { readonly recipient: Address; readonly refundTo: Address }

/** A venue's built swap: the payload, and the data to prove, submit and follow it. */
export type Execution = {
  readonly payload: Payload
  /** The venue's id of the swap when it is known already (a deposit address, an order uid); else null. */
  readonly venueRef: string | null
  /** The venue's own signed or hashed words about the payload, for `Venue.decode`; null when the payload shows everything. */
  readonly evidence: Json
  /** The terms at build time. The engine rejects terms worse than the sealed quote. */
  readonly outputAmount: Amount
  readonly slippage: Slippage | null
  /** The data that the venue's submitter and tracker need; stored with the swap. */
  readonly carry: Json
}

/** The integrator fee of a payload, in the venue's measure; `recipient` is null where it is unknown. */
export type ClaimedFee =
  | { readonly recipient: string | null; readonly bps: number }
  | { readonly recipient: string | null; readonly amount: bigint }

/**
 * One effect of a payload: the value that its bytes show, or `unproved` where they cannot. `told`: the venue's unproved report,
 * which must still equal the quote. The engine rejects an unproved part unless the profile lists it.
 */
export type Proven<T> = T | { readonly told: T } | 'unproved'

/** A refund of the input on another chain that a payload allows. */
export type RefundElsewhere = { readonly asset: Asset; readonly recipient: Address }

/**
 * The effects of a payload, read back from its bytes alone: never from the order, so that it cannot agree by copying. The engine
 * compares every field with the sealed quote and rejects the payload on any difference.
 */
export type PayloadClaims = {
  /** The chain of the wallet's action. */
  readonly chainId: ChainId
  /** The called contract, the verifying contract, or the deposit address. */
  readonly pays: Address
  /** The contract that needs an allowance; null for native coins and plain transfers. */
  readonly spender: Address | null
  readonly input: { readonly asset: Asset; readonly amount: bigint }
  readonly output: { readonly asset: Asset; readonly minimum: Proven<bigint> }
  /** The locked or bridged amount that the bytes guarantee after an exchange of the input; absent or null without an exchange. */
  readonly bridged?: Sum | null
  readonly recipient: Proven<Address>
  /**
   * The refund address of the input; `payer`: the sender of the transaction, as the contract is written. Null when the input
   * never leaves the wallet before the swap.
   */
  readonly refundTo: Proven<Address | 'payer' | null>
  /** Assets and recipients of refunds on another chain than the input's own; absent: none. */
  readonly refundsElsewhere?: readonly RefundElsewhere[]
  readonly fee: Proven<ClaimedFee | null>
  /**
   * The allowance that its `approvalData` gives a spender over the input token, once signed; null or absent without one. `owner`:
   * the owner of the tokens, where the message names it.
   */
  readonly approval?: { readonly owner?: Address; readonly spender: Address; readonly amount: bigint } | null
  /** The payment to the venue beside the input, in smallest units of the chain's native coin; 0 for most. */
  readonly nativeFee: bigint
  /** Epoch ms after which the payload has no effect; null without a deadline. */
  readonly deadlineAt: number | null
  /** Unreadable parts, each in a few words. The engine rejects a payload with any of them. */
  readonly unread: readonly string[]
}
