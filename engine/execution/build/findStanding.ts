import { readOr } from '../../chains/readOr.ts'
import { decodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Broadcast } from '../../store/broadcasts.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { keyOfRebuild } from './bindings.ts'

export type StandingPorts = {
  readonly store: Pick<Store, 'swaps' | 'broadcasts'>
  readonly solana: SolanaTransactions
}

/** The execution of a quote and its addresses, or null with the key for a new one. */
export type Standing = { readonly record: SwapRecord | null; readonly bindingKey: string }

const isFailedFate = ({ fate }: Broadcast): boolean => fate === 'failed' || fate === 'lapsed'

const BLOCKHASH_DEADLINE_MS = 2_000

/**
 * Finds an earlier execution, so that a repeated call returns the same payload. A broadcast transaction that can no longer land
 * is replaced by a new swap. While it may still land, or its state is unknown, it remains the only one: two could both be paid.
 */
export const createFindStanding = ({ store: { swaps, broadcasts }, solana }: StandingPorts) => {
  const isSpent = async ({ id, swap, isSandbox, status }: SwapRecord, observe: ObserveRequest): Promise<boolean> => {
    const serialized = broadcastable(swap.order, swap.execution)
    if (serialized === null || isSandbox) return false
    const broadcast = await broadcasts.find(id)
    // A failed or expired transaction paid nothing, unless the venue was paid in another way.
    if (broadcast) return isFailedFate(broadcast) && (status.state === 'pending' || status.state === 'failed')
    const transaction = await decodeSolanaTransaction(serialized)
    if (!transaction || status.state !== 'pending') return false
    const { recentBlockhash } = transaction
    const isServing = await readOr({ chainId: SOLANA, what: 'blockhash', observe }, true, () =>
      withDeadline(BLOCKHASH_DEADLINE_MS, (signal) => solana.isBlockhashValid(recentBlockhash, signal)),
    )
    return !isServing
  }

  return async (quoteId: string, key: string, observe: ObserveRequest): Promise<Standing> => {
    for (let rebuilds = 0; ; rebuilds += 1) {
      const bindingKey = keyOfRebuild(key, rebuilds)
      const record = await swaps.find(quoteId, bindingKey)
      if (!record || !(await isSpent(record, observe))) return { record, bindingKey }
    }
  }
}
