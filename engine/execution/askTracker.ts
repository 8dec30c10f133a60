import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { SwapStatus } from '../core/swapStatus.ts'
import type { Observe } from '../observe/observe.ts'
import type { SealedQuote } from '../quoting/quoteToken.ts'
import type { DeliveryStore } from '../store/deliveries.ts'
import type { SwapRecord } from '../store/swaps.ts'
import type { StatusTracker } from '../venues/venue.ts'
import { callWithin, venueErrorIn } from './callWithin.ts'
import { requireEvidence } from './requireEvidence.ts'
import { venueFailure } from './venueFailure.ts'

export type AskTrackerPorts = {
  /** Null: the venues' word is all there is. */
  readonly evidence: ChainEvidence | null
  readonly deliveries: DeliveryStore
  readonly observe: Observe
}

const TRACK_DEADLINE_MS = 8_000

/**
 * A claim of success that falls short of what the quote guaranteed is no success: the money's place is then unknown,
 * and the swap stays open with the venue's own words beside it.
 */
const doubtShortDelivery = (status: SwapStatus, { offer }: SealedQuote): SwapStatus => {
  const least = offer.slippage?.guaranteedMin ?? null
  const isShort =
    status.state === 'success' && status.deliveredAmount !== null && least !== null && status.deliveredAmount < least
  return isShort ? { ...status, state: 'processing' } : status
}

/**
 * Asks a venue where a swap stands, and holds its answer against the quote and the chains. While the venue is out of
 * reach, what was last seen is the answer; where nothing was, the venue's trouble is thrown.
 */
export const createAskTracker = ({ evidence, deliveries, observe }: AskTrackerPorts) => {
  /** Without our own record nobody knows which addresses were bound last, and the venue's word must do. */
  const believe = async (status: SwapStatus, record: SwapRecord | null, requestId: string): Promise<SwapStatus> => {
    if (evidence === null || record === null) return status
    const { id: swapId, swap, createdAt } = record
    const { output } = swap.order
    const payee = `${output.chainId}:${output.address}:${swap.binding.recipient}`
    return requireEvidence(
      status,
      { ...swap, executedAt: createdAt },
      {
        evidence,
        reportUnread: ({ chainId, message }) =>
          observe({ event: 'chain.unread', requestId, chainId, what: 'evidence', reason: message }),
        owedToOthers: (txHash, least) =>
          // What the chain shows is true whether or not it can be noted; a disk in trouble must not hide it.
          deliveries.claim({ swapId, txHash, payee, least }).catch((error: unknown) => {
            observe({ event: 'store.failed', requestId, reason: error instanceof Error ? error.message : String(error) })
            return 0n
          }),
      },
    )
  }

  return async (
    tracker: StatusTracker,
    ref: string,
    { quote, record, requestId }: { quote: SealedQuote; record: SwapRecord | null; requestId: string },
  ): Promise<SwapStatus> => {
    const { order, offer } = quote
    try {
      const asked = await callWithin(TRACK_DEADLINE_MS, (signal) =>
        tracker.track(ref, { order, offer, executed: record?.swap ?? null }, signal),
      )
      return await believe(doubtShortDelivery(asked, quote), record, requestId)
    } catch (error) {
      const failure = venueErrorIn(error)
      observe({
        event: 'venue.failed',
        requestId,
        venue: offer.venue,
        call: 'track',
        kind: failure.kind,
        reason: failure.message,
      })
      // What was last seen is still the best there is to say, while the venue is out of reach.
      if (record && record.status.venueStatus !== null) return record.status
      throw venueFailure(offer.venue, failure, 'Ask again.')
    }
  }
}
