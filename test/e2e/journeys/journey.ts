import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import type { WalletKind } from '../../../scripts/client/bitcoinWallet.ts'
import type { Following } from '../../../scripts/client/swap.ts'
import type { Execution, QuoteRequest, SwapStatus } from '../../../scripts/client/wire.ts'

/** What a venue is held to from quote to the end of a swap. Data alone: runJourneys.ts knows no venue. */

export type State = SwapStatus['status']
export type ChainId = QuoteRequest['inputChainId']

/** A quoted swap, in smallest units. */
export type Priced = { readonly amount: bigint; readonly output: bigint; readonly minimum: bigint }

/** How a swap ends that goes wrong. */
export type Ending = {
  /** Every state that is told, in order. The swap stays in the last one, however long it is polled. */
  readonly states: readonly State[]
  readonly venueStatus?: string
  /** Nothing has left the wallet but the fees. */
  readonly untaken?: true
  /** What comes back to the refund address. */
  readonly refunded?: (swap: Priced) => bigint
  /** What arrives all the same. */
  readonly delivered?: (swap: Priced) => bigint
  /** How far time runs between two looks. */
  readonly stepMs?: Following['stepMs']
  /** What the venue announced does not come about, and the wallet holds everything still. */
  readonly mayGoBack?: true
  /** The venue misbehaves by its answers alone, once it is `processing`: a success when they are sound again. */
  readonly untilSound?: true
}

export type Troubles = { readonly [fault in FaultName]?: Ending }

/** What is told after the block of the payment was undone, by how far time ran since the look before. */
export type Reorg = {
  /** How far time runs before the payment is undone. */
  readonly afterMs?: number
  readonly told: readonly (readonly [advanceMs: number, state: State])[]
  /** The same transaction sent anew is swapped. */
  readonly isRepaired?: true
}

/** What becomes of a swap that is paid when the price is another than the quoted one. */
export type Prices = {
  readonly currency: string
  readonly usual: string
  /** Still within the tolerance, and whether the recipient gets more by it or less. */
  readonly moved: { readonly usd: string; readonly isBetter: boolean }
  /** No longer. */
  readonly gone: { readonly usd: string; readonly afterMs?: number; readonly ending: Ending }
}

export type Journey = {
  readonly title: string
  readonly from: { readonly chainId: ChainId; readonly token: string; readonly amount: string }
  readonly to: { readonly chainId: ChainId; readonly token: string }
  readonly payload: Execution['executionType']
  /** What is quoted, where the venue's sheet tells its costs. */
  readonly output?: string
  /** An exchange is part of it: what arrives is what the pool gives, and no less than the minimum. */
  readonly isExchanged?: true
  /** What is quoted is the price of the least that its deposit may come to: as much arrives, or more. */
  readonly isLeast?: true
  readonly slippageBps?: number
  /** The token that the venue itself takes, such as wrapped coins; the one that is paid when left out. A refund comes in it. */
  readonly took?: string
  /** How much of it, where a fee goes to others first; all that is paid when left out. */
  readonly tookAmount?: string
  /** Who is approved; nobody when left out. */
  readonly spender?: string
  /** What a transaction is sent to. */
  readonly paysTo?: string
  /** As told on the way to success; the venue's when left out. */
  readonly states?: readonly State[]
  readonly venueStatuses?: readonly string[]
  readonly stepMs?: number
  /** Of a Bitcoin wallet, and of the address it has refunds sent to; native SegWit when left out. */
  readonly wallet?: WalletKind
  /** Of the Bitcoin address that is paid, likewise. */
  readonly recipientKind?: WalletKind
  /** The recipient is a contract that takes whatever comes. */
  readonly isForContract?: true
  /** Refunds go to who paid, whatever address is named. */
  readonly isRefundedToSender?: true
  readonly troubles?: Troubles
  readonly reorg?: Reorg
  readonly prices?: Prices
  /** How it ends when the recipient is a contract that takes no coins. */
  readonly refusesCoins?: Ending
  /** When an address is fixed; where it is left out, nothing is tried. */
  readonly binds?: { readonly recipient?: 'quote' | 'execute'; readonly refund?: 'quote' | 'execute' }
}

export type VenueJourneys = {
  readonly venue: { readonly id: string; readonly name: string }
  /** How the operator sets it up otherwise than by default. */
  readonly settings?: { readonly [name: string]: string }
  /** How far time runs between two looks: little enough to see every state. */
  readonly stepMs: number
  readonly states: readonly State[]
  /** What the venue calls a success. */
  readonly success: readonly string[]
  /** The wallet's own transaction makes the swap, of which the venue is not asked: what is paid is delivered. */
  readonly isAtOnce?: true
  /** False: what is guaranteed the venue's network enforces, and no contract. */
  readonly isFirm?: false
  /** Paths by whose answers alone the venue tells that it has halted, beside a halt that all of it tells. */
  readonly switches?: readonly string[]
  /** Execute needs no answer of the venue. */
  readonly buildsAlone?: true
  /** What is about the venue and not about a route is tried on the first. */
  readonly journeys: readonly [Journey, ...Journey[]]
}
