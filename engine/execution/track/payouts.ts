import type { SeenTransaction } from '../../chains/seen.ts'
import { isSameAsset } from '../../core/asset.ts'
import type { Payment } from '../../core/payment.ts'
import type { VenueWord } from '../../core/swapStatus.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { RefundKeeps, SwapEvents } from '../../venues/venue.ts'
import { type InputSight, leastOf, type PayoutSight } from './judge.ts'
import { amountOf, isPaidIn } from './keptInputs.ts'
import type { Found, Kept, Payout } from './lookForPayout.ts'

/** The input of a search for the end of a swap. */
export type EndQuery = {
  readonly record: SwapRecord
  readonly word: VenueWord
  readonly input: InputSight
  readonly kept: readonly Payment[]
  readonly events: SwapEvents | null
  readonly keeps: RefundKeeps
  /** Null for the swap itself; else the order of an extra payment, whose end only events can show. */
  readonly orderId: string | null
  /** True if the venue's contract shows that a signed order was not filled at all. */
  readonly isUnfilled?: () => Promise<boolean>
}

export const NONE: PayoutSight = { kind: 'none' }
export const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }

/** The evidence of the end of a swap: delivery or refund. */
export type EndSights = { readonly output: PayoutSight; readonly refund: PayoutSight }

/** Rounded up. */
const shareOf = (whole: bigint, part: bigint, of: bigint): bigint => (whole * part + of - 1n) / of

const orderIdsIn = (kept: readonly Payment[]): readonly string[] =>
  kept.flatMap(({ kind, orderId }) => (kind === 'input' && orderId !== null ? [orderId] : []))

type PayoutQuery = Pick<EndQuery, 'record' | 'events' | 'kept' | 'orderId'>

/** A payment without an event may belong to the swap itself, never to an extra payment. */
const unnamed = (orderId: string | null): readonly [] | null => (orderId === null ? null : [])

/** The delivery that a swap is owed. */
export const deliveryOf = ({ record: { swap }, events, kept, orderId }: PayoutQuery): Payout => ({
  kind: 'output',
  orderId,
  asset: swap.order.output,
  recipient: swap.binding.recipient,
  eventsIn: async (seen) => (await events?.outputs(seen, swap, orderIdsIn(kept))) ?? unnamed(orderId),
})

/** The refund that a swap is owed, in the asset that was taken. */
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
 * The smallest refund of the input, over a number of transactions from each of which the venue may keep a part. If the input
 * amount is unknown, the amount of the payload counts.
 */
export const owedOf = ({ record, input, keeps }: Pick<EndQuery, 'record' | 'input' | 'keeps'>, times = 1): bigint => {
  const paid = (input.kind === 'paid' ? input.amount : null) ?? record.swap.order.inputAmount
  const owed = paid - keeps.amount * BigInt(times) - (paid * BigInt(keeps.bps)) / 10_000n
  return owed > 0n ? owed : 1n
}

/** The number of transactions that refunded a part. */
export const refundsIn = (kept: readonly Payment[]): number =>
  new Set(kept.filter(({ kind }) => kind === 'refund').map(({ txHash }) => txHash)).size

/** The largest refund: the input, and for an address everything paid there. Null if that is unknown. */
export const mostOf = ({ record, kept }: EndQuery): bigint | null => {
  const isDeposit = record.swap.execution.payload.executionType === 'DEPOSIT'
  const most = amountOf(kept.filter((payment) => payment.kind === 'input' || (isDeposit && isPaidIn(payment))))
  return most === 0n ? null : most
}

/** A refund, with its least and largest amount and the amount that the venue reports; null where unknown. */
export type Owed = {
  readonly payout: Payout
  readonly least: bigint
  readonly most: bigint | null
  readonly told: bigint | null
}

/**
 * Refunds in other assets that the payload allows. Each must be worth the guaranteed output of the refund due, and an event must
 * name the order. A payment in the bought token to the recipient is the delivery, even if the venue calls it a refund.
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

/** True if a payment came after another on its chain, by blocks, or by time if the node has forgotten the other. */
export const isAfter = (seen: SeenTransaction, { height, at }: { readonly height: number | null; readonly at: number | null }) =>
  height === null ? seen.at !== null && at !== null && seen.at > at : seen.height > height

/** The least delivery beside a partial refund, in proportion to the rest. */
export const leastBeside = ({ record, input }: EndQuery, returned: bigint): bigint => {
  const least = leastOf(record.swap.offer)
  const paid = input.kind === 'paid' ? input.amount : null
  return paid === null || returned <= 0n || returned >= paid ? least : shareOf(least, paid - returned, paid)
}

type PaidSight = Extract<PayoutSight, { readonly kind: 'paid' }>

/** The evidence of recorded payouts; null without any. */
export const keptAs = (kept: readonly Payment[], kind: Payout['kind'], least: bigint): PaidSight | null => {
  const own = kept.filter((payment) => payment.kind === kind)
  const txHash = own.at(-1)?.txHash
  if (txHash === undefined) return null
  const amount = own.reduce((sum, payment) => sum + (payment.amount ?? 0n), 0n)
  return { kind: 'paid', txHash, amount, isWhole: amount >= least }
}

/** `taken`: the part that now belongs to the swap; null if none does yet. */
export const sightOf = (found: readonly Found[], taken: Kept | null): PayoutSight => {
  if (taken !== null) return { kind: 'paid', ...taken, isWhole: true }
  const fresh = found.findLast(({ seen, shares }) => shares.length > 0 && seen.standing === 'fresh')
  return fresh ? { kind: 'fresh', txHash: fresh.seen.hash } : NONE
}
