import { isEvmChainId } from '../../core/chain.ts'
import type { Payment } from '../../core/payment.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { chooseShares, type Measure } from './chooseShares.ts'
import type { Missed } from './freeHeld.ts'
import type { PayoutSight } from './judge.ts'
import { isPaidIn } from './keptInputs.ts'
import type { createLookForPayout, Found, Look, Payout, PayoutPorts } from './lookForPayout.ts'
import {
  type EndQuery,
  type EndSights,
  isAfter,
  keptAs,
  mostOf,
  NOT_LOOKED,
  type Owed,
  owedElsewhere,
  owedOf,
  refundOf,
  refundsIn,
  sightOf,
} from './payouts.ts'
import { executedAtOf, isOlderThan, readTransaction } from './readEvidence.ts'
import type { ReadHashes } from './readHashes.ts'
import type { SearchPause } from './searchPause.ts'

export type RefundPorts = PayoutPorts & {
  readonly pause: SearchPause
  readonly reads: ReadHashes
  /** See createFreeHeld. */
  readonly freeHeld: (misses: readonly Missed[]) => Promise<boolean>
}

/** The number of transactions for one refund address that one request reads. */
const LOOKS_MAX = 8
/** One endpoint may keep the search of all from ending. After so many turns, two are searched separately all the same. */
const OPEN_TURNS = 60
/** After so many turns a search by two endpoints, or one with unread transactions, continues with growing pauses. */
const QUICK_TURNS = 500

/** The named transactions that are not recorded yet: some venues list payments and refunds together. */
const refundsNamed = ({ word, kept }: EndQuery, { asset }: Payout): readonly TransactionId[] => {
  const named = [word.state === 'refunded' ? word.txHash : null, word.refundTx ?? null, ...(word.paidBy ?? []).slice(-LOOKS_MAX)]
  const hashes = named.map((hash) => parseTransactionId(asset.chainId, hash ?? ''))
  return [...new Set(hashes.filter((hash): hash is TransactionId => hash !== null && !isKept(kept, hash)))]
}

/** True if a transaction is recorded as input or refund. */
const isKept = (kept: readonly Payment[], hash: TransactionId): boolean =>
  kept.some((payment) => (isPaidIn(payment) || payment.kind === 'refund') && payment.txHash === hash)

const allOf = (found: readonly Found[]) => found.flatMap(({ shares }) => shares)

/** The recorded payments on the chain of a payout. */
const onChainOf = ({ kept }: EndQuery, { asset }: Payout): readonly Payment[] =>
  kept.filter(({ chainId }) => chainId === asset.chainId)

/** The refund in the input asset. A refund elsewhere is measured separately. */
const ownOf = (query: EndQuery): Owed & { readonly known: PayoutSight | null } => {
  const payout = refundOf(query)
  const back = onChainOf(query, payout)
  const before = refundsIn(back)
  const known = keptAs(back, 'refund', owedOf(query, before))
  const returned = known?.amount ?? 0n
  const rest = owedOf(query, before + 1) - returned
  const most = mostOf(query)
  const told = query.word.refundedAmount ?? null
  return { payout, least: rest > 0n ? rest : 1n, most: most && most - returned, told, known: known?.isWhole ? known : null }
}

/** The number of the current search, the same for all searches of one request; null if none is due. */
type Turn = () => number | null

const once = (take: Turn): Turn => {
  let taken: { readonly turn: number | null } | null = null
  return () => {
    taken ??= { turn: take() }
    return taken.turn
  }
}

/**
 * A refund in a transaction that the venue reports, with an event that names the order, may cover several deposits: it has no
 * upper bound. Any other refund must not exceed the input: larger sums belong to other deposits.
 */
const measureOf = ({ least, most, told }: Owed, pointedAt: readonly Found[] | null): Measure => ({
  least,
  most: pointedAt?.some(({ isNamed }) => isNamed) ? null : most,
  told,
})

/** Contracts refund an order in one sum: smaller sums that only a search found belong to other orders. */
const alone = (found: Found, { least }: Owed): Found =>
  found.isNamed ? { ...found, shares: found.shares.filter(({ amount }) => amount >= least) } : found

type LookForPayout = ReturnType<typeof createLookForPayout>

/** Reads the refunds in transactions. */
const createLookAtRefunds = (ports: RefundPorts, { look }: Pick<LookForPayout, 'look'>) => {
  const { evidence, read, reads, pause } = ports

  /** The refund in a transaction. Payments before the input do not count. Without an event, larger ones do not count either. */
  const lookAtRefund = async (query: EndQuery, txHash: TransactionId, refund: Payout): Promise<Look> => {
    const { record, kept } = query
    const found = await look(record, txHash, refund)
    if (found === null || typeof found === 'string') return found
    const most = found.isNamed ? null : mostOf(query)
    const shares = found.shares.filter(({ amount }) => most === null || amount <= most)
    // Payments of other swaps show where it may be.
    if (shares.length === 0 && found.shares.length > 0) return null
    const input = kept.find(({ kind }) => kind === 'input')
    if (input === undefined) return { ...found, shares }
    // Blocks of two chains cannot be compared, and their times are rough.
    if (refund.asset.chainId !== input.chainId)
      return isOlderThan(found.seen, input.paidAt ?? executedAtOf(record)) ? null : { ...found, shares }
    const paid = await readTransaction(ports, input)
    if (paid === 'unreadable') return paid
    return isAfter(found.seen, { height: paid?.height ?? null, at: input.paidAt }) ? { ...found, shares } : null
  }

  /**
   * Transactions that the chain finds, one page per list and search, latest sufficient one first. `before`: read in the same turn
   * by the search of all endpoints; two are searched separately now. The search is unfinished until all were read.
   */
  const refundsSearched = async (
    { record, kept }: EndQuery,
    { payout: { asset, recipient }, least }: Owed,
    turn: number,
    { named, before }: { readonly named: readonly TransactionId[]; readonly before: readonly TransactionId[] | null },
  ) => {
    const own = reads(record, recipient)
    const isOther = (hash: TransactionId) => !before?.includes(hash) && !named.includes(hash) && !isKept(kept, hash)
    const query = { asset, recipient, since: executedAtOf(record), least }
    const found = await read(asset.chainId, async (signal, budget) => {
      const by = { ...query, budget }
      const lists = before === null ? [await evidence.search(by, signal)] : (await evidence.searchByTwo(by, signal)).lists
      const hashes = lists.map((list) => list.hashes.filter(isOther))
      const isOpen = lists.some(({ isUnfinished }) => isUnfinished)
      const page = Math.ceil(LOOKS_MAX / lists.length)
      const next = [...new Set(hashes.flatMap((one) => own.page(one, page)))]
      const isLeft = hashes.flat().some((hash) => !next.includes(hash) && !own.isRead(hash))
      const isUnfinished = turn < QUICK_TURNS ? isOpen || isLeft : isOpen && before === null
      return { page: next, isOpen, isUnfinished }
    })
    if (found === 'unreadable' ? isEvmChainId(asset.chainId) : found.isUnfinished) pause.unfinished(record.id)
    return found
  }

  /** The refunds in these transactions, and whether all could be read. */
  const lookAtRefunds = async (query: EndQuery, hashes: readonly TransactionId[], payout: Payout) => {
    const looks = []
    for (const hash of hashes) {
      const seen = await lookAtRefund(query, hash, payout)
      reads(query.record, payout.recipient).note(hash, typeof seen === 'string' ? seen : 'other')
      looks.push(seen)
    }
    const found = looks.filter((one): one is Found => one !== null && typeof one !== 'string')
    // Where contracts name the refunded order, nothing else counts.
    const named = found.filter(({ isNamed, shares }) => isNamed && shares.length > 0)
    return { found: named.length > 0 ? named : found, isReadable: !looks.includes('unreadable') }
  }

  return { lookAtRefund, refundsSearched, lookAtRefunds }
}

/** The payments that belong to other swaps. */
const heldIn = (found: readonly Found[]): readonly Found[] => found.filter(({ shares }) => shares.length === 0)

/** Finds the refund of the input. */
export const createLookForRefund = (ports: RefundPorts, { look, take, toPayments }: LookForPayout) => {
  const { pause, freeHeld } = ports
  const { lookAtRefund, refundsSearched, lookAtRefunds } = createLookAtRefunds(ports, { look })

  /** Reads again after a payment of another swap was freed. */
  const freed = async (
    query: EndQuery,
    { payout, least, most, told }: Owed,
    found: readonly Found[],
  ): Promise<readonly Found[]> => {
    const { record } = query
    const named = refundsNamed(query, payout)
    const held = heldIn(found).map(({ seen }) => seen)
    const spare = toPayments(
      allOf(found).filter(({ seen }) => seen.standing !== 'fresh'),
      payout,
    )
    const misses = held.map((seen) => ({ record, seen, payout, least, most, told, isNamed: named.includes(seen.hash), spare }))
    if (!(await freeHeld(misses))) return found
    const hashes = held.map(({ hash }) => hash)
    const again = await lookAtRefunds(query, hashes, payout)
    return [...found.filter(({ seen }) => !hashes.includes(seen.hash)), ...again.found]
  }

  const lookForOne = async (query: EndQuery, owed: Owed, turn: Turn): Promise<PayoutSight> => {
    const { record } = query
    const { payout } = owed
    const named = refundsNamed(query, payout)
    let { found, isReadable }: { found: readonly Found[]; isReadable: boolean } = await lookAtRefunds(query, named, payout)
    let measure = measureOf(owed, found)
    const isEnough = (): boolean => chooseShares(allOf(found), measure).length > 0
    const lookAtSearched = async (searchTurn: number, before: readonly TransactionId[] | null) => {
      const searched = await refundsSearched(query, owed, searchTurn, { named, before })
      if (searched === 'unreadable') return searched
      const more = await lookAtRefunds(query, searched.page, payout)
      found = [...found, ...more.found.map((one) => alone(one, owed))]
      isReadable &&= more.isReadable
      return searched
    }
    // A transaction that a venue names wrongly must not hide the real refund.
    const now = isEnough() ? null : turn()
    if (!isEnough()) measure = measureOf(owed, null)
    if (now !== null) {
      const together = await lookAtSearched(now, null)
      if (together === 'unreadable') return { kind: 'unreadable' }
      const isDone = !together.isOpen || now >= OPEN_TURNS
      if (isDone && !isEnough() && (await lookAtSearched(now, together.page)) === 'unreadable') isReadable = false
    }
    if (!isEnough()) found = await freed(query, owed, found)
    const taken = await take(record, { found, payout, measure })
    return taken === null && !isReadable ? { kind: 'unreadable' } : sightOf(isEnough() ? found : [], taken)
  }

  const lookForRefund = async (query: EndQuery): Promise<EndSights> => {
    const turn = once(() => pause.turn(query.record.id))
    const { known, ...own } = ownOf(query)
    if (known !== null) return { output: NOT_LOOKED, refund: known }
    let sight = await lookForOne(query, own, turn)
    for (const elsewhere of owedElsewhere(query)) {
      if (sight.kind === 'paid') break
      const { kind } = elsewhere.payout
      const before = keptAs(onChainOf(query, elsewhere.payout), kind, elsewhere.least)
      const other = before?.isWhole ? before : await lookForOne(query, elsewhere, turn)
      if (other.kind === 'paid' && kind === 'output') return { output: other, refund: NOT_LOOKED }
      if (other.kind === 'paid' || sight.kind === 'none') sight = other
    }
    return { output: NOT_LOOKED, refund: sight }
  }

  return { lookAtRefund, lookForRefund }
}
