import { ChainError } from '../../chains/chains.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import type { Observe } from '../../observe/observe.ts'
import type { Broadcast, BroadcastStore } from '../../store/broadcasts.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { createReadFate } from '../broadcast/readFate.ts'

export type TrackBroadcastPorts = {
  readonly broadcasts: BroadcastStore
  readonly solana: SolanaTransactions
  readonly observe: Observe
}

const PENDING: SwapStatus = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }

/** States in which the venue has seen the payment. `expired` is none: some venues say so of what was never paid. */
const SEEN: ReadonlySet<SwapState> = new Set(['processing', 'success', 'refunded', 'failed'])

/**
 * Where a swap stands whose transaction the service sends. Its venue is asked by the transaction, once there is one: the
 * ref that was handed out may be ours alone. The swap is ours to know, so that a venue that has not heard of it yet
 * leaves it pending; and a transaction that failed for good or can no longer land, of which no venue ever hears, ends it.
 */
export const createTrackBroadcast = ({ broadcasts, solana, observe }: TrackBroadcastPorts) => {
  const hasFailed = async (swapId: number, broadcast: Broadcast, requestId: string): Promise<boolean> => {
    const reportUnrecorded = (error: unknown) =>
      observe({ event: 'store.failed', requestId, reason: error instanceof Error ? error.message : String(error) })
    try {
      const fate = await createReadFate({ solana, broadcasts, reportUnrecorded })(swapId, broadcast)
      return fate === 'failed' || fate === 'lapsed'
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      observe({ event: 'chain.unread', requestId, chainId: SOLANA, what: 'landing', reason: error.message })
      return false
    }
  }

  return async (
    { id, swap, status: last }: SwapRecord,
    askVenue: (ref: string) => Promise<SwapStatus>,
    requestId: string,
  ): Promise<SwapStatus> => {
    const broadcast = await broadcasts.find(id)
    const { venueRef } = swap.execution
    const asked = broadcast?.txHash ?? venueRef
    if (asked === null) return PENDING
    const status = await askVenue(asked)
    if (SEEN.has(status.state)) return status
    if (broadcast && (await hasFailed(id, broadcast, requestId))) {
      // The wallet may have paid by another transaction, against the rules: the venue then knows by a ref of its own.
      const other = venueRef === null ? status : await askVenue(venueRef)
      return SEEN.has(other.state) ? other : { ...status, state: 'failed' }
    }
    // Nothing was posted: whatever the venue says of the time, no refund is owed.
    if (broadcast === null && status.state === 'expired') return { ...status, state: 'pending' }
    const wasSeen = last.state === 'processing' || last.state === 'expired'
    return status.state === 'not_found' && !wasSeen ? { ...status, state: 'pending' } : status
  }
}
