import type { ExecutionType } from '../../core/offer.ts'
import type { SwapState } from '../../core/swapStatus.ts'
import type { Lead, ToldRace, ToldRoute } from '../../core/toldRace.ts'

/**
 * What the service tells of itself, as far as its offline network wants to know: events by the names and fields that they
 * have in the log. Nothing in them is a secret or an address of a user, but for what a swap goes by.
 */

type OfRequest = { readonly requestId: string }

type OfSwap = { readonly quoteId?: string; readonly swapId?: number; readonly ref?: string | null }

/** Money of a swap that was seen on a chain. */
export type WatchedPayment = {
  readonly kind: 'input' | 'output' | 'refund' | 'extra'
  readonly chainId: number
  readonly token: string
  readonly txHash: string
  /** Smallest units; null where the chain no longer shows how much. */
  readonly amount: string | null
  readonly isFinal: boolean
}

export type WatchedRace =
  | ({
      readonly event: 'quote.served'
      readonly quoteId: string
      readonly venue: string
      readonly executable: boolean
      readonly elapsedMs: number
      readonly overheadMs: number
    } & OfRequest &
      ToldRoute &
      ToldRace &
      Lead)
  | ({ readonly event: 'quote.refused'; readonly code: string } & OfRequest & ToldRoute & ToldRace)

export type WatchedStep = OfSwap &
  (
    | {
        readonly event: 'swap.executed'
        readonly venue: string
        readonly executionType: ExecutionType
        readonly repeated: boolean
      }
    | { readonly event: 'signature.submitted' }
    | { readonly event: 'transaction.submitted'; readonly txHash: string; readonly outcome: string }
    | {
        readonly event: 'swap.tracked'
        readonly by: 'status' | 'settlement'
        readonly state: SwapState
        readonly venueStatus: string | null
        /** All that is kept of its money; left out where nobody read it. */
        readonly payments?: readonly WatchedPayment[]
      }
  )

export type WatchedEvent = WatchedRace | WatchedStep

export const isRace = (event: WatchedEvent): event is WatchedRace =>
  event.event === 'quote.served' || event.event === 'quote.refused'
