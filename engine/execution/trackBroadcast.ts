import { ChainError } from '../chains/chains.ts'
import type { SolanaBroadcast } from '../chains/solanaBroadcast.ts'
import { SOLANA } from '../core/chain.ts'
import type { SwapStatus } from '../core/swapStatus.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Observe } from '../observe/observe.ts'
import type { BroadcastStore } from '../store/broadcasts.ts'
import type { SwapRecord } from '../store/swaps.ts'

export type TrackBroadcastPorts = {
  readonly broadcasts: BroadcastStore
  readonly solana: SolanaBroadcast
  readonly observe: Observe
}

const LANDING_DEADLINE_MS = 3_000

const PENDING: SwapStatus = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }

/**
 * Where a swap stands whose transaction the service sends. Its venue is asked by the transaction, once there is one: the
 * ref that was handed out may be ours alone. The swap is ours to know, so that a venue that has not heard of it yet
 * leaves it pending; and a transaction that failed in its block, of which no venue ever hears, ends it.
 */
export const createTrackBroadcast = ({ broadcasts, solana, observe }: TrackBroadcastPorts) => {
  const hasFailed = async (txHash: string, requestId: string): Promise<boolean> => {
    try {
      return (await withDeadline(LANDING_DEADLINE_MS, (signal) => solana.landing(txHash, signal))) === 'failed'
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      observe({ event: 'chain.unread', requestId, chainId: SOLANA, what: 'landing', reason: error.message })
      return false
    }
  }

  return async (
    { id, swap }: SwapRecord,
    askVenue: (ref: string) => Promise<SwapStatus>,
    requestId: string,
  ): Promise<SwapStatus> => {
    const txHash = (await broadcasts.find(id))?.txHash ?? null
    const venueRef = txHash ?? swap.execution.venueRef
    if (venueRef === null) return PENDING
    const status = await askVenue(venueRef)
    if (status.state !== 'not_found' && status.state !== 'pending') return status
    const state = txHash !== null && (await hasFailed(txHash, requestId)) ? 'failed' : 'pending'
    return { ...status, state }
  }
}
