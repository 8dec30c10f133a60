import { ChainError } from '../../chains/chains.ts'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { isBy, readEventBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenLog, type SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, SwapEvents } from '../venue.ts'
import { type OwnOrder, ownOrder } from './ownOrder.ts'
import { decodeCreateOrder, ORDER_INVALIDATION, ORDER_PLACEMENT, ORDER_REFUND, placementOf, SETTLED, TRADE } from './protocol.ts'
import { type CowFamilies, type CowFamily, networkOf, sellTokenOf } from './published.ts'
import type { UnsoldReader } from './unfilled.ts'

type Trade = EventOf<typeof TRADE>

/** A trade with the later logs of its settlement, and the trades of that settlement. */
type Told = { readonly log: SeenLog; readonly trade: Trade; readonly among: readonly Trade[]; readonly after: readonly SeenLog[] }

const tradesOf = async ({ logs }: SeenTransaction, settlement: Address): Promise<readonly Told[]> => {
  const told: Told[] = []
  let among: Trade[] = []
  let afters: SeenLog[][] = []
  for (const log of logs) {
    const trade = await readEventBy(settlement, TRADE, log)
    for (const after of afters) after.push(log)
    if (trade !== null) {
      among.push(trade)
      const after: SeenLog[] = []
      afters.push(after)
      told.push({ log, trade, among, after })
    } else if ((await readEventBy(settlement, SETTLED, log)) !== null) {
      among = []
      afters = []
    }
  }
  return told
}

/** The transfer of a settlement for a trade. */
type Moved = Pick<Movement, 'token' | 'from' | 'to' | 'amount'>

/**
 * The place where a settlement moved the money of one trade. It moves the money in the order of its trades. `alike`: trades of
 * the same amount. Null for coins, which leave no log, and for equal trades of several parties.
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

/** The place of the payment, so that no other swap counts it; else the trade's own. */
const paidAt = (told: Told, from: Address, receiver: Address, movements: readonly Movement[]): string => {
  const { log, trade, among } = told
  const alike = among.filter(({ buyToken, buyAmount }) => buyToken === trade.buyToken && buyAmount === trade.buyAmount)
  const moved = { token: trade.buyToken, from, to: receiver, amount: trade.buyAmount }
  return movedAt(told, moved, alike, movements) ?? `log:${log.index}`
}

const takenAt = (told: Told, to: Address, movements: readonly Movement[]): string | null => {
  const { trade, among } = told
  const alike = among.filter(({ sellToken, sellAmount }) => sellToken === trade.sellToken && sellAmount === trade.sellAmount)
  const moved = { token: trade.sellToken, from: trade.owner, to, amount: trade.sellAmount }
  return movedAt(told, moved, alike, movements)
}

const isOwnTrade = (trade: Trade, { uid, book }: OwnOrder, { order, execution }: ExecutedSwap): boolean =>
  trade.orderUid === uid &&
  trade.owner === (isNative(order.input) ? book.ethFlow : order.sender) &&
  trade.sellToken === sellTokenOf(book, order.input) &&
  trade.buyToken === order.output.address &&
  trade.sellAmount === order.inputAmount &&
  trade.buyAmount >= (execution.slippage?.guaranteedMin ?? 1n) &&
  trade.feeAmount === 0n

/** The event of EthFlow for the order that a payload places. */
const placements = async (
  seen: SeenTransaction,
  { order, execution: { payload } }: ExecutedSwap,
  { uid: orderId, book }: OwnOrder,
): Promise<readonly InputEvent[]> => {
  const placed = payload.executionType === 'TRANSACTION' ? await decodeCreateOrder(payload.transaction.data as Hex) : null
  if (placed === null) return []
  const own = { sender: order.sender, ...placementOf(book, placed) }
  const took = { token: order.input.address, amount: placed.sellAmount }
  const events: InputEvent[] = []
  for (const log of seen.logs) {
    const told = await readEventBy(book.ethFlow, ORDER_PLACEMENT, log)
    // This sender placed exactly this order, in every field.
    if (told !== null && tells(told, own)) events.push({ place: `log:${log.index}`, orderId, took })
  }
  return events
}

/** A signed order pays nothing before its settlement, which takes and delivers at once. */
const inputsBy =
  (families: CowFamilies): SwapEvents['inputs'] =>
  async (seen, swap) => {
    const { order } = swap
    const own = await ownOrder(families, swap)
    if (!seen.isSuccess || seen.chainId !== order.input.chainId || own === null) return []
    if (own.isPlaced) return placements(seen, swap, own)
    const { settlement } = own.book
    return (await tradesOf(seen, settlement)).flatMap((told) => {
      const place = isOwnTrade(told.trade, own, swap) ? takenAt(told, settlement, seen.movements) : null
      const took = { token: order.input.address, amount: order.inputAmount }
      return place === null ? [] : [{ place, orderId: own.uid, took }]
    })
  }

const outputsBy =
  (families: CowFamilies): SwapEvents['outputs'] =>
  async (seen, swap, orderIds) => {
    const { order, binding } = swap
    const own = await ownOrder(families, swap)
    if (!seen.isSuccess || seen.chainId !== order.output.chainId || own === null) return []
    // An EthFlow order has an owner once it is placed; the UID of a signed order names its signer.
    if (own.isPlaced && !orderIds.includes(own.uid)) return []
    const { settlement } = own.book
    return (await tradesOf(seen, settlement))
      .filter(({ trade }) => isOwnTrade(trade, own, swap))
      .map((told) => ({ place: paidAt(told, settlement, binding.recipient, seen.movements), amount: told.trade.buyAmount }))
  }

/** The UID of the order that EthFlow reports as over. */
const uidOfEnd = async (ethFlow: Address, log: SeenLog): Promise<Hex | null> =>
  ((await readEventBy(ethFlow, ORDER_INVALIDATION, log)) ?? (await readEventBy(ethFlow, ORDER_REFUND, log)))?.orderUid ?? null

/** Time limit for reading the filled amount from the settlement. */
const FILLED_MS = 3_000

/** Whether the order was entirely unsold when this transaction ended it. */
const isUnsoldBy = async (readUnsold: UnsoldReader, swap: ExecutedSwap, { at }: SeenTransaction): Promise<boolean> => {
  const until = await readUnsold(swap, AbortSignal.timeout(FILLED_MS)).catch((error: unknown) => {
    if (error instanceof ChainError) return null
    throw error
  })
  return until !== null && at !== null && until >= at
}

/**
 * EthFlow logs the UID of an ended order, but not the refunded amount. A filled order gets no refund, and the settlement records
 * fills for ever. Where it cannot be read, the transfer itself must show the refund. A signed order never takes money from the
 * wallet.
 */
const refundsBy =
  (readUnsold: UnsoldReader, families: CowFamilies): SwapEvents['refunds'] =>
  async (seen, swap, orderIds) => {
    const { order, binding } = swap
    const own = await ownOrder(families, swap)
    if (!own?.isPlaced || !orderIds.includes(own.uid)) return []
    if (!seen.isSuccess || seen.chainId !== order.input.chainId || binding.refundTo !== order.sender) return []
    for (const log of seen.logs) {
      if ((await uidOfEnd(own.book.ethFlow, log)) !== own.uid) continue
      return (await isUnsoldBy(readUnsold, swap, seen)) ? [{ place: `log:${log.index}`, amount: order.inputAmount }] : null
    }
    return []
  }

/** All payments of the settlement where it trades, to any recipient, and the coins that EthFlow refunds. */
const namedBy = async (seen: SeenTransaction, { settlement, ethFlow }: CowFamily): Promise<readonly string[]> => {
  const { chainId, isSuccess, logs, movements } = seen
  if (!isSuccess || networkOf(chainId) === null || !logs.some((log) => isBy(log, settlement) || isBy(log, ethFlow))) return []
  const trades = await tradesOf(seen, settlement)
  const isPaidInCoins = trades.some(({ trade }) => isNative({ chainId, address: trade.buyToken }))
  const paid = trades.length > 0 ? movements.filter(({ from }) => from === settlement) : []
  const hasCoins = isPaidInCoins || (await Promise.all(logs.map((log) => uidOfEnd(ethFlow, log)))).some((uid) => uid !== null)
  return [...paid.map(({ place }) => place), ...(hasCoins ? [COINS_BY_CALLS] : [])]
}

/** By the UID: EthFlow's events of placed and refunded orders, and the settlement's trades. */
export const createEvents = (readUnsold: UnsoldReader, families: CowFamilies): SwapEvents => ({
  inputs: inputsBy(families),
  outputs: outputsBy(families),
  refunds: refundsBy(readUnsold, families),
  named: async (seen) => [...new Set((await Promise.all(families.map((family) => namedBy(seen, family)))).flat())],
})
