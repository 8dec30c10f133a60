import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { Clock } from '../../core/clock.ts'
import type { ExecutionType } from '../../core/offer.ts'
import type { VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { PaymentStore } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { inputByDeposit } from './inputByDeposit.ts'
import { inputByTransaction } from './inputByTransaction.ts'
import type { InputSight, Sighting } from './judge.ts'
import { readKept } from './keptInputs.ts'
import { createLookForEnd } from './lookForEnd.ts'
import type { NamingVenues } from './lookForPayout.ts'
import { createReadEvidence, isPast, isRemembered } from './readEvidence.ts'
import type { SearchPause } from './searchPause.ts'

export type LookPorts = {
  readonly evidence: ChainEvidence
  readonly payments: PaymentStore
  readonly clock: Clock
  readonly pause: SearchPause
  readonly venues: NamingVenues
}

/** Whose money is looked for. */
export type Looked = {
  readonly record: SwapRecord
  readonly venue: Pick<GuardedVenue, 'profile' | 'events' | 'unfilled'>
}

/** What must be seen of the input before a payload whose deadline passed counts as one that came to nothing. */
const UNPAID: { readonly [type in ExecutionType]: readonly InputSight['kind'][] } = {
  TRANSACTION: ['absent', 'reverted', 'unpaid'],
  DEPOSIT: ['unpaid'],
  SIGNATURE: ['signed', 'absent'],
}

/** What the chains show of a swap's money. */
export const createLook = (
  { evidence, payments, clock, pause, venues }: LookPorts,
  context: Pick<CallContext, 'observe' | 'signal'>,
) => {
  const read = createReadEvidence(context)
  const ports = { evidence, payments, read, pause, clock, venues }
  const lookForEnd = createLookForEnd(ports)

  const isPastDeadline = ({ swap: { deadlineAt = null } }: SwapRecord): boolean => deadlineAt !== null && clock.now() > deadlineAt

  /** A transaction, before its venue is asked. Null for what is not paid by one. */
  const transaction = async ({ record, venue }: Looked, ref: string): Promise<InputSight | null> => {
    if (record.swap.execution.payload.executionType !== 'TRANSACTION') return null
    const txHash = parseTransactionId(record.swap.order.input.chainId, ref)
    return txHash === null ? { kind: 'stranger' } : inputByTransaction(record, txHash, venue.events, ports)
  }

  const inputOf = async (record: SwapRecord, word: VenueWord): Promise<InputSight> => {
    const { payload } = record.swap.execution
    const isSigned = record.postingAt !== null || record.submittedAt !== null
    if (payload.executionType !== 'DEPOSIT') {
      // What a delivery took that the chain has taken back is none.
      await readKept(record, ports)
      return { kind: isSigned ? 'signed' : 'absent' }
    }
    return inputByDeposit({ record, deposit: payload.deposit, word, isOver: isPastDeadline(record) }, ports)
  }

  const isUnfilled = async ({ record: { swap }, venue: { unfilled } }: Looked): Promise<boolean> =>
    unfilled !== null && (await read(swap.order.input.chainId, (signal) => unfilled.isUnfilled(swap, signal))) === true

  /** The book of the contract tells of an order that was never placed, whatever transaction was to. */
  const orUnpaid = async (looked: Looked, input: InputSight): Promise<InputSight> => {
    const isOver = input.kind === 'absent' && isPastDeadline(looked.record)
    return isOver && (await isUnfilled(looked)) ? { kind: 'unpaid' } : input
  }

  /** What of a venue's word the chains bear out. `input`: as `transaction` told it, or null. */
  const word = async (looked: Looked, said: VenueWord, input: InputSight | null): Promise<Sighting> => {
    const { record, venue } = looked
    const seen = input ? await orUnpaid(looked, input) : await inputOf(record, said)
    const keeps = venue.profile.refundKeeps(record.swap)
    const kept = await payments.ofSwap(record.id)
    return { input: seen, ...(await lookForEnd({ record, word: said, input: seen, kept, events: venue.events, keeps })) }
  }

  /** Whether the payload can no longer do anything: by the chain's own time, and where nothing of it ever happened. */
  const isDead = async (looked: Looked, input: InputSight): Promise<boolean> => {
    const { record } = looked
    const { swap } = record
    const { executionType } = swap.execution.payload
    const { chainId } = swap.order.input
    if (!isPastDeadline(record) || !UNPAID[executionType].includes(input.kind)) return false
    // A transaction may be gone from the node's books only.
    if (executionType === 'TRANSACTION' && input.kind === 'absent' && !isRemembered(swap.deadlineAt ?? 0, clock)) return false
    const time = await read(chainId, (signal) => evidence.confirmedTime(chainId, signal))
    if (time === 'unreadable' || !isPast(swap, time)) return false
    return executionType !== 'SIGNATURE' || isUnfilled(looked)
  }

  return { transaction, word, isDead }
}
