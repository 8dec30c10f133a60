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

/** The native coins that the wallet's own transaction needs: the network's fee, and the venue's beside the input. */
export type GasCost = {
  /** Smallest units of the input chain's native coin. */
  readonly native: Amount
  readonly nativeSymbol: string
  /** US dollars as a decimal string; null without a price. For display only. */
  readonly usd: string | null
  /** True when the figure is our estimate, not the venue's. */
  readonly isEstimated: boolean
}

/** The venue's fee beside the input, in smallest units of the input chain's native coin. */
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

/** The answer to an execute request. A deposit includes its token. */
export type BuiltSwap = {
  readonly payload: Exclude<Payload, DepositPayload> | (DepositPayload & { readonly token: Token })
  readonly proof: Proof
  readonly approval: Approval | null
  /** The `ref` for /status, when it is fixed before the wallet acts; else null. */
  readonly statusRef: string | null
  /** The quote token to post the signed transaction with. Null where the wallet broadcasts it itself. */
  readonly submission: { readonly quoteToken: string } | null
  /** Request fields without effect: the venue fixed another address with the quote. */
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
  /** Null: no problem. `keyRefused`: the venue rejects our key. */
  readonly trouble: 'failing' | 'keyRefused' | null
  /** The kinds of calls that fail; absent where all work. */
  readonly failing?: readonly string[]
  /** Why the venue receives no calls; null: it does. `keyMissing`: the venue requires a key, and none is set. */
  readonly off: 'keyMissing' | null
  /** Calls whose recent answers all fail a check of the service. `chainId`: for swaps from or to that chain only, else null. */
  readonly rejecting: readonly { readonly call: string; readonly check: string; readonly chainId: ChainId | null }[]
}
export type Health = { readonly isDegraded: boolean; readonly venues: readonly VenueHealth[] }
