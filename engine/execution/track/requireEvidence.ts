import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import { ChainError } from '../../chains/chains.ts'
import type { Payments } from '../../chains/payments.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, chainOf } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { withDeadline } from '../../net/deadline.ts'

const EVIDENCE_DEADLINE_MS = 4_000

/** How far a block's time and ours may be apart. Miners of Bitcoin may be hours off. */
const CLOCKS_APART_MS = { bitcoin: 2 * 3_600_000, others: 300_000 }

/** `executedAt`, epoch ms: no payment of the swap can be older. */
export type EvidencedSwap = SealedOffer & { readonly binding: Binding; readonly executedAt: number }

export type EvidencePorts = {
  readonly evidence: ChainEvidence
  readonly reportUnread: (error: ChainError) => void
  /** What this transaction owes the recipient for other swaps that it delivered before, smallest units. */
  readonly owedToOthers: (txHash: TransactionId, least: bigint) => Promise<bigint>
}

/** What the chain says, or that it could not be asked. Null: it shows no such payment. */
type Testimony = Payments | null | 'unreadable'

/** What counts as a refund. Not any token: a contract that anybody made can say it paid somebody. */
const refundTokens = ({ input }: Order, { refundedIn }: SwapStatus): readonly string[] => {
  const { wrappedNative } = chainOf(input.chainId)
  const isCoin = isNative(input) || input.address === wrappedNative
  return [
    ...(isCoin ? [nativeAsset(input.chainId).address, wrappedNative ?? []].flat() : [input.address]),
    ...(refundedIn ? [refundedIn.address] : []),
  ]
}

const delivered = (told: Amount | null, seen: bigint): Amount => (told !== null && told <= seen ? told : toAmount(seen))

/**
 * Holds a venue's claim that a swap has ended against the chain where the money must have moved.
 *
 * `success` stands only when the named transaction paid the recipient at least the guaranteed minimum, beside what it
 * owes for other swaps it delivered; never more is told than was seen. `refunded` stands only when it paid the refund
 * address some of what was paid in, of its wrapped form, or of what the venue bridged. Neither can be older than the
 * swap. A claim without a transaction to look for is no success; a refund without one is the venue's word, because some
 * venues never name it. Where the chain cannot be read, the venue's word stands too.
 *
 * What is not seen stays open, `processing` or `expired`, with the venue's own words beside it.
 */
export const requireEvidence = async (status: SwapStatus, swap: EvidencedSwap, ports: EvidencePorts): Promise<SwapStatus> => {
  const { order, offer, binding, executedAt } = swap
  const { evidence, reportUnread, owedToOthers } = ports

  const testimony = async (asset: Asset, recipient: Binding['recipient'], txHash: TransactionId | null): Promise<Testimony> => {
    if (txHash === null) return null
    const since = executedAt - (asset.chainId === BITCOIN ? CLOCKS_APART_MS.bitcoin : CLOCKS_APART_MS.others)
    try {
      const seen = await withDeadline(EVIDENCE_DEADLINE_MS, (signal) => evidence.payments({ asset, recipient, txHash }, signal))
      return seen !== null && seen.paidAt !== null && seen.paidAt < since ? null : seen
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      reportUnread(error)
      return 'unreadable'
    }
  }

  if (status.state === 'success') {
    const unseen: SwapStatus = { ...status, state: 'processing', deliveredAmount: null, txHash: null }
    const txHash = parseTransactionId(order.output.chainId, status.txHash ?? '')
    const seen = await testimony(order.output, binding.recipient, txHash)
    if (seen === 'unreadable') return status
    const least = offer.slippage?.guaranteedMin ?? 1n
    if (txHash === null || seen === null || seen.amount < least) return unseen
    const left = seen.amount - (await owedToOthers(txHash, least))
    return left < least ? unseen : { ...status, txHash, deliveredAmount: delivered(status.deliveredAmount, left) }
  }
  if (status.state === 'refunded' && status.txHash !== null) {
    const txHash = parseTransactionId(order.input.chainId, status.txHash)
    const seen = await testimony(order.input, binding.refundTo, txHash)
    const isSeen = seen === 'unreadable' || seen?.paidIn.some((token) => refundTokens(order, status).includes(token)) === true
    return isSeen ? { ...status, txHash } : { ...status, state: 'expired', txHash: null }
  }
  return status
}
