import { ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import type { Book, SimOrder } from './book.ts'
import { phaseOf, statusOf } from './lifecycle.ts'
import { COW_SOLVER, NATIVE_MARKER, SETTLEMENT_CONTRACT } from './networks.ts'
import { refused } from './refusal.ts'

const UID = /^0x[0-9a-fA-F]{112}$/

const find = (world: World, book: Book, uid: string): SimOrder | null => {
  if (!UID.test(uid)) throw refused(400, 'InvalidOrderUid', 'not an order uid')
  const order = book.orders.get(uid.toLowerCase())
  // Orders placed on chain are known once their transaction is indexed.
  return !order || order.createdAt > world.clock.now() ? null : order
}

const required = (world: World, book: Book, uid: string): SimOrder => {
  const order = find(world, book, uid)
  if (!order) throw refused(404, 'NotFound', 'Order was not found')
  return order
}

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
  const { data } = order
  return {
    uid: order.uid,
    owner: order.owner,
    status,
    class: 'limit',
    creationDate: new Date(order.createdAt).toISOString(),
    availableBalance: null,
    isLiquidityOrder: false,
    sellToken: data.sellToken,
    buyToken: data.buyToken,
    receiver: data.receiver,
    sellAmount: data.sellAmount.toString(),
    buyAmount: data.buyAmount.toString(),
    validTo: data.validTo,
    appData: data.appData,
    fullAppData: order.appData?.text ?? null,
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    signingScheme: order.signingScheme,
    signature: order.signature,
    settlementContract: SETTLEMENT_CONTRACT,
    interactions: { pre: [], post: [] },
    ...executedPart(order),
    ...ethFlowPart(order),
  }
}

/** GET /api/v1/orders/{uid}. */
export const readOrder = (world: World, book: Book, uid: string, path: string): SimResponse => {
  const order = required(world, book, uid)
  const isGarbled = world.faults.take('cow', 'unknown-status', path) !== null
  return ok(orderBody(order, isGarbled ? 'settlementDisputed' : statusOf(world, order)))
}

const SOLVER = COW_SOLVER.toLowerCase()

/** GET /api/v1/orders/{uid}/status. */
export const readPhase = (world: World, book: Book, uid: string): SimResponse => {
  const order = required(world, book, uid)
  const type = phaseOf(world, order)
  const { sellAmount, buyAmount } = order.data
  const isInAuction = type === 'solved' || type === 'executing' || type === 'traded'
  const value = [{ solver: SOLVER, executedAmounts: { sell: sellAmount.toString(), buy: buyAmount.toString() } }]
  return ok({ type, ...(isInAuction ? { value } : {}) })
}

const integerIn = (raw: string | null, fallback: number, min: number, max: number): number => {
  if (raw === null) return fallback
  const value = /^[0-9]{1,9}$/.test(raw) ? Number(raw) : Number.NaN
  if (!(value >= min && value <= max)) throw refused(400, 'InvalidLimit', `limit must be between ${min} and ${max}`)
  return value
}

/** The part of a list that is asked for by `offset` and `limit`. */
const pageOf = (all: readonly unknown[], query: URLSearchParams): SimResponse => {
  const offset = integerIn(query.get('offset'), 0, 0, 1_000_000)
  return ok(all.slice(offset, offset + integerIn(query.get('limit'), 10, 1, 1_000)))
}

/** GET /api/v1/account/{owner}/orders: newest first, and an account's own are also those it placed on chain. */
export const readAccountOrders = (world: World, { orders }: Book, { query }: SimRequest, account: string): SimResponse => {
  const ofAccount = account.toLowerCase()
  const own = [...orders.values()].filter(
    ({ owner, ethFlow, createdAt }) => (owner === ofAccount || ethFlow?.sender === ofAccount) && createdAt <= world.clock.now(),
  )
  const newestFirst = own.sort((a, b) => b.createdAt - a.createdAt)
  return pageOf(
    newestFirst.map((order) => orderBody(order, statusOf(world, order))),
    query,
  )
}

const toTrade = ({ uid, owner, data, outcome }: SimOrder) => {
  if (outcome?.status !== 'fulfilled') return []
  const { blockNumber, logIndex, buyAmount, txHash } = outcome.trade
  const sold = data.sellAmount.toString()
  return [
    {
      blockNumber,
      logIndex,
      orderUid: uid,
      owner,
      sellToken: data.sellToken,
      buyToken: data.buyToken,
      sellAmount: sold,
      sellAmountBeforeFees: sold,
      buyAmount: buyAmount.toString(),
      txHash,
      executedProtocolFees: [],
    },
  ]
}

/** GET /api/v2/trades, by order. */
export const readTrades = (world: World, book: Book, { query }: SimRequest): SimResponse => {
  const uid = query.get('orderUid')
  if (uid === null) throw refused(400, 'InvalidTradeFilter', 'only the trades of an order are simulated')
  const order = find(world, book, uid)
  return pageOf(order ? toTrade(order) : [], query)
}

const ATOMS = 10n ** 18n

/** GET /api/v1/token/{token}/native_price: atoms of the native coin for one atom of the token. */
export const readNativePrice = ({ tokens, market }: World, { network }: Book, address: string): SimResponse => {
  const token = tokens.find(network.chainId, address)
  if (!token) throw refused(404, 'NoLiquidity', `no price for ${address}`)
  if (address.toLowerCase() === NATIVE_MARKER) return ok({ price: 1 })
  const scaled = market.convert(token, ATOMS, tokens.native(network.chainId))
  return ok({ price: Number(scaled) / Number(ATOMS) })
}
