import { clocksApartMs } from '../../chains/oneChain.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GatherPorts, TrackedVenue } from './gather.ts'
import { inputByTransaction } from './inputByTransaction.ts'
import { createReadEvidence, isPast } from './readEvidence.ts'

/** How many transactions of its sender are looked at for one swap in one ask. */
const LOOKS_MAX = 8
const SWAPS_MAX = 10_000

/** Nothing of the swap can come any more. */
const DONE = Number.POSITIVE_INFINITY

/**
 * Finds the transaction that pays a swap, where its wallet has told nobody of it: among what the chain shows its sender to
 * have paid since. It is taken for the swap's by nothing less than one that is told. Null where none is found.
 */
export const createFindSent = ({ evidence, store, clock }: GatherPorts) => {
  const reached = new Map<number, number>()

  const keepReached = (id: number, height: number): void => {
    reached.delete(id)
    reached.set(id, height)
    const [oldest] = reached.keys()
    if (reached.size > SWAPS_MAX && oldest !== undefined) reached.delete(oldest)
  }

  return async (record: SwapRecord, { events }: TrackedVenue, context: CallContext): Promise<TransactionId | null> => {
    const { id, createdAt, swap } = record
    const { input, sender } = swap.order
    const after = reached.get(id) ?? null
    if (evidence === 'trustVenues' || swap.execution.payload.executionType !== 'TRANSACTION' || after === DONE) return null
    const { payments } = store
    // It was told, and its venue was out of reach just then.
    const kept = (await payments.ofSwap(id)).find(({ kind }) => kind === 'input')
    if (kept) return kept.txHash
    const read = createReadEvidence(context)
    const query = { asset: input, sender, since: createdAt, after }
    const sent = await read(input.chainId, (signal) => evidence.sentBy(query, signal))
    if (sent === 'unreadable') return null
    const looked = sent.transactions.slice(0, LOOKS_MAX)
    const keep = (height: number): void => {
      if (sent.reached !== null) keepReached(id, Math.min(sent.reached, height))
    }
    for (const { hash, height } of looked) {
      const { kind } = await inputByTransaction(record, hash, events, { evidence, read, payments, clock })
      if (kind === 'paid') return hash
      if (kind === 'stranger' || kind === 'reverted') continue
      // What cannot be read now may be it.
      keep(height - 1)
      return null
    }
    const [first, last] = [looked[0], looked.at(-1)]
    if (first === undefined || last === undefined || looked.length === sent.transactions.length) {
      const isOver = sent.at !== null && isPast(swap, sent.at - clocksApartMs(input.chainId))
      if (isOver) keepReached(id, DONE)
      else keep(DONE)
      return null
    }
    // The rest of its block is looked at again, save where that is all there was time for.
    keep(first.height === last.height ? last.height : last.height - 1)
    return null
  }
}
