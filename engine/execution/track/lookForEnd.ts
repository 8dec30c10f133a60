import type { SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import type { PayoutSight } from './judge.ts'
import { toPayment } from './keptInputs.ts'
import { amountIn, createLookForPayout } from './lookForPayout.ts'
import { createLookForRefund, type RefundPorts } from './lookForRefund.ts'
import { deliveryOf, type EndQuery, keptAs, leastBeside, NONE, refundOf, sightOf } from './payouts.ts'

export type EndPorts = RefundPorts

const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }

/** What was paid in by the delivery itself: of a signed order nothing is paid before. */
const paidAtOnce = async ({ record, input, events }: EndQuery, seen: SeenTransaction): Promise<readonly Payment[]> => {
  const { swap } = record
  const paid = input.kind === 'signed' ? await events?.inputs(seen, swap) : null
  return (paid ?? []).map((event) => toPayment(seen, event, { kind: 'input', recipient: swap.order.sender }))
}

/** Looks for how a swap ended: its delivery, or its refund, or both where it was filled in part. */
export const createLookForEnd = (ports: EndPorts) => {
  const { look, take, toPayments } = createLookForPayout(ports)
  const { lookAtRefund, lookForRefund } = createLookForRefund(ports, { look, take })

  const lookForDelivery = async (query: EndQuery): Promise<PayoutSight> => {
    const { record, word, kept } = query
    const known = keptAs(kept, 'output', 1n)
    if (known !== null) return known
    const [delivery, refund] = [deliveryOf(query), refundOf(query)]
    const txHash = parseTransactionId(delivery.asset.chainId, word.txHash ?? '')
    const found = txHash && (await look(record, txHash, delivery))
    if (found === null || found === 'unreadable') return sightOf(found, null)
    const refundTx = parseTransactionId(refund.asset.chainId, word.refundTx ?? '')
    const returned = refundTx && (await lookAtRefund(query, refundTx, refund))
    const isBeside = returned !== null && returned !== 'unreadable' && returned.seen.standing !== 'fresh'
    const least = leastBeside(query, isBeside ? amountIn(returned) : 0n)
    const beside = isBeside ? toPayments(returned, refund) : []
    const paid = await paidAtOnce(query, found.seen)
    return sightOf(found, await take(record, { found: [found], payout: delivery, least, paid, beside }))
  }

  return async (query: EndQuery): Promise<{ readonly output: PayoutSight; readonly refund: PayoutSight }> => {
    const { word, input } = query
    if (word.state === 'success') {
      // A payout is claimed only by a swap whose own payment, or order, is proved.
      const isPaidFor = input.kind === 'paid' || input.kind === 'signed'
      const output = isPaidFor ? await lookForDelivery(query) : NONE
      const isReturned = input.kind === 'paid' && output.kind === 'none' && word.refundTx !== undefined
      return { output, refund: isReturned ? await lookForRefund(query) : NOT_LOOKED }
    }
    const isOver = word.state === 'refunded' || word.state === 'expired' || word.state === 'failed'
    return { output: NOT_LOOKED, refund: isOver && input.kind === 'paid' ? await lookForRefund(query) : NOT_LOOKED }
  }
}
