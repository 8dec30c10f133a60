import type { Address } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { SwapRecord } from '../../store/swaps.ts'

const READS_MAX = 100_000
/** Milliseconds. A node may lack the block of a transaction: only an absence that lasted this long is settled. */
const LATE_MS = 600_000
/** From this number of absent transactions in a list, one is read per request: an endpoint may invent them. */
const ABSENT_MAX = 8

/** `absent`: no node shows the transaction. `other`: the transaction pays the swap nothing, or is already recorded. */
type ReadAs = 'absent' | 'other' | 'unreadable'

/** The results of reading the transactions that searches name. Decides which are read next; each is read eventually. */
export type ReadHashes = ReturnType<typeof createReadHashes>

export const createReadHashes = (clock: Clock) => {
  const reads = new Map<string, { readonly firstAt: number; readonly at: number; readonly as: ReadAs }>()

  /** The reads for one recipient of a swap. */
  return ({ id }: SwapRecord, recipient: Address) => {
    const keyOf = (hash: TransactionId) => `${id}:${recipient}:${hash}`
    const readOf = (hash: TransactionId) => reads.get(keyOf(hash))
    return {
      isRead: (hash: TransactionId): boolean => readOf(hash) !== undefined,
      /** True if the reads prove that the transaction pays the swap nothing more. */
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
      /** The next hashes to read, in the order of the list: first the last of those never read, then the least recently read. */
      page: (hashes: readonly TransactionId[], size: number): readonly TransactionId[] => {
        const inTurn = hashes.toReversed().map((hash) => ({ hash, at: readOf(hash)?.at ?? 0 }))
        const absent = hashes.filter((hash) => readOf(hash)?.as === 'absent')
        const next = inTurn.toSorted((a, b) => a.at - b.at).slice(0, absent.length < ABSENT_MAX ? size : 1)
        return hashes.filter((one) => next.some(({ hash }) => hash === one))
      },
    }
  }
}
