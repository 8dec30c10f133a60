import { blockOf } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { PaymentStore } from '../../store/payments.ts'
import { sumOf } from './chooseShares.ts'
import type { Missed } from './freeHeld.ts'
import type { PayoutSight } from './judge.ts'
import { toPayment } from './keptInputs.ts'
import { createLookForPayout, type Found } from './lookForPayout.ts'
import { createLookForRefund, type RefundPorts } from './lookForRefund.ts'
import { deliveryOf, type EndQuery, type EndSights, keptAs, leastBeside, NONE, NOT_LOOKED, refundOf, sightOf } from './payouts.ts'

/**
 * The input that the delivery of a signed order took: nothing is paid before it. Null if no payout event names the order and the
 * transaction took no free input of this swap.
 */
const paidAtOnce = async (
  { record, input, events }: EndQuery,
  { seen, isNamed }: Found,
  payments: PaymentStore,
): Promise<readonly Payment[] | null> => {
  const { id, swap } = record
  const told = (input.kind === 'signed' ? await events?.inputs(seen, swap) : null) ?? null
  const paid = (told ?? []).map((event) => toPayment(seen, event, { kind: 'input', recipient: swap.order.sender }))
  if (isNamed || told === null) return paid
  const taken = await payments.takenFrom(id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
  // Each of several equal orders owns one of the inputs.
  const own = paid.find(({ place }) => !taken.some((one) => one.place === place))
  return own ? [own] : null
}

/** Finds the end of a swap: its delivery, its refund, or both after a partial fill. */
export const createLookForEnd = (ports: RefundPorts) => {
  const { look, take, toPayments } = createLookForPayout(ports)
  const { freeHeld, payments } = ports
  const { lookAtRefund, lookForRefund } = createLookForRefund(ports, { look, take, toPayments })

  /** The delivery in a transaction. `missed`: the amount is not sufficient, or belongs to other swaps. */
  const deliveredBy = async (query: EndQuery, txHash: TransactionId): Promise<{ sight: PayoutSight; missed: Missed | null }> => {
    const { record, word, input } = query
    const [payout, refund] = [deliveryOf(query), refundOf(query)]
    const found = await look(record, txHash, payout)
    if (found === 'unreadable') return { sight: { kind: 'unreadable' }, missed: null }
    const isSigned = input.kind === 'signed'
    // The contract shows that the signed order was never filled, so the transaction paid another party.
    if (found === null || found === 'absent' || (isSigned && !found.isNamed && (await query.isUnfilled?.())))
      return { sight: NONE, missed: null }
    const refundTx = parseTransactionId(refund.asset.chainId, word.refundTx ?? '')
    const returned = refundTx && (await lookAtRefund(query, refundTx, refund))
    const isBeside = returned !== null && typeof returned !== 'string' && returned.seen.standing !== 'fresh'
    const least = leastBeside(query, isBeside ? sumOf(returned.shares) : 0n)
    const beside = isBeside ? toPayments(returned.shares, refund) : []
    const { seen } = found
    const paid = await paidAtOnce(query, found, payments)
    // A delivery has no upper bound: prices move, and late or excess payments are swapped too.
    const measure = { least, most: null, told: word.deliveredAmount }
    const taken = paid && (await take(record, { found: [found], payout, measure, paid, beside }))
    const sight = paid === null ? NONE : sightOf([found], taken)
    return {
      sight,
      missed:
        sight.kind === 'none'
          ? { record, seen, payout, least, most: null, told: word.deliveredAmount, isNamed: true, spare: [] }
          : null,
    }
  }

  const lookForDelivery = async (query: EndQuery): Promise<PayoutSight> => {
    const { record, word, kept } = query
    const known = keptAs(kept, 'output', 1n)
    if (known !== null) return known
    const txHash = parseTransactionId(record.swap.order.output.chainId, word.txHash ?? '')
    if (txHash === null) return NONE
    const { sight, missed } = await deliveredBy(query, txHash)
    return missed !== null && (await freeHeld([missed])) ? (await deliveredBy(query, txHash)).sight : sight
  }

  return async (query: EndQuery): Promise<EndSights> => {
    const { word, input } = query
    if (word.state === 'success') {
      // A payout is claimed only by a swap whose own payment, or order, is proved.
      const isPaidFor = input.kind === 'paid' || input.kind === 'signed'
      const output = isPaidFor ? await lookForDelivery(query) : NONE
      const isReturned = input.kind === 'paid' && output.kind === 'none' && word.refundTx !== undefined
      const back = isReturned ? await lookForRefund(query) : null
      return back?.output.kind === 'paid' ? back : { output, refund: back?.refund ?? NOT_LOOKED }
    }
    const isOver = word.state === 'refunded' || word.state === 'expired' || word.state === 'failed'
    return isOver && input.kind === 'paid' ? lookForRefund(query) : { output: NOT_LOOKED, refund: NOT_LOOKED }
  }
}
