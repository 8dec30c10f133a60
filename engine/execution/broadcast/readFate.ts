import type { SolanaFinality, SolanaLanding, SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Broadcast, BroadcastFate, BroadcastStore } from '../../store/broadcasts.ts'
import { recordedOr } from '../../store/recordedOr.ts'

export type FatePorts = {
  readonly solana: Pick<SolanaTransactions, 'finality' | 'landing' | 'firstSlot'>
  readonly broadcasts: Pick<BroadcastStore, 'setFate'>
  readonly observe: ObserveRequest
  /** Ends the reads early; null waits for them. */
  readonly signal: AbortSignal | null
}

/** `confirmed`: in a block that is not final. `open`: in no block yet, or unknown. */
export type Fate = BroadcastFate | 'confirmed' | 'open'

const CALL_DEADLINE_MS = 5_000

/** Over an hour: every node can look up this many blocks. */
const RECENT_BLOCKS = 9_000
/** The reservation follows the payload, whose blockhash is valid for 150 blocks. */
const EARLIEST_BLOCKS = 600

/**
 * Reads whether a transaction is in a block, can no longer land, or is open. Stores final results, since nodes forget
 * transactions. Throws ChainError.
 */
export const createReadFate = ({ solana, broadcasts, observe, signal: left }: FatePorts) => {
  const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(CALL_DEADLINE_MS, work, left ?? undefined)

  /** Nodes drop old transactions. Absence proves nothing if the whole lifetime of the transaction cannot be looked up. */
  const isRemembered = async ({ untilHeight }: Broadcast, { slot, height }: SolanaFinality): Promise<boolean> => {
    if (height - untilHeight <= RECENT_BLOCKS) return true
    // Some slots have no block. Twice the number of blocks is a safe bound.
    const earliestSlot = slot - 2 * (height - untilHeight + EARLIEST_BLOCKS)
    return (await call((signal) => solana.firstSlot(signal))) <= earliestSlot
  }

  const isLapsed = async (broadcast: Broadcast, finality: SolanaFinality, { seenSlot }: SolanaLanding): Promise<boolean> =>
    finality.height > broadcast.untilHeight && seenSlot >= finality.slot && (await isRemembered(broadcast, finality))

  const askChain = async (broadcast: Broadcast): Promise<Fate> => {
    // The order matters: absence counts only on a node that has reached finality past the last possible block.
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
