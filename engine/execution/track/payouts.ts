import type { SeenTransaction } from '../../chains/seen.ts'
import { isSameAsset } from '../../core/asset.ts'
import type { Payment } from '../../core/payment.ts'
import type { VenueWord } from '../../core/swapStatus.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { RefundKeeps, SwapEvents } from '../../venues/venue.ts'
import { type InputSight, leastOf, type PayoutSight } from './judge.ts'
import { amountOf, isPaidIn } from './keptInputs.ts'
import type { Found, Kept, Payout } from './lookForPayout.ts'

/** What a swap's end is looked for by: its record, what is kept of it, and what of its venue counts. */
export type EndQuery = {
  readonly record: SwapRecord
  readonly word: VenueWord
  readonly input: InputSight
  readonly kept: readonly Payment[]
  readonly events: SwapEvents | null
  readonly keeps: RefundKeeps
  /** Null: that of the swap itself; else the order of an extra payment, whose end events alone can tell. */
  readonly orderId: string | null
  /** Whether the venue's contract shows that nothing of a signed order was filled. */
  readonly isUnfilled?: () => Promise<boolean>
}

export const NONE: PayoutSight = { kind: 'none' }
export const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }

/** How a swap ended: by its delivery, or its refund. */
export type EndSights = { readonly output: PayoutSight; readonly refund: PayoutSight }

/** Rounded up. */
const shareOf = (whole: bigint, part: bigint, of: bigint): bigint => (whole * part + of - 1n) / of

const orderIdsIn = (kept: readonly Payment[]): readonly string[] =>
  kept.flatMap(({ kind, orderId }) => (kind === 'input' && orderId !== null ? [orderId] : []))

type PayoutQuery = Pick<EndQuery, 'record' | 'events' | 'kept' | 'orderId'>

/** What no event names may be money of the swap itself, and never that of an extra payment. */
const unnamed = (orderId: string | null): readonly [] | null => (orderId === null ? null : [])

/** The delivery a swap has a right to. */
export const deliveryOf = ({ record: { swap }, events, kept, orderId }: PayoutQuery): Payout => ({
  kind: 'output',
  orderId,
  asset: swap.order.output,
  recipient: swap.binding.recipient,
  eventsIn: async (seen) => (await events?.outputs(seen, swap, orderIdsIn(kept))) ?? unnamed(orderId),
})

/** The refund a swap has a right to, in what was really taken. */
export const refundOf = ({ record: { swap }, events, kept, orderId }: PayoutQuery): Payout => ({
  kind: 'refund',
  orderId,
  asset: {
    chainId: swap.order.input.chainId,
    address: kept.find(({ kind }) => kind === 'input')?.token ?? swap.order.input.address,
  },
  recipient: swap.binding.refundTo,
  eventsIn: async (seen) => (await events?.refunds(seen, swap, orderIdsIn(kept))) ?? unnamed(orderId),
})

/**
 * What must come back of what was paid in, by so many transactions, each of which the venue may keep something of; where nobody
 * can tell how much was paid in, of what the payload asks for.
 */
export const owedOf = ({ record, input, keeps }: Pick<EndQuery, 'record' | 'input' | 'keeps'>, times = 1): bigint => {
  const paid = (input.kind === 'paid' ? input.amount : null) ?? record.swap.order.inputAmount
  const owed = paid - keeps.amount * BigInt(times) - (paid * BigInt(keeps.bps)) / 10_000n
  return owed > 0n ? owed : 1n
}

/** By how many transactions some of it came back. */
export const refundsIn = (kept: readonly Payment[]): number =>
  new Set(kept.filter(({ kind }) => kind === 'refund').map(({ txHash }) => txHash)).size

/**
 * What can come back at most: what was taken, and of an address all that was paid there. Null where nobody can tell how much
 * that was.
 */
export const mostOf = ({ record, kept }: EndQuery): bigint | null => {
  const isDeposit = record.swap.execution.payload.executionType === 'DEPOSIT'
  const most = amountOf(kept.filter((payment) => payment.kind === 'input' || (isDeposit && isPaidIn(payment))))
  return most === 0n ? null : most
}

/** A refund, with the least of it that must be seen, the most that can be, and how much the venue tells; null where nothing says so. */
export type Owed = {
  readonly payout: Payout
  readonly least: bigint
  readonly most: bigint | null
  readonly told: bigint | null
}

/**
 * The refunds on other chains that the payload allows: of what the quote guaranteed for what is owed, and only where the
 * venue's contracts name the order, as any payment of that much might be another's. One in what was bought to whom it was
 * bought for is the delivery, whatever its venue calls it.
 */
export const owedElsewhere = (query: EndQuery): readonly Owed[] => {
  const { swap } = query.record
  const [own, delivery] = [refundOf(query), deliveryOf(query)]
  const named = async (payout: Payout, seen: SeenTransaction) => (await payout.eventsIn(seen)) ?? []
  return (swap.refundsElsewhere ?? []).map(({ asset, recipient }) => {
    const isDelivery = isSameAsset(asset, delivery.asset) && recipient === delivery.recipient
    const payout = isDelivery ? delivery : { ...own, asset, recipient }
    const least = isDelivery ? leastOf(swap.offer) : shareOf(leastOf(swap.offer), owedOf(query), swap.order.inputAmount)
    return { payout: { ...payout, eventsIn: (seen) => named(payout, seen) }, least, most: null, told: null }
  })
}

/**
 * Whether a payment came after another of its chain. By their blocks, as their times are rough and may be equal; by those only
 * where the node has forgotten the other.
 */
export const isAfter = (seen: SeenTransaction, { height, at }: { readonly height: number | null; readonly at: number | null }) =>
  height === null ? seen.at !== null && at !== null && seen.at > at : seen.height > height

/** The least that a delivery must be where some of the input came back: in proportion to what did not. */
export const leastBeside = ({ record, input }: EndQuery, returned: bigint): bigint => {
  const least = leastOf(record.swap.offer)
  const paid = input.kind === 'paid' ? input.amount : null
  return paid === null || returned <= 0n || returned >= paid ? least : shareOf(least, paid - returned, paid)
}

type PaidSight = Extract<PayoutSight, { readonly kind: 'paid' }>

/** The sight of what is kept; null where nothing is. */
export const keptAs = (kept: readonly Payment[], kind: Payout['kind'], least: bigint): PaidSight | null => {
  const own = kept.filter((payment) => payment.kind === kind)
  const txHash = own.at(-1)?.txHash
  if (txHash === undefined) return null
  const amount = own.reduce((sum, payment) => sum + (payment.amount ?? 0n), 0n)
  return { kind: 'paid', txHash, amount, isWhole: amount >= least }
}

/** `taken`: what of it is now the swap's; null where nothing is, or not yet. */
export const sightOf = (found: readonly Found[], taken: Kept | null): PayoutSight => {
  if (taken !== null) return { kind: 'paid', ...taken, isWhole: true }
  const fresh = found.findLast(({ seen, shares }) => shares.length > 0 && seen.standing === 'fresh')
  return fresh ? { kind: 'fresh', txHash: fresh.seen.hash } : NONE
}
