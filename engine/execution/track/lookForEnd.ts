import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { PayoutSight } from './judge.ts'
import { amountIn, createLookForPayout, type Found, type Payout, type PayoutPorts } from './lookForPayout.ts'
import { deliveryOf, type EndQuery, keptAs, leastBeside, NONE, owedOf, refundOf, sightOf } from './payouts.ts'
import type { SearchPause } from './searchPause.ts'

export type EndPorts = PayoutPorts & { readonly pause: SearchPause }

/** How many of the transactions that a chain names for one refund address are looked at in one ask. */
const LOOKS_MAX = 8

const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }

/** Looks for how a swap ended: its delivery, or its refund, or both where it was filled in part. */
export const createLookForEnd = (ports: EndPorts) => {
  const { evidence, read, pause } = ports
  const { look, take, toPayments } = createLookForPayout(ports)

  const lookForDelivery = async (query: EndQuery): Promise<PayoutSight> => {
    const { record, word, kept } = query
    const known = keptAs(kept, 'output', 1n)
    if (known !== null) return known
    const [delivery, refund] = [deliveryOf(query), refundOf(query)]
    const txHash = parseTransactionId(delivery.asset.chainId, word.txHash ?? '')
    const found = txHash && (await look(record, txHash, delivery))
    if (found === null || found === 'unreadable') return sightOf(found, null)
    const refundTx = parseTransactionId(refund.asset.chainId, word.refundTx ?? '')
    const returned = refundTx && (await look(record, refundTx, refund))
    const isBeside = returned !== null && returned !== 'unreadable' && returned.seen.standing !== 'fresh'
    const least = leastBeside(query, isBeside ? amountIn(returned) : 0n)
    const beside = isBeside ? toPayments(returned, refund) : []
    return sightOf(found, await take(record, { found: [found], payout: delivery, least, beside }))
  }

  /** The transactions that may be a refund: as the venue names it, else as the chain finds them, now and then. */
  const refundsNamed = async ({ record, word }: EndQuery, { asset, recipient }: Payout) => {
    const named = [word.state === 'refunded' ? word.txHash : null, word.refundTx ?? null]
    const hashes = named.map((hash) => parseTransactionId(asset.chainId, hash ?? ''))
    const known = [...new Set(hashes.filter((hash): hash is TransactionId => hash !== null))]
    if (known.length > 0 || !pause.isDue(record.id)) return known
    const found = await read(asset.chainId, (signal) => evidence.search({ asset, recipient, since: record.createdAt }, signal))
    return found === 'unreadable' ? found : found.hashes.slice(-LOOKS_MAX)
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
      const one = await look(record, hash, payout)
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
