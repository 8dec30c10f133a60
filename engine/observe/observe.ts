import type { SwapState } from '../core/swapStatus.ts'

export type VenueOutcome = 'offer' | 'decline' | 'timeout' | 'failure' | 'dropped' | 'skipped'

/** Every event the engine reports. The names and fields of the log lines live here and nowhere else. */
export type EngineEvent =
  | {
      readonly event: 'venue.quote'
      readonly requestId: string
      readonly venue: string
      readonly outcome: VenueOutcome
      readonly kind?: string
      readonly reason?: string
      readonly elapsedMs: number
    }
  | {
      readonly event: 'quote.served'
      readonly requestId: string
      readonly quoteId: string
      readonly venue: string
      readonly executable: boolean
      readonly offers: number
      readonly elapsedMs: number
    }
  | {
      readonly event: 'chain.unread'
      readonly requestId: string
      readonly chainId: number
      readonly what: string
      readonly reason: string
    }
  | {
      readonly event: 'swap.executed'
      readonly requestId: string
      readonly quoteId: string
      readonly venue: string
      readonly executionType: string
      readonly repeated: boolean
    }
  | {
      readonly event: 'payload.refused'
      readonly requestId: string
      readonly quoteId: string
      readonly venue: string
      readonly mismatches: readonly string[]
    }
  | {
      readonly event: 'venue.failed'
      readonly requestId: string
      readonly venue: string
      readonly call: 'execute' | 'submit' | 'track'
      readonly kind: string
      readonly reason: string
    }
  | { readonly event: 'signature.submitted'; readonly requestId: string; readonly quoteId: string; readonly venue: string }
  | {
      readonly event: 'swap.tracked'
      readonly requestId: string
      readonly venue: string
      readonly state: SwapState
      readonly venueStatus: string | null
    }
  | { readonly event: 'venue.health'; readonly venue: string; readonly healthy: boolean }
  | { readonly event: 'store.failed'; readonly requestId: string; readonly reason: string }

/** Where engine events go. Must not throw. */
export type Observe = (event: EngineEvent) => void
