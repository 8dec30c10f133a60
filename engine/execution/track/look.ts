import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { Clock } from '../../core/clock.ts'
import type { ExecutionType } from '../../core/offer.ts'
import type { Payment } from '../../core/payment.ts'
import { type VenueWord, wordless } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { createFreeHeld, type FreePorts } from './freeHeld.ts'
import { inputByDeposit, sharedBy } from './inputByDeposit.ts'
import { inputByTransaction } from './inputByTransaction.ts'
import type { InputSight, Sighting } from './judge.ts'
import { isOfExtra, isPaidIn, readKept } from './keptInputs.ts'
import { createLookForEnd } from './lookForEnd.ts'
import { NONE } from './payouts.ts'
import { createReadEvidence, isPast, isRemembered } from './readEvidence.ts'
import type { ReadHashes } from './readHashes.ts'
import type { SearchPause } from './searchPause.ts'

export type LookPorts = {
  readonly evidence: ChainEvidence
  readonly store: FreePorts['store']
  readonly clock: Clock
  readonly pause: SearchPause
  /** Separate pauses for reports on other swaps. */
  readonly asks: SearchPause
  readonly reads: ReadHashes
  readonly venues: FreePorts['venues']
}

/** The swap whose payments are read, with its venue. */
export type Looked = {
  readonly record: SwapRecord
  readonly venue: Pick<GuardedVenue, 'profile' | 'events' | 'unfilled'>
}

/** `said`: the venue's report on a ref; null if the venue does not answer. */
type Claimed = { readonly said: VenueWord | null; readonly ref: string; readonly input: InputSight | null }

const SILENT = wordless('pending')

/** The extra payment of a transaction, if no other payment of the swap has its order. */
const ownOrderOf = (kept: readonly Payment[], txHash: TransactionId | null): Payment | null => {
  const paid = kept.filter(isPaidIn)
  const extra = paid.find((payment) => payment.kind === 'extra' && payment.txHash === txHash)
  const isOwn =
    extra !== undefined && extra.orderId !== null && paid.filter(({ orderId }) => orderId === extra.orderId).length === 1
  return isOwn ? extra : null
}

/** The evidence of the input under which a payload past its deadline may count as dead. */
const UNPAID: { readonly [type in ExecutionType]: readonly InputSight['kind'][] } = {
  TRANSACTION: ['absent', 'reverted', 'unpaid'],
  DEPOSIT: ['unpaid'],
  SIGNATURE: ['signed', 'absent'],
}

/** Reads the evidence of the chains about the payments of a swap. */
export const createLook = ({ evidence, store, clock, pause, asks, reads, venues }: LookPorts, context: CallContext) => {
  const { payments } = store
  const read = createReadEvidence(context)
  const ports = { evidence, payments, read, reads, pause, clock, venues }
  const lookForEnd = createLookForEnd({ ...ports, freeHeld: createFreeHeld({ evidence, read, store, venues, asks }, context) })

  const isPastDeadline = ({ swap: { deadlineAt = null } }: SwapRecord): boolean => deadlineAt !== null && clock.now() > deadlineAt

  /** The input by a transaction, read before the venue is called. Null if the payload is no transaction. */
  const transaction = async ({ record, venue }: Looked, ref: string): Promise<InputSight | null> => {
    if (record.swap.execution.payload.executionType !== 'TRANSACTION') return null
    const txHash = parseTransactionId(record.swap.order.input.chainId, ref)
    return txHash === null ? { kind: 'stranger' } : inputByTransaction(record, txHash, venue.events, ports)
  }

  const inputOf = async ({ record, venue }: Looked, said: VenueWord | null): Promise<InputSight> => {
    const { payload } = record.swap.execution
    const isSigned = record.postingAt !== null || record.submittedAt !== null
    if (payload.executionType !== 'DEPOSIT') {
      // Drops an input that was recorded with a delivery, if a reorganisation removed it.
      await readKept(record, ports)
      return { kind: isSigned ? 'signed' : 'absent' }
    }
    const search = { shared: sharedBy(venue, record), isSearched: said === null || isPastDeadline(record) }
    return inputByDeposit({ record, deposit: payload.deposit, word: said ?? SILENT, ...search }, ports)
  }

  const isUnfilled = async ({ record: { swap }, venue: { unfilled } }: Looked): Promise<boolean> =>
    unfilled !== null && (await read(swap.order.input.chainId, (signal) => unfilled.isUnfilled(swap, signal))) === true

  /** After the deadline the contract's order book shows that the order was never placed, by any transaction. */
  const orUnpaid = async (looked: Looked, input: InputSight): Promise<InputSight> => {
    const isOver = input.kind === 'absent' && isPastDeadline(looked.record)
    return isOver && (await isUnfilled(looked)) ? { kind: 'unpaid' } : input
  }

  /** The evidence of the end of an extra payment, by the venue's events for its own order. */
  const endOfExtra = async ({ record, venue }: Looked, said: VenueWord, ref: string): Promise<Omit<Sighting, 'input'>> => {
    const kept = await readKept(record, ports, isOfExtra)
    const extra = ownOrderOf(kept, parseTransactionId(record.swap.order.input.chainId, ref))
    if (extra === null) return { output: NONE, refund: NONE }
    const { orderId, amount } = extra
    return lookForEnd({
      record,
      word: said,
      input: { kind: 'paid', amount },
      kept: [{ ...extra, kind: 'input' }, ...kept.filter((payment) => isOfExtra(payment) && payment.orderId === orderId)],
      events: venue.events,
      keeps: venue.profile.refundKeeps(record.swap),
      orderId,
    })
  }

  /** The evidence of the chains about a venue's report on a ref. `input`: the result of `transaction`. */
  const word = async (looked: Looked, { said, ref, input }: Claimed): Promise<Sighting> => {
    const { record, venue } = looked
    const report = said ?? SILENT
    if (input?.kind === 'extra') return { input, ...(await endOfExtra(looked, report, ref)) }
    const seen = input ? await orUnpaid(looked, input) : await inputOf(looked, said)
    const keeps = venue.profile.refundKeeps(record.swap)
    const kept = (await payments.ofSwap(record.id)).filter((payment) => !isOfExtra(payment))
    const own = { orderId: null, isUnfilled: () => isUnfilled(looked) }
    const query = { record, word: report, input: seen, kept, events: venue.events, keeps, ...own }
    return { input: seen, ...(await lookForEnd(query)) }
  }

  /** True if the payload can no longer have an effect: past its deadline by the chain's time, and never paid or filled. */
  const isDead = async (looked: Looked, input: InputSight): Promise<boolean> => {
    const { record } = looked
    const { swap } = record
    const { executionType } = swap.execution.payload
    const { chainId } = swap.order.input
    if (!isPastDeadline(record) || !UNPAID[executionType].includes(input.kind)) return false
    // The node may have pruned an old transaction.
    if (executionType === 'TRANSACTION' && input.kind === 'absent' && !isRemembered(swap.deadlineAt ?? 0, clock)) return false
    const time = await read(chainId, (signal) => evidence.confirmedTime(chainId, signal))
    if (time === 'unreadable' || !isPast(swap, time)) return false
    return executionType !== 'SIGNATURE' || isUnfilled(looked)
  }

  return { transaction, word, isDead }
}
