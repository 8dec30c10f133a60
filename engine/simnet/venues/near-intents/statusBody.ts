import type { DepositView } from './depositView.ts'
import type { Order } from './orders.ts'

type Fields = { readonly [field: string]: unknown }

const KNOWN_MS = 10_000

/** The raw status at a moment. */
const statusAt = (order: Order, view: DepositView, now: number): string => {
  if (order.end) return order.end.status
  const completedAt = view.completedAt(order)
  if (completedAt !== null) return now < completedAt + KNOWN_MS ? 'KNOWN_DEPOSIT_TX' : 'PROCESSING'
  if (view.seenAmount(order) > 0n) return 'INCOMPLETE_DEPOSIT'
  return order.hint !== null && now <= order.deadlineAt ? 'KNOWN_DEPOSIT_TX' : 'PENDING_DEPOSIT'
}

const transactions = (hashes: readonly string[]) => [...new Set(hashes)].map((hash) => ({ hash, explorerUrl: '' }))

const detailsOf = (order: Order, view: DepositView): Fields => {
  const { end, refunds, refundFee, amountIn } = order
  const delivered = end?.status === 'SUCCESS' ? end : null
  const seen = view.seen(order)
  return {
    intentHashes: [],
    nearTxHashes: [],
    amountIn: delivered ? amountIn.toString() : null,
    amountOut: delivered ? delivered.amountOut.toString() : null,
    slippage: null,
    depositedAmount: seen.length > 0 ? view.seenAmount(order).toString() : null,
    refundedAmount: refunds.reduce((total, { amount }) => total + amount, 0n).toString(),
    refundReason: end?.status === 'REFUNDED' ? end.reason : null,
    refundFee: refundFee.toString(),
    withdrawFee: String(order.response.quote['withdrawFee']),
    // "All transactions on the origin chain": those back to the sender too.
    originChainTxHashes: transactions([...seen, ...refunds].map(({ txHash }) => txHash)),
    destinationChainTxHashes: transactions(delivered ? [delivered.txHash] : []),
  }
}

/** The body of a status answer, but for its `correlationId`. `override` takes the place of the status. */
export const statusBody = (order: Order, view: DepositView, now: number, override: string | null): Fields => {
  const { correlationId: _quoteId, ...quoteResponse } = order.response
  return {
    status: override ?? statusAt(order, view, now),
    updatedAt: new Date(now).toISOString(),
    quoteResponse: {
      ...quoteResponse,
      // Defaults come back as null here, as the real status has them.
      quoteRequest: {
        referral: null,
        virtualChainRecipient: null,
        virtualChainRefundRecipient: null,
        ...order.response.quoteRequest,
      },
    },
    swapDetails: detailsOf(order, view),
  }
}
