import type { SimTransaction } from '../../kit/simVenue.ts'
import { type Book, isQuoteOf, type StoredQuote } from './book.ts'
import { orderDigest, uidOf } from './digest.ts'
import { type Placement, readEthFlowEvents } from './ethFlowContract.ts'
import { openOrder } from './lifecycle.ts'
import { ETH_FLOW_CONTRACT } from './networks.ts'
import { ORDER_VALID_AT_MOST_S } from './quotes.ts'

/** From the transaction to the order book, in ms. */
const INDEXING_MS = 3_000

/** Coins come back by themselves only from orders that left this much room: the refunder's own default, in basis points. */
const SELF_REFUND_SLIPPAGE_BPS = 190n

/** Why the order book does not take an order that the contract took. */
const placementErrorOf = (book: Book, { data, userValidTo }: Placement, quote: StoredQuote | null): string | null => {
  if (userValidTo > book.world.clock.now() / 1_000 + ORDER_VALID_AT_MOST_S) return 'ValidToTooFarInFuture'
  if (!quote || !isQuoteOf(quote, data)) return 'QuoteNotFound'
  const isKnown = book.documents.has(data.appData)
  return isKnown && data.feeAmount === 0n && data.buyAmount > 0n && !data.partiallyFillable ? null : 'PreValidationError'
}

const place = (book: Book, placement: Placement): void => {
  const { data, sender, quoteId, userValidTo } = placement
  const uid = uidOf(orderDigest(book.network.chainId, data), ETH_FLOW_CONTRACT, data.validTo)
  const quote = book.quotes.get(Number(quoteId)) ?? null
  const slippageBps = quote ? ((quote.buyAmount - data.buyAmount) * 10_000n) / quote.buyAmount : 0n
  openOrder(book, {
    uid,
    data,
    owner: ETH_FLOW_CONTRACT,
    appData: book.documents.get(data.appData) ?? null,
    signingScheme: 'eip1271',
    signature: ETH_FLOW_CONTRACT,
    createdAt: book.world.clock.now() + INDEXING_MS,
    ethFlow: {
      sender,
      userValidTo,
      quoteId,
      isRefundedByItself: slippageBps >= SELF_REFUND_SLIPPAGE_BPS,
      placementError: placementErrorOf(book, placement, quote),
      refundTxHash: null,
    },
  })
}

/** The coins went back: to the trader who asked for them, or by anyone's hand after the deadline. */
const invalidate = ({ world, orders }: Book, uid: string, txHash: string): void => {
  const order = orders.get(uid)
  if (!order?.ethFlow) return
  order.ethFlow.refundTxHash = txHash
  const isExpired = order.ethFlow.userValidTo * 1_000 < world.clock.now()
  if (!isExpired) order.outcome ??= { status: 'cancelled' }
}

/** Takes note of what the EthFlow contract of one chain did in a transaction. True when it did anything. */
export const followEthFlow = (book: Book, { logs = [], txHash }: SimTransaction): boolean => {
  const events = readEthFlowEvents(logs)
  for (const event of events) {
    if (event.kind === 'placed') place(book, event)
    else invalidate(book, event.uid, txHash)
  }
  return events.length > 0
}
