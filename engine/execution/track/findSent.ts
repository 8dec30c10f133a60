import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import { clocksApartMs, type Sent } from '../../chains/oneChain.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { inputByTransaction } from './inputByTransaction.ts'
import type { InputPorts } from './keptInputs.ts'
import type { NamingVenues } from './placesOfOthers.ts'
import { createReadEvidence, executedAtOf, isPast } from './readEvidence.ts'
import { createSearchPause } from './searchPause.ts'

/** The number of the sender's transactions that one request reads for a swap. */
const LOOKS_MAX = 8
const SWAPS_MAX = 10_000

/** The search reached the deadline: no payment of the swap can arrive. */
const DONE = Number.POSITIVE_INFINITY

export type FindSentPorts = {
  readonly store: Pick<Store, 'payments'>
  readonly clock: Clock
  readonly venues: NamingVenues
  /** `trustVenues`: only venue reports are available. */
  readonly evidence: ChainEvidence | 'trustVenues'
}

/** The parts of a venue that identify payments. */
type TellingVenue = Pick<GuardedVenue, 'events' | 'tracker'>

type Asked = {
  readonly record: SwapRecord
  readonly venue: TellingVenue
  readonly context: CallContext
  readonly ports: InputPorts
}

export type FoundSent = TransactionId | 'unreadable' | null

/** The first transaction that pays the swap, or may: it cannot be read now. */
type Sight = { readonly paidBy: TransactionId } | { readonly unreadable: TransactionId } | null

const lookAmong = async (hashes: readonly TransactionId[], { record, venue, ports }: Asked): Promise<Sight> => {
  for (const hash of hashes) {
    const { kind } = await inputByTransaction(record, hash, venue.events, ports)
    if (kind === 'paid') return { paidBy: hash }
    if (kind !== 'stranger' && kind !== 'reverted') return { unreadable: hash }
  }
  return null
}

/** How far a search came without finding a payment. */
const reachedBy = ({ transactions, reached, at }: Sent, sight: Sight, { swap }: SwapRecord): number | null => {
  if (reached === null) return null
  const stop = sight !== null && 'unreadable' in sight ? transactions.find(({ hash }) => hash === sight.unreadable) : undefined
  if (stop) return Math.min(reached, stop.height - 1)
  const isOver = at !== null && isPast(swap, at - clocksApartMs(swap.order.input.chainId))
  if (transactions.length <= LOOKS_MAX) return isOver ? DONE : reached
  const [first, last] = [transactions[0]?.height ?? 0, transactions[LOOKS_MAX - 1]?.height ?? 0]
  // Reads the rest of its block again, unless that block was all there was time for.
  return Math.min(reached, first === last ? last : last - 1)
}

/**
 * Finds the transaction that pays a swap when no caller named it. Reads the sender's transactions on chain, else those that the
 * venue names for its order. The proof is the same as for a named one. Null if none is found; `unreadable` if a candidate cannot
 * be read.
 */
export const createFindSent = ({ evidence, store, clock, venues }: FindSentPorts) => {
  const heights = new Map<number, number>()
  const pause = createSearchPause(clock)

  const keepReached = (id: number, height: number): void => {
    heights.delete(id)
    heights.set(id, height)
    const [oldest] = heights.keys()
    if (heights.size > SWAPS_MAX && oldest !== undefined) heights.delete(oldest)
  }

  /** A contract sends coins by calls that are not its own transactions. */
  const isHidden = async ({ record, ports: { read, evidence: chains } }: Asked): Promise<boolean> => {
    const { input, sender: address } = record.swap.order
    const { chainId } = input
    if (!isNative(input) || !isEvmChainId(chainId)) return false
    return (await read(chainId, (signal) => chains.hasCode({ chainId, address }, signal))) === true
  }

  /** The venue's report of what paid its order, requested with growing pauses. Its failures do not affect the swap. */
  const namedByVenue = async ({ record, venue, context }: Asked): Promise<readonly TransactionId[]> => {
    const { order, offer, execution } = record.swap
    if (execution.venueRef === null || venue.tracker === null || !pause.isDue(record.id)) return []
    try {
      const word = await venue.tracker.track(execution.venueRef, { order, offer, executed: record.swap, paidBy: [] }, context)
      const named = (word.paidBy ?? []).map((hash) => parseTransactionId(order.input.chainId, hash))
      return named.filter((hash) => hash !== null).slice(0, LOOKS_MAX)
    } catch (error) {
      if (error instanceof VenueError) return []
      throw error
    }
  }

  return async (record: SwapRecord, venue: TellingVenue, context: CallContext): Promise<FoundSent> => {
    const { id, swap } = record
    const { input, sender } = swap.order
    const after = heights.get(id) ?? null
    if (evidence === 'trustVenues' || swap.execution.payload.executionType !== 'TRANSACTION' || after === DONE) return null
    const { payments } = store
    // A caller named it while its venue was unreachable.
    const kept = (await payments.ofSwap(id)).find(({ kind }) => kind === 'input')
    if (kept) return kept.txHash
    const read = createReadEvidence(context)
    const asked: Asked = { record, venue, context, ports: { evidence, read, payments, clock, venues } }
    const query = { asset: input, sender, since: executedAtOf(record), after }
    const sent = await read(input.chainId, (signal, budget) => evidence.sentBy({ ...query, budget }, signal))
    if (sent === 'unreadable') return sent
    const hashes = sent.transactions.slice(0, LOOKS_MAX).map(({ hash }) => hash)
    let sight = await lookAmong(hashes, asked)
    const isBlind = sight === null && (sent.reached === null || (await isHidden(asked)))
    if (isBlind) sight = await lookAmong(await namedByVenue(asked), asked)
    if (sight !== null && 'paidBy' in sight) return sight.paidBy
    const reached = reachedBy(sent, sight, record)
    if (reached !== null && !(isBlind && reached === DONE)) keepReached(id, reached)
    return sight === null ? null : 'unreadable'
  }
}
