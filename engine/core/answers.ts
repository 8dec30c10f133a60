import type { Amount } from './amount.ts'
import type { Token } from './asset.ts'
import type { ChainId } from './chain.ts'
import type { DepositPayload, Payload } from './execution.ts'
import type { Slippage, VenueId } from './offer.ts'
import type { SwapPayment } from './payment.ts'
import type { Proof } from './proof.ts'
import type { RouteType } from './route.ts'
import type { Approval } from './swap.ts'
import type { SwapStatus } from './swapStatus.ts'

/** What the wallet must hold in native coins for its own transaction: the network's fee, and the venue's beside the input. */
export type GasCost = {
  /** Smallest units of the input chain's native coin. */
  readonly native: Amount
  readonly nativeSymbol: string
  /** US dollars as a decimal string; null when no price is known. For display only. */
  readonly usd: string | null
  /** True when the figure is our estimate and not the venue's. */
  readonly isEstimated: boolean
}

/** What the venue takes beside the input, in smallest units of the input chain's native coin. */
export type VenueFee = Pick<GasCost, 'native' | 'nativeSymbol'>

export type TokenAmount = { readonly token: Token; readonly amount: Amount }

/** The answer to a quote request. */
export type Quote = {
  readonly quoteToken: string
  readonly venue: { readonly id: VenueId; readonly name: string }
  readonly routeType: RouteType
  readonly input: TokenAmount
  readonly output: TokenAmount
  readonly fee: { readonly bps: number; readonly amount: Amount; readonly token: Token }
  readonly isExecutable: boolean
  /** `bps`: how far the guaranteed minimum lies below the expected output, rounded up. */
  readonly slippage: (Slippage & { readonly bps: number }) | null
  readonly gas: GasCost | null
  /** Null when the venue takes no fee beside the input; part of `gas.native` otherwise. */
  readonly venueFee: VenueFee | null
  /** Bounds of the deposit, in smallest units of the input; null where the deposit is the input amount itself. */
  readonly depositAmount: { readonly min: Amount; readonly max: Amount } | null
  /** The parts that the payload will prove, by the venue's profile. */
  readonly expectedProof: Proof
  readonly approval: Approval | null
  readonly estimatedTimeSeconds: number
  readonly estimatedTimeIsGuess: boolean
  /** Epoch ms. */
  readonly expiresAt: number
}

/** The answer to an execute request. A deposit names the token that it pays. */
export type BuiltSwap = {
  readonly payload: Exclude<Payload, DepositPayload> | (DepositPayload & { readonly token: Token })
  readonly proof: Proof
  readonly approval: Approval | null
  /** What /status takes as `ref`, when it is known before the wallet acts; else null. */
  readonly statusRef: string | null
  /** Where the service broadcasts the signed transaction: the token to post it with. Null where the wallet sends it itself. */
  readonly submission: { readonly quoteToken: string } | null
  /** Fields of the request without effect: the venue fixed another address with the quote. */
  readonly ignored: readonly ('destinationAddress' | 'refundAddress')[]
}

/** The answer to a status request. */
export type TrackedSwap = {
  readonly venue: VenueId
  /** False: the venue has no tracker, and the state is `unknown`. */
  readonly isTracked: boolean
  /** Payments of the swap on the chains, in the order of their observation. */
  readonly payments: readonly SwapPayment[]
} & SwapStatus

export type VenueHealth = {
  readonly id: VenueId
  readonly name: string
  /** Null: none is known. `keyRefused`: it does not take our key. */
  readonly trouble: 'failing' | 'keyRefused' | null
  /** The kinds of calls that fail; left out where none does. */
  readonly failing?: readonly string[]
  /** Why the venue receives no calls; null: it does. `keyMissing`: the venue requires a key, and none is set. */
  readonly off: 'keyMissing' | null
  /** Calls whose recent answers all fail a check of the service. `chainId`: for swaps from or to that chain only, else null. */
  readonly rejecting: readonly { readonly call: string; readonly check: string; readonly chainId: ChainId | null }[]
}
export type Health = { readonly isDegraded: boolean; readonly venues: readonly VenueHealth[] }
