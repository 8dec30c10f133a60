import type { SolanaFinality, SolanaLanding, SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Broadcast, BroadcastFate, BroadcastStore } from '../../store/broadcasts.ts'
import { recordedOr } from '../../store/recordedOr.ts'

export type FatePorts = {
  readonly solana: Pick<SolanaTransactions, 'finality' | 'landing' | 'firstSlot'>
  readonly broadcasts: Pick<BroadcastStore, 'setFate'>
  readonly observe: ObserveRequest
  /** Ends the reads early; null: they are waited for in any case. */
  readonly signal: AbortSignal | null
}

/** `confirmed`: in a block that is not final yet. `open`: in none, and may still get into one; or nobody can tell. */
export type Fate = BroadcastFate | 'confirmed' | 'open'

const CALL_DEADLINE_MS = 5_000

/** An hour and more: for so long any node can look up what it has seen. */
const RECENT_BLOCKS = 9_000
/** A reservation is made after its transaction was handed out, on a blockhash that serves for 150 blocks. */
const EARLIEST_BLOCKS = 600

/**
 * Tells whether a transaction that may have been sent is in a block, can never be in one, or neither yet; and keeps what
 * is final, so that nobody depends on the chain's memory. Throws ChainError.
 */
export const createReadFate = ({ solana, broadcasts, observe, signal: left }: FatePorts) => {
  const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(CALL_DEADLINE_MS, work, left ?? undefined)

  /** Nodes drop old transactions: where the whole life of this one can no longer be looked up, its absence says nothing. */
  const isRemembered = async ({ untilHeight }: Broadcast, { slot, height }: SolanaFinality): Promise<boolean> => {
    if (height - untilHeight <= RECENT_BLOCKS) return true
    // Slots without a block come between: as many as there are blocks is more than there ever were for long.
    const earliestSlot = slot - 2 * (height - untilHeight + EARLIEST_BLOCKS)
    return (await call((signal) => solana.firstSlot(signal))) <= earliestSlot
  }

  const isLapsed = async (broadcast: Broadcast, finality: SolanaFinality, { seenSlot }: SolanaLanding): Promise<boolean> =>
    finality.height > broadcast.untilHeight && seenSlot >= finality.slot && (await isRemembered(broadcast, finality))

  const askChain = async (broadcast: Broadcast): Promise<Fate> => {
    // In this order: what a node that has come that far does not know, after the last block that could hold it is final, is nowhere.
    const finality = await call((signal) => solana.finality(signal))
    const landing = await call((signal) => solana.landing(broadcast.txHash, signal))
    if (landing.outcome !== null) return landing.isFinal ? landing.outcome : 'confirmed'
    return (await isLapsed(broadcast, finality, landing)) ? 'lapsed' : 'open'
  }

  return async (swapId: number, broadcast: Broadcast): Promise<Fate> => {
    if (broadcast.fate !== null) return broadcast.fate
    const fate = await askChain(broadcast)
    if (fate !== 'confirmed' && fate !== 'open')
      await recordedOr(observe, undefined, () => broadcasts.setFate(swapId, broadcast.txHash, fate))
    return fate
  }
}
