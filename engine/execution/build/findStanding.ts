import { ChainError } from '../../chains/chains.ts'
import { decodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { Observe } from '../../observe/observe.ts'
import type { Broadcast, BroadcastStore } from '../../store/broadcasts.ts'
import type { SwapRecord, SwapStore } from '../../store/swaps.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'

export type StandingPorts = {
  readonly swaps: SwapStore
  readonly broadcasts: BroadcastStore
  readonly solana: SolanaTransactions
  readonly observe: Observe
}

/** The execution that stands for a quote and its addresses; where there is none, the key to store a new one under. */
export type Standing = { readonly record: SwapRecord | null; readonly bindingKey: string }

const isFailedFate = ({ fate }: Broadcast): boolean => fate === 'failed' || fate === 'lapsed'

const BLOCKHASH_DEADLINE_MS = 2_000

/**
 * Finds what was built before, so that a repeated call answers with the same payload. A transaction that was handed out
 * for the service to send, and can no longer be sent, stands no more: what is built in its place is a swap of its own. As
 * long as one is under way, or nobody can tell, it stays the only one of its swap: two could both be paid.
 */
export const createFindStanding = ({ swaps, broadcasts, solana, observe }: StandingPorts) => {
  const isSpent = async ({ id, swap, isSandbox, status }: SwapRecord, requestId: string): Promise<boolean> => {
    const serialized = broadcastable(swap.order, swap.execution)
    if (serialized === null || isSandbox) return false
    const broadcast = await broadcasts.find(id)
    // Failed or lapsed for good it paid nothing; unless the venue has been paid otherwise.
    if (broadcast) return isFailedFate(broadcast) && (status.state === 'pending' || status.state === 'failed')
    const transaction = await decodeSolanaTransaction(serialized)
    if (!transaction || status.state !== 'pending') return false
    try {
      const { recentBlockhash } = transaction
      return !(await withDeadline(BLOCKHASH_DEADLINE_MS, (signal) => solana.isBlockhashValid(recentBlockhash, signal)))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      observe({ event: 'chain.unread', requestId, chainId: SOLANA, what: 'blockhash', reason: error.message })
      return false
    }
  }

  return async (quoteId: string, key: string, requestId: string): Promise<Standing> => {
    for (let rebuilds = 0; ; rebuilds += 1) {
      const bindingKey = rebuilds === 0 ? key : `${key}|${rebuilds}`
      const record = await swaps.find(quoteId, bindingKey)
      if (!record || !(await isSpent(record, requestId))) return { record, bindingKey }
    }
  }
}
