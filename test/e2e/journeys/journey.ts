import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import type { WalletKind } from '../../../scripts/client/bitcoinWallet.ts'
import type { Following } from '../../../scripts/client/swap.ts'
import type { Execution, SwapStatus } from '../../../scripts/client/wire.ts'
import type { Paid, Side } from '../sides.ts'
import { MINUTE_MS } from '../support.ts'

/** What each venue must show from quote to the end of a swap, as data. `runJourneys.ts` knows no venue. */

export type State = SwapStatus['status']

/** A quoted swap, in smallest units. */
export type Priced = { readonly amount: bigint; readonly output: bigint; readonly minimum: bigint }

/** The end of a swap that fails. */
export type Ending = {
  /** Every reported state, in order. The swap stays in the last one. */
  readonly states: readonly State[]
  readonly venueStatus?: string | undefined
  /** Only fees left the wallet. */
  readonly untaken?: true
  /** The amount that returns to the refund address. */
  readonly refunded?: (swap: Priced) => bigint
  /** Coins that return beside the refund, such as a fee. */
  readonly beside?: bigint
  /** The amount that arrives nevertheless. */
  readonly delivered?: (swap: Priced) => bigint
  /** The time between two status requests. */
  readonly stepMs?: Following['stepMs']
  /** The venue's announcement does not come true, and the wallet still holds everything. */
  readonly mayGoBack?: true
  /** Only the answers are wrong, from `processing` on: a success once they are right again. */
  readonly untilSound?: true
}

type Troubles = { readonly [fault in FaultName]?: Ending }

/** What is reported after the block of the payment was removed. */
export type Reorg = {
  /** The time between the payment and its removal. */
  readonly afterMs?: number
  /** The status is `pending` after each of these steps of time. */
  readonly pending: readonly number[]
  /** Then it is `failed` after each of these. */
  readonly failed?: readonly number[]
  /** The same transaction, sent again, is swapped. */
  readonly isRepaired?: true
}

/** The end of a swap that is paid at another price than the quoted one. */
export type Prices = {
  readonly currency: 'BTC' | 'ETH'
  /** Within the tolerance, for a better or worse output. */
  readonly moved: { readonly usd: string; readonly isBetter: boolean }
  /** Beyond the tolerance. */
  readonly gone: { readonly usd: string; readonly afterMs?: number; readonly ending: Ending }
}

export type Journey = {
  readonly title: string
  readonly from: Paid
  readonly to: Side
  readonly payload: Execution['executionType']
  /** An exchange is part of the route: at least the minimum arrives, instead of the exact output. */
  readonly isExchanged?: true
  /** The quote is for the least that the deposit may come to: at least the output arrives. */
  readonly isLeast?: true
  readonly slippageBps?: number
  /** The token that the venue takes and refunds, such as wrapped coins; left out: the token that is paid. */
  readonly took?: string
  /** The amount that the venue takes, where a fee goes to others first; left out: everything. */
  readonly tookAmount?: string
  /** The states of a success; left out: the venue's. */
  readonly states?: readonly State[]
  readonly stepMs?: number
  /** The kind of the Bitcoin wallet and its refund address; left out: native SegWit. */
  readonly wallet?: WalletKind
  /** The kind of the paid Bitcoin address; left out: native SegWit. */
  readonly recipientKind?: WalletKind
  /** The recipient is a contract that accepts everything. */
  readonly isForContract?: true
  /** Refunds go to the payer, whatever address is named. */
  readonly isRefundedToSender?: true
  readonly troubles?: Troubles
  readonly reorg?: Reorg
  readonly prices?: Prices
  /** When an address is fixed; left out: not tested. */
  readonly binds?: { readonly recipient?: 'quote' | 'execute'; readonly refund?: 'quote' | 'execute' }
}

export type VenueJourneys = {
  readonly venue: { readonly id: string; readonly name: string }
  readonly settings?: { readonly [name: string]: string }
  /** The time between two status requests, short enough for every state. */
  readonly stepMs: number
  readonly states: readonly State[]
  /** The venue's own statuses of a success. */
  readonly success: readonly string[]
  /** The wallet's transaction delivers, and the venue is not asked. */
  readonly isAtOnce?: true
  /** False: the venue's network enforces the guarantee, instead of a contract. */
  readonly isFirm?: false
  /** Paths whose answers alone announce a halt, beside a halt of the whole venue. */
  readonly switches?: readonly string[]
  /** /execute needs no answer of the venue. */
  readonly buildsAlone?: true
  /** The first has every fault, and what concerns the venue rather than a route. */
  readonly journeys: readonly [Journey, ...Journey[]]
}

type Rest = Omit<Journey, 'title' | 'from' | 'to' | 'payload'>
const row =
  (payload: Journey['payload']) =>
  (title: string, from: Paid, to: Side, rest: Rest = {}): Journey => ({ title, from, to, payload, ...rest })
export const [byTransaction, bySignature, byDeposit] = [row('TRANSACTION'), row('SIGNATURE'), row('DEPOSIT')]

/** The payment is taken, and the swap stays open. */
export const staysOpen = (venueStatus: string, delivered: Ending['delivered'] = () => 0n): Ending => ({
  ...{ states: ['processing'], venueStatus, delivered },
})
/** The payment is owed while no refund appears. */
export const staysOwed = (venueStatus: string): Ending => ({ states: ['processing', 'expired'], venueStatus })
/** The input returns, less what the refund costs. */
export const refundLess = (
  cost: bigint,
  venueStatus?: string,
  states: Ending['states'] = ['processing', 'refunded'],
): Ending => ({
  ...{ states, venueStatus, refunded: ({ amount }) => amount - cost },
})
/** A signed order settles until its deadline, whatever its venue reports. */
export const unsettled = (
  venueStatus?: string,
  states: Ending['states'] = ['pending', 'failed'],
  firstMs = MINUTE_MS,
): Ending => ({
  ...{ states, venueStatus, untaken: true, stepMs: (look) => (look < 12 ? firstMs : MINUTE_MS) },
})
export const lessThanMinimum = ({ minimum }: Priced): bigint => (minimum * 9n) / 10n
