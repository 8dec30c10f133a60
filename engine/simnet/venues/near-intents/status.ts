import { sumOf } from '../../kit/deposits.ts'
import type { Order, Orders } from './orders.ts'
import type { Fields } from './quoteRequest.ts'

const KNOWN_MS = 10_000

const ENDS = { filled: 'SUCCESS', refunded: 'REFUNDED', failed: 'FAILED', unheardOf: 'FAILED' } as const

/** The raw status at a moment. */
const statusAt = (order: Order, { seen, completedAt }: Orders, now: number): string => {
  if (order.end) return ENDS[order.end.ends]
  const completed = completedAt(order)
  if (completed !== null) return now < completed + KNOWN_MS ? 'KNOWN_DEPOSIT_TX' : 'PROCESSING'
  if (seen(order).length > 0) return 'INCOMPLETE_DEPOSIT'
  return order.hint !== null && now <= order.openUntil ? 'KNOWN_DEPOSIT_TX' : 'PENDING_DEPOSIT'
}

const transactions = (hashes: readonly string[]) => [...new Set(hashes)].map((hash) => ({ hash, explorerUrl: '' }))

const detailsOf = (order: Order, { seen: seenOf }: Orders): Fields => {
  const { end, refunds, refundCost, withdrawFee, amountNeeded, inventedTxHash } = order
  const delivered = end?.ends === 'filled' ? end : null
  const seen = seenOf(order)
  return {
    intentHashes: [],
    nearTxHashes: [],
    amountIn: delivered ? amountNeeded.toString() : null,
    amountOut: delivered ? delivered.amount.toString() : null,
    slippage: null,
    depositedAmount: seen.length > 0 ? sumOf(seen).toString() : null,
    refundedAmount: sumOf(refunds).toString(),
    refundReason: end?.ends === 'refunded' ? end.reason : null,
    refundFee: refundCost.toString(),
    withdrawFee: withdrawFee.toString(),
    // "All transactions on the origin chain": those back to the sender too.
    originChainTxHashes: transactions([...seen, ...refunds].map(({ txHash }) => txHash)),
    destinationChainTxHashes: transactions(delivered ? [delivered.txHash ?? inventedTxHash] : []),
  }
}

/** The body of a status answer, but for its `correlationId`. `override` takes the place of the status. */
export const statusBody = (order: Order, orders: Orders, now: number, override: string | null): Fields => {
  const { correlationId: _quoteId, ...quoteResponse } = order.response
  // Defaults come back as null here, as the real status has them.
  const defaults = { referral: null, virtualChainRecipient: null, virtualChainRefundRecipient: null }
  return {
    status: override ?? statusAt(order, orders, now),
    updatedAt: new Date(now).toISOString(),
    quoteResponse: { ...quoteResponse, quoteRequest: { ...defaults, ...order.response.quoteRequest } },
    swapDetails: detailsOf(order, orders),
  }
}
