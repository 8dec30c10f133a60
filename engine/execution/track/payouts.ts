import type { SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import type { VenueWord } from '../../core/swapStatus.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { RefundKeeps, SwapEvents } from '../../venues/venue.ts'
import { type InputSight, leastOf, type PayoutSight } from './judge.ts'
import type { Look, Payout } from './lookForPayout.ts'

/** What a swap's end is looked for by: its record, what is kept of it, and what of its venue counts. */
export type EndQuery = {
  readonly record: SwapRecord
  readonly word: VenueWord
  readonly input: InputSight
  readonly kept: readonly Payment[]
  readonly events: SwapEvents | null
  readonly keeps: RefundKeeps
}

export const NONE: PayoutSight = { kind: 'none' }

/** Rounded up. */
const shareOf = (whole: bigint, part: bigint, of: bigint): bigint => (whole * part + of - 1n) / of

const orderIdsIn = (kept: readonly Payment[]): readonly string[] =>
  kept.flatMap(({ kind, orderId }) => (kind === 'input' && orderId !== null ? [orderId] : []))

/** The delivery a swap has a right to. */
export const deliveryOf = ({ record: { swap }, events, kept }: EndQuery): Payout => ({
  kind: 'output',
  asset: swap.order.output,
  recipient: swap.binding.recipient,
  eventsIn: async (seen) => events?.outputs(seen, swap, orderIdsIn(kept)) ?? null,
})

/** The refund a swap has a right to, in what was really taken. */
export const refundOf = ({ record: { swap }, events, kept }: EndQuery): Payout => ({
  kind: 'refund',
  asset: {
    chainId: swap.order.input.chainId,
    address: kept.find(({ kind }) => kind === 'input')?.token ?? swap.order.input.address,
  },
  recipient: swap.binding.refundTo,
  eventsIn: async (seen) => events?.refunds(seen, swap, orderIdsIn(kept)) ?? null,
})

/** What must come back of what was paid in; where nobody can tell how much that was, of what the payload asks for. */
export const owedOf = ({ record, input, keeps }: EndQuery): bigint => {
  const paid = (input.kind === 'paid' ? input.amount : null) ?? record.swap.order.inputAmount
  const owed = paid - keeps.amount - (paid * BigInt(keeps.bps)) / 10_000n
  return owed > 0n ? owed : 1n
}

/** A refund, and how much of it must be seen. */
export type Owed = { readonly payout: Payout; readonly owed: bigint }

/**
 * The refunds on other chains that the payload allows: of what the quote guaranteed for what is owed, and only where the
 * venue's contracts name the order, as any payment of that much might be another's.
 */
export const owedElsewhere = (query: EndQuery): readonly Owed[] => {
  const { swap } = query.record
  const own = refundOf(query)
  return (swap.refundsElsewhere ?? []).map(({ asset, recipient }) => ({
    payout: { ...own, asset, recipient, eventsIn: async (seen) => (await own.eventsIn(seen)) ?? [] },
    owed: shareOf(leastOf(swap.offer), owedOf(query), swap.order.inputAmount),
  }))
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

/** The sight of what is kept; null where nothing is. */
export const keptAs = (kept: readonly Payment[], kind: Payout['kind'], least: bigint): PayoutSight | null => {
  const own = kept.filter((payment) => payment.kind === kind)
  const txHash = own.at(-1)?.txHash
  if (txHash === undefined) return null
  const amount = own.reduce((sum, payment) => sum + (payment.amount ?? 0n), 0n)
  return { kind: 'paid', txHash, amount, isWhole: amount >= least }
}

/** `taken`: how much of it is now the swap's; null where it is not, or not yet. */
export const sightOf = (found: Look, taken: bigint | null): PayoutSight => {
  if (found === 'unreadable') return { kind: 'unreadable' }
  if (found === null) return NONE
  const { hash: txHash, standing } = found.seen
  if (taken !== null) return { kind: 'paid', txHash, amount: taken, isWhole: true }
  return standing === 'fresh' ? { kind: 'fresh', txHash } : NONE
}
