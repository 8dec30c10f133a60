import { BoundedMap } from '../../kit/boundedMap.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import type { World } from '../../kit/world.ts'
import type { OrderData } from './digest.ts'
import type { BookNetwork } from './networks.ts'

/** An order's app data as the order book understands it. */
export type AppData = {
  readonly hash: string
  readonly text: string
  /** All partner fees together, clipped to what the protocol takes at most. */
  readonly partnerFeeBps: bigint
}

export type StoredQuote = Pick<OrderData, 'sellToken' | 'buyToken' | 'buyAmount'> & {
  readonly kind: 'sell' | 'buy'
  /** Of a sale, before the network cost: all that is spent. Of a purchase, what is bought. */
  readonly amount: bigint
}

/** Whether an order sells the tokens, and the amount, that were quoted. */
export const isQuoteOf = (quote: StoredQuote, order: Pick<OrderData, 'sellToken' | 'buyToken' | 'sellAmount'>): boolean =>
  quote.kind === 'sell' &&
  quote.sellToken === order.sellToken &&
  quote.buyToken === order.buyToken &&
  quote.amount === order.sellAmount

export type SimTrade = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly buyAmount: bigint
  readonly txHash: string
}

export type Outcome =
  | { readonly status: 'fulfilled'; readonly trade: SimTrade; readonly executedFee: bigint }
  | { readonly status: 'cancelled' }

export type EthFlowPart = {
  readonly sender: string
  /** Unix seconds. */
  readonly userValidTo: number
  readonly quoteId: bigint
  readonly isRefundedByItself: boolean
  readonly placementError: string | null
  refundTxHash: string | null
}

/** An order as it was placed. */
export type Placed = {
  readonly uid: string
  readonly data: OrderData
  readonly owner: string
  readonly appData: AppData | null
  readonly signingScheme: 'eip712' | 'eip1271'
  readonly signature: string
  /** When the book learnt of it. Epoch ms. */
  readonly createdAt: number
  readonly ethFlow: EthFlowPart | null
}

export type SimOrder = Placed & {
  /** What a fault makes of it once it is due. */
  fate: SettlementFault | null
  outcome: Outcome | null
  /** Why it could not be settled when that was last tried. */
  obstacle: string | null
}

/** One chain's order book: what it remembers, and the world it is in. */
export type Book = {
  readonly world: World
  readonly network: BookNetwork
  readonly quotes: Map<number, StoredQuote>
  readonly orders: Map<string, SimOrder>
  readonly documents: Map<string, AppData>
  nextQuoteId: number
}

export const createBook = (world: World, network: BookNetwork): Book => ({
  world,
  network,
  quotes: new BoundedMap(),
  orders: new BoundedMap(),
  documents: new BoundedMap(),
  nextQuoteId: 120_000_001,
})
