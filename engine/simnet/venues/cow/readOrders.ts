import { takesFor } from '../../kit/lies.ts'
import { found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { Book, SimOrder } from './book.ts'
import { phaseOf, statusOf } from './lifecycle.ts'
import { COW_SOLVER, NATIVE_MARKER, SETTLEMENT_CONTRACT } from './networks.ts'
import { MANNER } from './quotes.ts'

/** Orders placed on chain are known once their transaction is indexed. */
const isKnown = ({ world }: Book, { createdAt }: SimOrder): boolean => createdAt <= world.clock.now()

const find = (book: Book, uid: string): SimOrder | null => {
  refuseIf(!/^0x[0-9a-fA-F]{112}$/.test(uid), 'InvalidOrderUid', 'not an order uid')
  const order = book.orders.get(uid.toLowerCase())
  return order && isKnown(book, order) ? order : null
}

const required = (book: Book, uid: string): SimOrder => found(find(book, uid), 'NotFound', 'Order was not found', { status: 404 })

/** Nothing of this is written of an order that was signed. */
const ethFlowPart = ({ ethFlow }: SimOrder) => {
  if (!ethFlow) return {}
  const { sender, placementError, refundTxHash, userValidTo } = ethFlow
  return {
    ethflowData: { userValidTo, refundTxHash, isRefunded: refundTxHash !== null },
    onchainUser: sender,
    onchainOrderData: { sender, placementError },
  }
}

const executedPart = ({ data, outcome }: SimOrder) => {
  const filled = outcome?.status === 'fulfilled' ? outcome : null
  const sold = filled ? data.sellAmount.toString() : '0'
  return {
    executedSellAmount: sold,
    executedSellAmountBeforeFees: sold,
    executedBuyAmount: (filled?.trade.buyAmount ?? 0n).toString(),
    // The fee that was signed, which is none.
    executedFeeAmount: '0',
    executedFee: (filled?.executedFee ?? 0n).toString(),
    executedFeeToken: data.sellToken,
    invalidated: outcome?.status === 'cancelled',
  }
}

const orderBody = (order: SimOrder, status: string) => {
  const { uid, owner, data, createdAt, appData, signingScheme, signature } = order
  return {
    ...MANNER,
    ...data,
    sellAmount: data.sellAmount.toString(),
    buyAmount: data.buyAmount.toString(),
    feeAmount: data.feeAmount.toString(),
    uid,
    owner,
    status,
    class: 'limit',
    kind: 'sell',
    creationDate: new Date(createdAt).toISOString(),
    availableBalance: null,
    isLiquidityOrder: false,
    fullAppData: appData?.text ?? null,
    signingScheme,
    signature,
    settlementContract: SETTLEMENT_CONTRACT,
    interactions: { pre: [], post: [] },
    ...executedPart(order),
    ...ethFlowPart(order),
  }
}

/** GET /api/v1/orders/{uid}. */
export const readOrder = (book: Book, { path }: SimRequest, uid: string): SimResponse => {
  const order = required(book, uid)
  const isGarbled = takesFor(book.world.faults, 'cow', path)('unknown-status')
  return ok(orderBody(order, isGarbled ? 'settlementDisputed' : statusOf(book, order)))
}

/** GET /api/v1/orders/{uid}/status. */
export const readPhase = (book: Book, _request: SimRequest, uid: string): SimResponse => {
  const order = required(book, uid)
  const type = phaseOf(book, order)
  const executedAmounts = { sell: order.data.sellAmount.toString(), buy: order.data.buyAmount.toString() }
  const isInAuction = type === 'solved' || type === 'executing' || type === 'traded'
  return ok({ type, ...(isInAuction ? { value: [{ solver: COW_SOLVER.toLowerCase(), executedAmounts }] } : {}) })
}

const integerIn = (raw: string | null, fallback: number, min: number, max: number): number => {
  if (raw === null) return fallback
  const value = /^[0-9]{1,9}$/.test(raw) ? Number(raw) : Number.NaN
  refuseIf(!(value >= min && value <= max), 'InvalidLimit', `limit must be between ${min} and ${max}`)
  return value
}

/** The part of a list that is asked for by `offset` and `limit`. */
const pageOf = (all: readonly unknown[], query: URLSearchParams): SimResponse => {
  const offset = integerIn(query.get('offset'), 0, 0, 1_000_000)
  return ok(all.slice(offset, offset + integerIn(query.get('limit'), 10, 1, 1_000)))
}

/** GET /api/v1/account/{owner}/orders: newest first, and an account's own are also those it placed on chain. */
export const readAccountOrders = (book: Book, { query }: SimRequest, account: string): SimResponse => {
  const isOwn = ({ owner, ethFlow }: SimOrder) => [owner, ethFlow?.sender].includes(account.toLowerCase())
  const own = [...book.orders.values()].filter((order) => isOwn(order) && isKnown(book, order))
  const newestFirst = own.sort((a, b) => b.createdAt - a.createdAt)
  const bodies = newestFirst.map((order) => orderBody(order, statusOf(book, order)))
  return pageOf(bodies, query)
}

const toTrade = ({ uid, owner, data, outcome }: SimOrder) => {
  if (outcome?.status !== 'fulfilled') return []
  const sold = data.sellAmount.toString()
  const trade = {
    ...outcome.trade,
    orderUid: uid,
    owner,
    sellToken: data.sellToken,
    buyToken: data.buyToken,
    sellAmount: sold,
    sellAmountBeforeFees: sold,
    buyAmount: outcome.trade.buyAmount.toString(),
    executedProtocolFees: [],
  }
  return [trade]
}

/** GET /api/v2/trades, by order. */
export const readTrades = (book: Book, { query }: SimRequest): SimResponse => {
  const uid = found(query.get('orderUid'), 'InvalidTradeFilter', 'only the trades of an order are simulated')
  const order = find(book, uid)
  return pageOf(order ? toTrade(order) : [], query)
}

const ATOMS = 10n ** 18n

/** GET /api/v1/token/{token}/native_price: atoms of the native coin for one atom of the token. */
export const readNativePrice = ({ world, network: { chainId } }: Book, _request: SimRequest, address: string): SimResponse => {
  const { tokens, market } = world
  const token = found(tokens.find(chainId, address), 'NoLiquidity', `no price for ${address}`, { status: 404 })
  if (address.toLowerCase() === NATIVE_MARKER) return ok({ price: 1 })
  return ok({ price: Number(market.convert(token, ATOMS, tokens.native(chainId))) / Number(ATOMS) })
}
