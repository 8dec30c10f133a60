import type { World } from '../../world.ts'
import type { Book, Fate, SimOrder, SimTrade } from './book.ts'
import { type Price, pairOf, priceSell } from './pricing.ts'
import { Refusal } from './refusal.ts'

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

/** How long after a native order expired its coins are sent back, where that happens by itself. */
const REFUND_AFTER_MS = 5 * 60_000

const FATES: readonly Fate[] = ['fails', 'never-fills', 'lying-success', 'short-fill']

/** The settlement fault that is on now, if any. */
export const takeFate = (world: World): Fate | null => FATES.find((fate) => world.faults.take('cow', fate) !== null) ?? null

const endOf = ({ data, ethFlow }: SimOrder): number => (ethFlow?.userValidTo ?? data.validTo) * 1_000

const currentPrice = (world: World, { network }: Book, { data }: SimOrder): Price | null => {
  try {
    return priceSell(world, network, pairOf(world, network, data.sellToken, data.buyToken), data.sellAmount)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const tradeOf = (world: World, buyAmount: bigint): SimTrade => ({
  blockNumber: 24_000_000 + world.random.integer(1_000_000),
  logIndex: world.random.integer(400),
  buyAmount,
  txHash: `0x${world.random.hex(64)}`,
})

const fill = (world: World, order: SimOrder, executedBuyAmount: bigint, executedFee: bigint): void => {
  order.outcome = { status: 'fulfilled', executedBuyAmount, executedFee, trade: tradeOf(world, executedBuyAmount) }
}

/** Fills when the market still gives the signed minimum after network cost, protocol and partner fee; else it waits. */
const fillAtMarket = (world: World, book: Book, order: SimOrder): void => {
  const price = currentPrice(world, book, order)
  if (!price || !order.appData) return
  const delivered = price.buyAmount - (price.gross * order.appData.partnerFeeBps) / 10_000n
  if (delivered >= order.data.buyAmount) fill(world, order, delivered, price.feeAmount)
}

const settle = (world: World, book: Book, order: SimOrder): void => {
  order.fate ??= takeFate(world)
  switch (order.fate) {
    case 'fails':
      order.outcome = { status: 'cancelled' }
      return
    case 'never-fills':
      return
    case 'lying-success':
      // Says it was filled, in full, by a settlement that never was.
      order.outcome = { status: 'fulfilled', executedBuyAmount: order.data.buyAmount, executedFee: 0n, trade: null }
      return
    case 'short-fill':
      fill(world, order, order.data.buyAmount / 2n, 0n)
      return
    case null:
      fillAtMarket(world, book, order)
      return
  }
}

/** Brings an order up to the present. Prices are those of the moment it is looked at. */
export const catchUp = (world: World, book: Book, order: SimOrder): void => {
  const now = world.clock.now()
  const { ethFlow } = order
  const dueAt = order.createdAt + SETTLED_AFTER_MS
  const canFill = !order.isPresigned && (ethFlow?.placementError ?? null) === null
  if (!order.outcome && canFill && now >= dueAt && dueAt <= endOf(order)) settle(world, book, order)
  const isUnfilled = order.outcome?.status !== 'fulfilled'
  if (ethFlow?.isRefundedByItself && isUnfilled && now >= endOf(order) + REFUND_AFTER_MS)
    ethFlow.refundTxHash ??= `0x${world.random.hex(64)}`
}

/** In the server's order: filled, invalidated, expired, waiting for its on-chain signature, open. */
export const statusOf = (world: World, order: SimOrder): string => {
  if (order.outcome) return order.outcome.status
  if (world.clock.now() > endOf(order)) return 'expired'
  return order.isPresigned ? 'presignaturePending' : 'open'
}

export const phaseOf = (world: World, order: SimOrder): Phase => {
  if (order.outcome) return order.outcome.status === 'fulfilled' ? 'traded' : 'cancelled'
  const age = world.clock.now() - order.createdAt
  return PHASES.find(([, untilMs]) => age < untilMs)?.[0] ?? 'active'
}
