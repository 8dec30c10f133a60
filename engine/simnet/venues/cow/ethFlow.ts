import type { SimTransaction } from '../../simVenue.ts'
import type { World } from '../../world.ts'
import { type Book, remember, type SimOrder, type StoredQuote } from './book.ts'
import { type OrderData, orderDigest, uidOf } from './digest.ts'
import { takeFate } from './lifecycle.ts'
import { ETH_FLOW_CONTRACT, ZERO_ADDRESS } from './networks.ts'

/** The contract's one struct: nine static words. */
type FlowOrder = {
  readonly buyToken: string
  readonly receiver: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly appData: string
  readonly feeAmount: bigint
  readonly validTo: number
  readonly partiallyFillable: boolean
  readonly quoteId: bigint
}

const CREATE_ORDER = '0x322bba21'
const INVALIDATE_ORDER = '0x7bc41b96'
const WORDS = 9
const VALID_TO_FOREVER = 0xffffffff

/** From the transaction to the order book, in ms. */
const INDEXING_MS = 3_000

/** Coins come back by themselves only from orders that left this much room; in basis points. */
const SELF_REFUND_SLIPPAGE_BPS = 200n
const VALID_AT_MOST_S = 365 * 24 * 60 * 60

const revert = (reason: string): Error => new Error(`execution reverted: ${reason}`)

const addressIn = (word: string): string => {
  if (!word.startsWith('0'.repeat(24))) throw revert('malformed address')
  return `0x${word.slice(24)}`
}

const decode = (data: string): FlowOrder => {
  const words = data.slice(10).match(/.{64}/g) ?? []
  // Like the contract, reads the words it needs and does not mind bytes after them.
  if (words.length < WORDS) throw revert('calldata too short')
  const at = (i: number): string => words[i] ?? ''
  const number = (i: number): bigint => BigInt(`0x${at(i)}`)
  if (number(6) > BigInt(VALID_TO_FOREVER) || number(7) > 1n) throw revert('malformed calldata')
  return {
    buyToken: addressIn(at(0)),
    receiver: addressIn(at(1)),
    sellAmount: number(2),
    buyAmount: number(3),
    appData: `0x${at(4)}`,
    feeAmount: number(5),
    validTo: Number(number(6)),
    partiallyFillable: number(7) === 1n,
    quoteId: BigInt.asIntN(64, number(8)),
  }
}

const dataOf = ({ network }: Book, { buyToken, receiver, sellAmount, buyAmount, appData, feeAmount }: FlowOrder): OrderData => ({
  sellToken: network.wrappedNative,
  buyToken,
  receiver,
  sellAmount,
  buyAmount,
  validTo: VALID_TO_FOREVER,
  appData,
  feeAmount,
})

const uidFor = (book: Book, data: OrderData): string =>
  uidOf(orderDigest(book.network.chainId, data), ETH_FLOW_CONTRACT, VALID_TO_FOREVER)

/** Why the order book does not take an order that the contract took. */
const placementErrorOf = (book: Book, flow: FlowOrder, quote: StoredQuote | null, nowS: number): string | null => {
  if (flow.validTo > nowS + VALID_AT_MOST_S) return 'ValidToTooFarInFuture'
  const isLinked =
    quote &&
    quote.sellToken === book.network.wrappedNative &&
    quote.buyToken === flow.buyToken &&
    quote.amount === flow.sellAmount
  if (!isLinked) return 'QuoteNotFound'
  const isKnown = book.documents.has(flow.appData) && flow.feeAmount === 0n && flow.buyAmount > 0n && !flow.partiallyFillable
  return isKnown ? null : 'PreValidationError'
}

const createOrder = (world: World, book: Book, { from, value, data: calldata }: SimTransaction): void => {
  const flow = decode(calldata)
  const now = world.clock.now()
  if (value !== flow.sellAmount + flow.feeAmount) throw revert('IncorrectEthAmount()')
  if (flow.sellAmount === 0n) throw revert('NotAllowedZeroSellAmount()')
  if (flow.validTo < Math.floor(now / 1_000)) throw revert('OrderIsAlreadyExpired()')
  if (flow.receiver === ZERO_ADDRESS) throw revert('ReceiverMustBeSet()')
  const data = dataOf(book, flow)
  const uid = uidFor(book, data)
  if (book.orders.has(uid)) throw revert(`OrderIsAlreadyOwned(${uid.slice(0, 66)})`)
  const quote = book.quotes.get(Number(flow.quoteId)) ?? null
  const slippageBps = quote ? ((quote.buyAmount - flow.buyAmount) * 10_000n) / quote.buyAmount : 0n
  const order: SimOrder = {
    uid,
    data,
    owner: ETH_FLOW_CONTRACT,
    appData: book.documents.get(flow.appData) ?? null,
    signingScheme: 'eip1271',
    signature: ETH_FLOW_CONTRACT,
    quoteId: quote?.id ?? null,
    createdAt: now + INDEXING_MS,
    ethFlow: {
      sender: from.toLowerCase(),
      userValidTo: flow.validTo,
      isRefundedByItself: slippageBps >= SELF_REFUND_SLIPPAGE_BPS,
      placementError: placementErrorOf(book, flow, quote, Math.floor(now / 1_000)),
      refundTxHash: null,
    },
    isPresigned: false,
    fate: takeFate(world),
    outcome: null,
  }
  remember(book.orders, uid, order)
}

/** The owner may take the coins back at any time before the fill, and anyone may send them back after the deadline. */
const invalidateOrder = (world: World, book: Book, { from, data: calldata, txHash }: SimTransaction): void => {
  const order = book.orders.get(uidFor(book, dataOf(book, decode(calldata))))
  const part = order?.ethFlow
  if (!order || !part || order.outcome || part.refundTxHash !== null) throw revert('NotAllowedToInvalidateOrder')
  const isExpired = part.userValidTo * 1_000 < world.clock.now()
  if (!isExpired && part.sender !== from.toLowerCase()) throw revert('NotAllowedToInvalidateOrder')
  part.refundTxHash = txHash
  if (!isExpired) order.outcome = { status: 'cancelled' }
}

/** A transaction to the EthFlow contract of one chain; throws Error(reason) where the contract would revert. */
export const callEthFlow = (world: World, book: Book, transaction: SimTransaction): void => {
  const call = { ...transaction, data: transaction.data.toLowerCase() }
  const selector = call.data.slice(0, 10)
  if (selector === CREATE_ORDER) createOrder(world, book, call)
  else if (selector === INVALIDATE_ORDER) invalidateOrder(world, book, call)
  else throw revert('no such function')
}
