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

/** How many of the transactions that a venue or a chain names for one refund address are looked at in one ask. */
const LOOKS_MAX = 8
/** An endpoint may keep the search of all together from its end: after so many turns two are searched alone all the same. */
const OPEN_TURNS = 60
/** After so many turns a search by two endpoints, or one with unread transactions, continues with growing pauses. */
const QUICK_TURNS = 500

/** The transactions that the venue names and that are not kept yet: some tell payments and refunds in one list. */
const refundsNamed = ({ word, kept }: EndQuery, { asset }: Payout): readonly TransactionId[] => {
  const named = [word.state === 'refunded' ? word.txHash : null, word.refundTx ?? null, ...(word.paidBy ?? []).slice(-LOOKS_MAX)]
  const hashes = named.map((hash) => parseTransactionId(asset.chainId, hash ?? ''))
  return [...new Set(hashes.filter((hash): hash is TransactionId => hash !== null && !isKept(kept, hash)))]
}

/** Whether a transaction is kept as one that paid in or gave back. */
const isKept = (kept: readonly Payment[], hash: TransactionId): boolean =>
  kept.some((payment) => (isPaidIn(payment) || payment.kind === 'refund') && payment.txHash === hash)

const allOf = (found: readonly Found[]) => found.flatMap(({ shares }) => shares)

/** What is kept of it on the chain of a payout. */
const onChainOf = ({ kept }: EndQuery, { asset }: Payout): readonly Payment[] =>
  kept.filter(({ chainId }) => chainId === asset.chainId)

/** In what was taken; what came back elsewhere is measured by itself. */
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

/** Whose turn it is to be searched for, the same for all that is looked for in one ask; null: nobody's. */
type Turn = () => number | null

const once = (take: Turn): Turn => {
  let taken: { readonly turn: number | null } | null = null
  return () => {
    taken ??= { turn: take() }
    return taken.turn
  }
}

/**
 * What the venue itself points at may give back several deposits in one sum, where its contracts say that it gives back. What
 * was only searched for is none of more than was taken: such a sum, and several together, are other deposits'.
 */
const measureOf = ({ least, most, told }: Owed, pointedAt: readonly Found[] | null): Measure => ({
  least,
  most: pointedAt?.some(({ isNamed }) => isNamed) ? null : most,
  told,
})

/** A venue's contracts give an order back in one sum: smaller ones that were only searched for are of other orders. */
const alone = (found: Found, { least }: Owed): Found =>
  found.isNamed ? { ...found, shares: found.shares.filter(({ amount }) => amount >= least) } : found

type LookForPayout = ReturnType<typeof createLookForPayout>

/** Reads what transactions give back of what was paid in. */
const createLookAtRefunds = (ports: RefundPorts, { look }: Pick<LookForPayout, 'look'>) => {
  const { evidence, read, reads, pause } = ports

  /**
   * What a transaction gives back of what was paid in. What the address was paid before is none of it, nor is a payment of more
   * than was taken, where no event tells whose it is.
   */
  const lookAtRefund = async (query: EndQuery, txHash: TransactionId, refund: Payout): Promise<Look> => {
    const { record, kept } = query
    const found = await look(record, txHash, refund)
    if (found === null || typeof found === 'string') return found
    const most = found.isNamed ? null : mostOf(query)
    const shares = found.shares.filter(({ amount }) => most === null || amount <= most)
    // What other swaps hold of it tells where it may be.
    if (shares.length === 0 && found.shares.length > 0) return null
    const input = kept.find(({ kind }) => kind === 'input')
    if (input === undefined) return { ...found, shares }
    // The blocks of two chains are not to be compared, and their times are rough.
    if (refund.asset.chainId !== input.chainId)
      return isOlderThan(found.seen, input.paidAt ?? executedAtOf(record)) ? null : { ...found, shares }
    const paid = await readTransaction(ports, input)
    if (paid === 'unreadable') return paid
    return isAfter(found.seen, { height: paid?.height ?? null, at: input.paidAt }) ? { ...found, shares } : null
  }

  /**
   * Transactions that the chain finds, a page of each list in each search: the latest of enough first. `before`: what was read in the same
   * turn of the search by all endpoints together: now two are searched, each alone. The search is unfinished until all were read.
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

  /** What came back by these transactions, and whether all of them could be read. */
  const lookAtRefunds = async (query: EndQuery, hashes: readonly TransactionId[], payout: Payout) => {
    const looks = []
    for (const hash of hashes) {
      const seen = await lookAtRefund(query, hash, payout)
      reads(query.record, payout.recipient).note(hash, typeof seen === 'string' ? seen : 'other')
      looks.push(seen)
    }
    const found = looks.filter((one): one is Found => one !== null && typeof one !== 'string')
    // Where the venue's contracts name what they gave back, nothing else is.
    const named = found.filter(({ isNamed, shares }) => isNamed && shares.length > 0)
    return { found: named.length > 0 ? named : found, isReadable: !looks.includes('unreadable') }
  }

  return { lookAtRefund, refundsSearched, lookAtRefunds }
}

/** What other swaps hold of it. */
const heldIn = (found: readonly Found[]): readonly Found[] => found.filter(({ shares }) => shares.length === 0)

/** Looks for what came back of what was paid in. */
export const createLookForRefund = (ports: RefundPorts, { look, take, toPayments }: LookForPayout) => {
  const { pause, freeHeld } = ports
  const { lookAtRefund, refundsSearched, lookAtRefunds } = createLookAtRefunds(ports, { look })

  /** Looked at again, where another swap's is free now. */
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
    // What a venue names and is no refund must not hide the one there is.
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
