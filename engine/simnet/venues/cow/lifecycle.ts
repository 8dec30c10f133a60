import { takeSettlementFault } from '../../kit/fate.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { Book, Placed, SimOrder, SimTrade } from './book.ts'
import { refund } from './ethFlowContract.ts'
import { pairOf, priceSell } from './pricing.ts'
import { settleOrder, settleShort } from './settlement.ts'

export type Phase = 'open' | 'scheduled' | 'active' | 'solved' | 'executing' | 'traded' | 'cancelled'

/** When each phase of the auction ends, in ms of an order's age; after the last one it is settled. */
const PHASES: readonly (readonly [phase: Phase, untilMs: number])[] = [
  ['open', 2_000],
  ['scheduled', 4_000],
  ['active', 8_000],
  ['solved', 10_000],
  ['executing', 14_000],
]
const SETTLED_AFTER_MS = 14_000

/** The next auction for an order that was not settled in one; old orders are looked at less and less. */
const AUCTION_MS = 12_000
const AGE_PER_AUCTION = 4

/** How long after a native order expired its coins are sent back, where that happens by itself. */
const REFUND_AFTER_MS = 5 * 60_000

const endOf = ({ data, ethFlow }: SimOrder): number => (ethFlow?.userValidTo ?? data.validTo) * 1_000

const fulfil = (order: SimOrder, trade: SimTrade, executedFee: bigint): void => {
  order.outcome = { status: 'fulfilled', trade, executedFee }
}

/** Fills when the market still gives the signed minimum after network cost, protocol and partner fee; else it waits. */
const fillAtMarket = async (book: Book, order: SimOrder): Promise<void> => {
  const { sellToken, buyToken, sellAmount, buyAmount } = order.data
  const price = orRefused(() => priceSell(book, pairOf(book, sellToken, buyToken), sellAmount))
  if (!price || !order.appData) return
  const delivered = price.buyAmount - (price.gross * order.appData.partnerFeeBps) / 10_000n
  if (delivered >= buyAmount) fulfil(order, await settleOrder(book, order, delivered), price.feeAmount)
}

/** Says it was filled, in full, by a settlement that never was. */
const claimFill = ({ world }: Book, order: SimOrder): void => {
  const { buyAmount } = order.data
  fulfil(order, { blockNumber: 24_000_000, logIndex: 0, buyAmount, txHash: `0x${world.random.hex(64)}` }, 0n)
}

const settle = async (book: Book, order: SimOrder): Promise<void> => {
  order.fate ??= takeSettlementFault(book.world.faults, 'cow')
  switch (order.fate) {
    case 'fails':
      order.outcome = { status: 'cancelled' }
      return
    case 'never-fills':
      return
    case 'lying-success':
      return claimFill(book, order)
    case 'short-fill':
      return fulfil(order, await settleShort(book, order, order.data.buyAmount / 2n), 0n)
    case null:
      return fillAtMarket(book, order)
  }
}

/** One auction. An order that comes out of it unsettled stays open, and what stood in the way is told once. */
const auction = async (book: Book, order: SimOrder): Promise<void> => {
  const { world, network } = book
  const now = world.clock.now()
  if (order.outcome || now > endOf(order)) return
  try {
    await settle(book, order)
  } catch (error) {
    const obstacle = error instanceof Error ? error.message : String(error)
    const isNews = obstacle !== order.obstacle
    order.obstacle = obstacle
    if (isNews) throw new Error(`order ${order.uid} of ${network.path} was not settled: ${obstacle}`, { cause: error })
  } finally {
    const waitMs = Math.max(AUCTION_MS, Math.floor((now - order.createdAt) / AGE_PER_AUCTION))
    if (!order.outcome) world.schedule.at(now + waitMs, () => auction(book, order))
  }
}

/** Takes an order into the book; what becomes of it then follows by the network's time. */
export const openOrder = (book: Book, placed: Placed): void => {
  const { world, orders } = book
  const order: SimOrder = { ...placed, fate: takeSettlementFault(world.faults, 'cow'), outcome: null, obstacle: null }
  const { uid, ethFlow, createdAt } = order
  orders.set(uid, order)
  if (!ethFlow?.placementError) world.schedule.at(createdAt + SETTLED_AFTER_MS, () => auction(book, order))
  if (ethFlow?.isRefundedByItself) world.schedule.at(endOf(order) + REFUND_AFTER_MS, () => refund(book, order))
}

/** In the server's order: filled, invalidated, expired, open. */
export const statusOf = ({ world }: Book, order: SimOrder): string => {
  if (order.outcome) return order.outcome.status
  return world.clock.now() > endOf(order) ? 'expired' : 'open'
}

export const phaseOf = ({ world }: Book, order: SimOrder): Phase => {
  if (order.outcome) return order.outcome.status === 'fulfilled' ? 'traded' : 'cancelled'
  const age = world.clock.now() - order.createdAt
  return PHASES.find(([, untilMs]) => age < untilMs)?.[0] ?? 'active'
}
