import { parseAbi } from 'abitype'
import { ChainError } from '../../chains/chains.ts'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { isBy, readEventBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenLog, type SeenTransaction } from '../../chains/seen.ts'
import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { decodeCreateOrder, isPlacement } from './ethFlow.ts'
import type { OrderUid } from './gpv2Order.ts'
import { ownOrder } from './ownOrder.ts'
import { ETH_FLOW, networkOf, SETTLEMENT, sellTokenOf } from './published.ts'
import type { UnsoldReader } from './unfilled.ts'

/** GPv2Settlement.sol */
const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])
/** CoWSwapEthFlow.sol: by its owner while it could be filled; by anyone once it could not. */
const ORDER_INVALIDATION = parseAbi(['event OrderInvalidation(bytes orderUid)'])
const ORDER_REFUND = parseAbi(['event OrderRefund(bytes orderUid, address indexed refunder)'])
const SETTLED = parseAbi(['event Settlement(address indexed solver)'])

type Trade = EventOf<typeof TRADE>

const ownUid = async (swap: ExecutedSwap): Promise<OrderUid | null> => (await ownOrder(swap))?.uid ?? null

/** A trade with the logs that followed it in its settlement, and the trades of that settlement. */
type Told = { readonly log: SeenLog; readonly trade: Trade; readonly among: readonly Trade[]; readonly after: readonly SeenLog[] }

const tradesOf = async ({ logs }: SeenTransaction): Promise<readonly Told[]> => {
  const told: Told[] = []
  let among: Trade[] = []
  let afters: SeenLog[][] = []
  for (const log of logs) {
    const trade = await readEventBy(SETTLEMENT, TRADE, log)
    for (const after of afters) after.push(log)
    if (trade !== null) {
      among.push(trade)
      const after: SeenLog[] = []
      afters.push(after)
      told.push({ log, trade, among, after })
    } else if ((await readEventBy(SETTLEMENT, SETTLED, log)) !== null) {
      among = []
      afters = []
    }
  }
  return told
}

/** What a settlement moves for a trade. */
type Moved = Pick<Movement, 'token' | 'from' | 'to' | 'amount'>

/**
 * Where a settlement, which moves the money of its trades in their order, moved that of one. `alike`: the trades of the same
 * sum. Null where coins leave no log, or trades of one sum are of several parties, and are not told apart.
 */
const movedAt = (
  { trade, after }: Told,
  moved: Moved,
  alike: readonly Trade[],
  movements: readonly Movement[],
): string | null => {
  const places = new Set(after.map(({ index }) => `log:${index}`))
  const same = movements.filter(
    ({ place, token, from, to, amount }) =>
      places.has(place) && token === moved.token && from === moved.from && to === moved.to && amount === moved.amount,
  )
  const own = same.length === alike.length ? same[alike.indexOf(trade)] : same.length === 1 ? same[0] : undefined
  return own?.place ?? null
}

/** The place of the payment, so that nobody else counts it; else the trade's own. */
const paidAt = (told: Told, receiver: Address, movements: readonly Movement[]): string => {
  const { log, trade, among } = told
  const alike = among.filter(({ buyToken, buyAmount }) => buyToken === trade.buyToken && buyAmount === trade.buyAmount)
  const moved = { token: trade.buyToken, from: SETTLEMENT, to: receiver, amount: trade.buyAmount }
  return movedAt(told, moved, alike, movements) ?? `log:${log.index}`
}

const takenAt = (told: Told, movements: readonly Movement[]): string | null => {
  const { trade, among } = told
  const alike = among.filter(({ sellToken, sellAmount }) => sellToken === trade.sellToken && sellAmount === trade.sellAmount)
  const moved = { token: trade.sellToken, from: trade.owner, to: SETTLEMENT, amount: trade.sellAmount }
  return movedAt(told, moved, alike, movements)
}

const isOwnTrade = (trade: Trade, uid: OrderUid, { order, execution }: ExecutedSwap): boolean => {
  const network = networkOf(order.input.chainId)
  return (
    network !== null &&
    trade.orderUid === uid &&
    trade.owner === (isNative(order.input) ? ETH_FLOW : order.sender) &&
    trade.sellToken === sellTokenOf(network, order.input) &&
    trade.buyToken === order.output.address &&
    trade.sellAmount === order.inputAmount &&
    trade.buyAmount >= (execution.slippage?.guaranteedMin ?? 1n) &&
    trade.feeAmount === 0n
  )
}

/** What EthFlow tells of the order that a payload places. */
const placements = async (seen: SeenTransaction, swap: ExecutedSwap, orderId: OrderUid): Promise<readonly InputEvent[]> => {
  const { order, execution } = swap
  const network = networkOf(seen.chainId)
  const { payload } = execution
  const placed = payload.executionType === 'TRANSACTION' ? await decodeCreateOrder(payload.transaction.data as Hex) : null
  if (network === null || placed === null) return []
  const own = { sender: order.sender, sellToken: network.wrappedNative, order: placed }
  const took = { token: order.input.address, amount: placed.sellAmount }
  const events: InputEvent[] = []
  for (const log of seen.logs) if (await isPlacement(log, own)) events.push({ place: `log:${log.index}`, orderId, took })
  return events
}

/** Of an order that was signed nothing is paid before its settlement, which takes and delivers at once. */
const inputs = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[]> => {
  const { order, execution } = swap
  const uid = await ownUid(swap)
  if (!seen.isSuccess || seen.chainId !== order.input.chainId || uid === null) return []
  if (execution.payload.executionType === 'TRANSACTION') return placements(seen, swap, uid)
  return (await tradesOf(seen)).flatMap((told) => {
    const place = isOwnTrade(told.trade, uid, swap) ? takenAt(told, seen.movements) : null
    const took = { token: order.input.address, amount: order.inputAmount }
    return place === null ? [] : [{ place, orderId: uid, took }]
  })
}

const outputs = async (
  seen: SeenTransaction,
  swap: ExecutedSwap,
  orderIds: readonly string[],
): Promise<readonly PayoutEvent[]> => {
  const { order, execution, binding } = swap
  const uid = await ownUid(swap)
  if (!seen.isSuccess || seen.chainId !== order.output.chainId || uid === null) return []
  // An order to EthFlow is nobody's until it is placed; a signed one is its signer's by its name.
  if (execution.payload.executionType === 'TRANSACTION' && !orderIds.includes(uid)) return []
  return (await tradesOf(seen))
    .filter(({ trade }) => isOwnTrade(trade, uid, swap))
    .map((told) => ({ place: paidAt(told, binding.recipient, seen.movements), amount: told.trade.buyAmount }))
}

/** The order that EthFlow tells to be over. */
const uidOfEnd = async (log: SeenLog): Promise<Hex | null> =>
  ((await readEventBy(ETH_FLOW, ORDER_INVALIDATION, log)) ?? (await readEventBy(ETH_FLOW, ORDER_REFUND, log)))?.orderUid ?? null

/** How long the settlement may take to say what was filled. */
const FILLED_MS = 3_000

/** Whether nothing of an order was sold when this transaction ended it. */
const isUnsoldBy = async (readUnsold: UnsoldReader, swap: ExecutedSwap, { at }: SeenTransaction): Promise<boolean> => {
  const until = await readUnsold(swap, AbortSignal.timeout(FILLED_MS)).catch((error: unknown) => {
    if (error instanceof ChainError) return null
    throw error
  })
  return until !== null && at !== null && until >= at
}

/**
 * EthFlow tells that an order is over by its UID, but not what it gave back: nothing, of one that was filled before, which
 * the settlement knows of its orders for ever. Where it cannot be asked, the coins themselves must show it. Of a signed
 * order nothing ever left the wallet.
 */
const refundsBy =
  (readUnsold: UnsoldReader): SwapEvents['refunds'] =>
  async (seen, swap, orderIds) => {
    const { order, execution, binding } = swap
    const uid = await ownUid(swap)
    const isPlaced = execution.payload.executionType === 'TRANSACTION' && uid !== null && orderIds.includes(uid)
    if (!seen.isSuccess || seen.chainId !== order.input.chainId || !isPlaced || binding.refundTo !== order.sender) return []
    for (const log of seen.logs) {
      if ((await uidOfEnd(log)) !== uid) continue
      return (await isUnsoldBy(readUnsold, swap, seen)) ? [{ place: `log:${log.index}`, amount: order.inputAmount }] : null
    }
    return []
  }

/** What the settlement pays out where it trades, to whomever, and the coins that EthFlow gives back. */
const named: SwapEvents['named'] = async (seen) => {
  const { chainId, isSuccess, logs, movements } = seen
  if (!isSuccess || networkOf(chainId) === null || !logs.some((log) => isBy(log, SETTLEMENT) || isBy(log, ETH_FLOW))) return []
  const trades = await tradesOf(seen)
  const isPaidInCoins = trades.some(({ trade }) => isNative({ chainId, address: trade.buyToken }))
  const paid = trades.length > 0 ? movements.filter(({ from }) => from === SETTLEMENT) : []
  const hasCoins = isPaidInCoins || (await Promise.all(logs.map(uidOfEnd))).some((uid) => uid !== null)
  return [...paid.map(({ place }) => place), ...(hasCoins ? [COINS_BY_CALLS] : [])]
}

/** By the UID: what EthFlow tells of orders placed and given back, and the settlement of their trades. */
export const createEvents = (readUnsold: UnsoldReader): SwapEvents => ({
  inputs,
  outputs,
  refunds: refundsBy(readUnsold),
  named,
})
