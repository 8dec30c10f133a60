import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { PayoutSight } from './judge.ts'
import { isPaidIn } from './keptInputs.ts'
import { amountIn, type createLookForPayout, type Found, type Look, type Payout, type PayoutPorts } from './lookForPayout.ts'
import { type EndQuery, isAfter, keptAs, type Owed, owedElsewhere, owedOf, refundOf, sightOf } from './payouts.ts'
import { isOlderThan, readTransaction } from './readEvidence.ts'
import type { SearchPause } from './searchPause.ts'

export type RefundPorts = PayoutPorts & { readonly pause: SearchPause }

/** How many of the transactions that a venue or a chain names for one refund address are looked at in one ask. */
const LOOKS_MAX = 8

/** The transactions that the venue names and that did not pay it: some tell payments and refunds in one list. */
const refundsNamed = ({ word, kept }: EndQuery, { asset }: Payout): readonly TransactionId[] => {
  const named = [word.state === 'refunded' ? word.txHash : null, word.refundTx ?? null, ...(word.paidBy ?? []).slice(-LOOKS_MAX)]
  const hashes = named.map((hash) => parseTransactionId(asset.chainId, hash ?? ''))
  const isKept = (hash: TransactionId) => kept.some((payment) => isPaidIn(payment) && payment.txHash === hash)
  return [...new Set(hashes.filter((hash): hash is TransactionId => hash !== null && !isKept(hash)))]
}

/** Looks for what came back of what was paid in. */
export const createLookForRefund = (
  ports: RefundPorts,
  { look, take }: Pick<ReturnType<typeof createLookForPayout>, 'look' | 'take'>,
) => {
  const { evidence, read, pause } = ports

  /** What a transaction gives back of what was paid in. What the address was paid before is none of it. */
  const lookAtRefund = async ({ record, kept }: EndQuery, txHash: TransactionId, refund: Payout): Promise<Look> => {
    const found = await look(record, txHash, refund)
    const input = kept.find(({ kind }) => kind === 'input')
    if (found === null || found === 'unreadable' || input === undefined) return found
    // The blocks of two chains are not to be compared, and their times are rough.
    if (refund.asset.chainId !== input.chainId) return isOlderThan(found.seen, input.paidAt ?? record.createdAt) ? null : found
    const paid = await readTransaction(ports, input)
    if (paid === 'unreadable') return paid
    return isAfter(found.seen, { height: paid?.height ?? null, at: input.paidAt }) ? found : null
  }

  /** Those that the chain finds, now and then: the latest first, and each time others, as anybody can send dust after a refund. */
  const refundsSearched = async ({ record }: EndQuery, { asset, recipient }: Payout, turn: number | null) => {
    if (turn === null) return []
    const found = await read(asset.chainId, (signal) => evidence.search({ asset, recipient, since: record.createdAt }, signal))
    if (found === 'unreadable') return found
    const pages = Math.max(1, Math.ceil(found.hashes.length / LOOKS_MAX))
    const end = found.hashes.length - (turn % pages) * LOOKS_MAX
    return found.hashes.slice(Math.max(0, end - LOOKS_MAX), end)
  }

  /** What came back by these transactions, and whether all of them could be read. */
  const lookAtRefunds = async (query: EndQuery, hashes: readonly TransactionId[], payout: Payout) => {
    const looks = []
    for (const hash of hashes) looks.push(await lookAtRefund(query, hash, payout))
    const found = looks.filter((one): one is Found => one !== null && one !== 'unreadable')
    return { found, isReadable: !looks.includes('unreadable') }
  }

  type Turn = () => number | null

  const lookForOne = async (query: EndQuery, { payout, owed }: Owed, turn: Turn): Promise<PayoutSight> => {
    const isWhole = (one: Found) => amountIn(one) >= owed
    const named = refundsNamed(query, payout)
    let { found, isReadable } = await lookAtRefunds(query, named, payout)
    // What a venue names and is no refund must not hide the one there is.
    if (!found.some(isWhole)) {
      const hashes = await refundsSearched(query, payout, turn())
      if (hashes === 'unreadable') return { kind: 'unreadable' }
      const others = hashes.filter((hash) => !named.includes(hash))
      const more = await lookAtRefunds(query, others, payout)
      found = [...found, ...more.found]
      isReadable &&= more.isReadable
    }
    // One that is enough by itself leaves the others to the swaps they are of.
    const whole = found.find(isWhole)
    const amount = await take(query.record, { found: whole ? [whole] : found, payout, least: owed })
    return amount === null && !isReadable ? { kind: 'unreadable' } : sightOf(whole ?? found.at(-1) ?? null, amount)
  }

  const lookForRefund = async (query: EndQuery): Promise<PayoutSight> => {
    const owed = owedOf(query)
    const known = keptAs(query.kept, 'refund', owed)
    if (known?.kind === 'paid' && known.isWhole) return known
    let taken: { readonly turn: number | null } | null = null
    const turn: Turn = () => {
      taken ??= { turn: pause.turn(query.record.id) }
      return taken.turn
    }
    let sight = await lookForOne(query, { payout: refundOf(query), owed }, turn)
    for (const elsewhere of owedElsewhere(query)) {
      if (sight.kind === 'paid') break
      const other = await lookForOne(query, elsewhere, turn)
      if (other.kind === 'paid' || sight.kind === 'none') sight = other
    }
    return sight
  }

  return { lookAtRefund, lookForRefund }
}
