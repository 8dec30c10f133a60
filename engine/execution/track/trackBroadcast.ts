import { readOr } from '../../chains/readOr.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Broadcast, BroadcastStore } from '../../store/broadcasts.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { createReadFate } from '../broadcast/readFate.ts'

export type TrackBroadcastPorts = {
  readonly broadcasts: BroadcastStore
  readonly solana: SolanaTransactions
}

const PENDING: SwapStatus = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }

/** States in which the venue has seen the payment. `expired` is none: some venues say so of what was never paid. */
const SEEN: ReadonlySet<SwapState> = new Set(['processing', 'success', 'refunded', 'failed'])

/**
 * Where a swap stands whose transaction the service sends. Its venue is asked by the transaction, once there is one: the
 * ref that was handed out may be ours alone. The swap is ours to know, so that a venue that has not heard of it yet
 * leaves it pending; and a transaction that failed for good or can no longer land, of which no venue ever hears, ends it.
 */
export const createTrackBroadcast = ({ broadcasts, solana }: TrackBroadcastPorts) => {
  const hasFailed = async (swapId: number, broadcast: Broadcast, observe: ObserveRequest): Promise<boolean> => {
    const readFate = createReadFate({ solana, broadcasts, observe })
    const fate = await readOr({ chainId: SOLANA, what: 'landing', observe }, null, () => readFate(swapId, broadcast))
    return fate === 'failed' || fate === 'lapsed'
  }

  return async (
    { id, swap, status: last }: SwapRecord,
    askVenue: (ref: string) => Promise<SwapStatus>,
    observe: ObserveRequest,
  ): Promise<SwapStatus> => {
    const broadcast = await broadcasts.find(id)
    const { venueRef } = swap.execution
    const asked = broadcast?.txHash ?? venueRef
    if (asked === null) return PENDING
    const status = await askVenue(asked)
    if (SEEN.has(status.state)) return status
    if (broadcast && (await hasFailed(id, broadcast, observe))) {
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
