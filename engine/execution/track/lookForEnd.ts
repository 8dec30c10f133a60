import type { SeenTransaction } from '../../chains/seen.ts'
import type { Asset } from '../../core/asset.ts'
import type { Payment } from '../../core/payment.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { PayoutSight } from './judge.ts'
import { toPayment } from './keptInputs.ts'
import { amountIn, createLookForPayout, type Found, type Look, type Payout, type PayoutPorts } from './lookForPayout.ts'
import { deliveryOf, type EndQuery, isAfter, keptAs, leastBeside, NONE, owedOf, refundOf, sightOf } from './payouts.ts'
import { readTransaction } from './readEvidence.ts'
import type { SearchPause } from './searchPause.ts'

export type EndPorts = PayoutPorts & { readonly pause: SearchPause }

/** How many of the transactions that a chain names for one refund address are looked at in one ask. */
const LOOKS_MAX = 8

const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }

/** What was paid in by the delivery itself: of a signed order nothing is paid before. */
const paidAtOnce = async ({ record, input, events }: EndQuery, seen: SeenTransaction): Promise<readonly Payment[]> => {
  const { swap } = record
  const paid = input.kind === 'signed' && events !== null ? await events.inputs(seen, swap) : []
  return paid.map((event) => toPayment(seen, event, { kind: 'input', recipient: swap.order.sender }))
}

const idsOf = ({ chainId }: Asset, hashes: readonly (string | null)[]): readonly TransactionId[] => {
  const ids = hashes.map((hash) => parseTransactionId(chainId, hash ?? ''))
  return [...new Set(ids.filter((id) => id !== null))]
}

/**
 * What the venue tells of the input chain beside what paid in: where it does not say which is what, refunds are among them. Of
 * coins on an EVM chain nobody else could tell, as no node lists who was paid them.
 */
const toldBeside = ({ word, kept }: EndQuery, asset: Asset): readonly TransactionId[] => {
  const isKept = (id: TransactionId) => kept.some(({ txHash }) => txHash === id)
  return idsOf(asset, word.paidBy ?? [])
    .filter((id) => !isKept(id))
    .slice(-LOOKS_MAX)
}

/** Looks for how a swap ended: its delivery, or its refund, or both where it was filled in part. */
export const createLookForEnd = (ports: EndPorts) => {
  const { evidence, read, pause } = ports
  const { look, take, toPayments } = createLookForPayout(ports)

  /** What a transaction gives back of what was paid in. What the address was paid before is none of it. */
  const lookAtRefund = async ({ record, kept }: EndQuery, txHash: TransactionId, refund: Payout): Promise<Look> => {
    const found = await look(record, txHash, refund)
    const input = kept.find(({ kind }) => kind === 'input')
    if (found === null || found === 'unreadable' || input === undefined) return found
    const paid = await readTransaction(ports, input)
    if (paid === 'unreadable') return paid
    return isAfter(found.seen, { height: paid?.height ?? null, at: input.paidAt }) ? found : null
  }

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

  /** The transactions that may be a refund: as the venue names it, else as the chain finds them, now and then. */
  const refundsNamed = async (query: EndQuery, { asset, recipient }: Payout) => {
    const { record, word } = query
    const known = idsOf(asset, [word.state === 'refunded' ? word.txHash : null, word.refundTx ?? null])
    if (known.length > 0) return known
    const told = toldBeside(query, asset)
    if (!pause.isDue(record.id)) return told
    const found = await read(asset.chainId, (signal) => evidence.search({ asset, recipient, since: record.createdAt }, signal))
    if (found === 'unreadable') return told.length > 0 ? told : found
    return [...new Set([...found.hashes.slice(-LOOKS_MAX), ...told])]
  }

  const lookForRefund = async (query: EndQuery): Promise<PayoutSight> => {
    const { record, kept } = query
    const owed = owedOf(query)
    const known = keptAs(kept, 'refund', owed)
    if (known?.kind === 'paid' && known.isWhole) return known
    const payout = refundOf(query)
    const hashes = await refundsNamed(query, payout)
    if (hashes === 'unreadable') return { kind: 'unreadable' }
    const found: Found[] = []
    let isReadable = true
    for (const hash of hashes) {
      const one = await lookAtRefund(query, hash, payout)
      if (one === 'unreadable') isReadable = false
      else if (one !== null) found.push(one)
    }
    // One that is enough by itself leaves the others to the swaps they are of.
    const whole = found.find((one) => amountIn(one) >= owed)
    const amount = await take(record, { found: whole ? [whole] : found, payout, least: owed })
    return amount === null && !isReadable ? { kind: 'unreadable' } : sightOf(whole ?? found.at(-1) ?? null, amount)
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
