import type { ChainEvidence } from '../chains/chainEvidence.ts'
import { ChainError } from '../chains/chains.ts'
import type { Payments } from '../chains/payments.ts'
import { toAmount } from '../core/amount.ts'
import type { Asset } from '../core/asset.ts'
import type { Binding } from '../core/execution.ts'
import type { SwapStatus } from '../core/swapStatus.ts'
import { withDeadline } from '../net/deadline.ts'
import type { SealedOffer } from '../venues/venue.ts'

const EVIDENCE_DEADLINE_MS = 4_000

/** What the chain says, or that it could not be asked. */
type Testimony = { readonly seen: Payments | null } | 'unreadable'

/**
 * Holds a venue's claim that a swap has ended against the chain where the money must have moved.
 *
 * `success` stands only when the named transaction paid the recipient at least the guaranteed minimum; the amount told is
 * then the one that was seen. `refunded` stands only when it paid the refund address something: a venue may refund in
 * the token it bridged. A claim without a transaction to look for is no success; a refund without one is the venue's
 * word, because some venues never name it. Where the chain cannot be read, the venue's word stands too.
 *
 * What is not seen stays open, `processing` or `expired`, with the venue's own words beside it.
 */
export const requireEvidence = async (
  status: SwapStatus,
  { order, offer, binding }: SealedOffer & { readonly binding: Binding },
  { evidence, reportUnread }: { readonly evidence: ChainEvidence; readonly reportUnread: (error: ChainError) => void },
): Promise<SwapStatus> => {
  const testimony = async (asset: Asset, recipient: Binding['recipient'], txHash: string): Promise<Testimony> => {
    try {
      const seen = await withDeadline(EVIDENCE_DEADLINE_MS, (signal) => evidence.payments({ asset, recipient, txHash }, signal))
      return { seen }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      reportUnread(error)
      return 'unreadable'
    }
  }

  if (status.state === 'success') {
    const unseen: SwapStatus = { ...status, state: 'processing', deliveredAmount: null, txHash: null }
    if (status.txHash === null) return unseen
    const told = await testimony(order.output, binding.recipient, status.txHash)
    if (told === 'unreadable') return status
    const least = offer.slippage?.guaranteedMin ?? 1n
    return told.seen !== null && told.seen.amount >= least ? { ...status, deliveredAmount: toAmount(told.seen.amount) } : unseen
  }
  if (status.state === 'refunded' && status.txHash !== null) {
    const told = await testimony(order.input, binding.refundTo, status.txHash)
    const isSeen = told === 'unreadable' || told.seen?.isAnything === true
    return isSeen ? status : { ...status, state: 'expired', txHash: null }
  }
  return status
}
