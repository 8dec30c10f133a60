import type { Address } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { SwapRecord } from '../../store/swaps.ts'

const READS_MAX = 100_000
/** A transaction that a node lacks may be in a block that the node does not have yet: it is read again after so long. */
const LATE_MS = 600_000
/** Of a list with so many transactions that no node shows, one is read at a time: an endpoint may invent them. */
const ABSENT_MAX = 8

/** `absent`: no node shows the transaction. `other`: it pays the swap nothing, or is recorded by now. */
type ReadAs = 'absent' | 'other' | 'unreadable'

/** What was read of the transactions that searches name: decides which are read next, and leaves out none for good. */
export type ReadHashes = ReturnType<typeof createReadHashes>

export const createReadHashes = (clock: Clock) => {
  const reads = new Map<string, { readonly firstAt: number; readonly at: number; readonly as: ReadAs }>()

  /** Of the searches for what one address received for a swap. */
  return ({ id }: SwapRecord, recipient: Address) => {
    const keyOf = (hash: TransactionId) => `${id}:${recipient}:${hash}`
    const readOf = (hash: TransactionId) => reads.get(keyOf(hash))
    return {
      isRead: (hash: TransactionId): boolean => readOf(hash) !== undefined,
      /** Whether the read is enough to conclude that the transaction pays the swap nothing. */
      isSettled: (hash: TransactionId): boolean => {
        const read = readOf(hash)
        return read?.as === 'other' || (read?.as === 'absent' && read.at - read.firstAt >= LATE_MS)
      },
      note: (hash: TransactionId, as: ReadAs): void => {
        const at = clock.now()
        const { firstAt = at } = readOf(hash) ?? {}
        reads.delete(keyOf(hash))
        reads.set(keyOf(hash), { firstAt, at, as })
        const [oldest] = reads.keys()
        if (reads.size > READS_MAX && oldest !== undefined) reads.delete(oldest)
      },
      /** The next of a list to be read, in its order: the last of those never read, then those read longest ago. */
      page: (hashes: readonly TransactionId[], size: number): readonly TransactionId[] => {
        const inTurn = hashes.toReversed().map((hash) => ({ hash, at: readOf(hash)?.at ?? 0 }))
        const absent = hashes.filter((hash) => readOf(hash)?.as === 'absent')
        const next = inTurn.toSorted((a, b) => a.at - b.at).slice(0, absent.length < ABSENT_MAX ? size : 1)
        return hashes.filter((one) => next.some(({ hash }) => hash === one))
      },
    }
  }
}
