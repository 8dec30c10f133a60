import type { SwapState } from '../core/swapStatus.ts'

export type VenueOutcome = 'offer' | 'decline' | 'timeout' | 'failure' | 'dropped' | 'skipped'

/** What happens while a request is served. Its id is put in by whoever binds `observe` to the request. */
export type RequestEvent =
  | {
      readonly event: 'venue.quote'
      readonly venue: string
      readonly outcome: VenueOutcome
      readonly kind?: string
      readonly reason?: string
      readonly elapsedMs: number
    }
  | {
      readonly event: 'quote.served'
      readonly quoteId: string
      readonly venue: string
      readonly executable: boolean
      readonly offers: number
      readonly elapsedMs: number
    }
  | {
      readonly event: 'chain.unread'
      readonly chainId: number
      readonly what: string
      readonly reason: string
    }
  | {
      readonly event: 'swap.executed'
      readonly quoteId: string
      readonly venue: string
      readonly executionType: string
      readonly repeated: boolean
    }
  | {
      readonly event: 'payload.refused'
      readonly quoteId: string
      readonly venue: string
      readonly mismatches: readonly string[]
    }
  | {
      readonly event: 'venue.failed'
      readonly venue: string
      readonly call: 'execute' | 'submit' | 'track'
      readonly kind: string
      readonly reason: string
    }
  | { readonly event: 'signature.submitted'; readonly quoteId: string; readonly venue: string }
  | {
      readonly event: 'payment.refused'
      readonly quoteId: string
      readonly venue: string
      readonly reason: string
    }
  | {
      readonly event: 'transaction.submitted'
      readonly quoteId: string
      readonly venue: string
      readonly txHash: string
      /** `landed`: it was in a block already. `uncertain`: the chain could not be asked, it may have been sent. */
      readonly outcome: 'sent' | 'landed' | 'rejected' | 'uncertain'
    }
  | {
      readonly event: 'swap.tracked'
      readonly venue: string
      readonly state: SwapState
      readonly venueStatus: string | null
    }
  | { readonly event: 'store.failed'; readonly reason: string }

/** What happens to the service at any time. */
export type ServiceEvent =
  /** An adapter met what it can go on with, and an operator should know of. Not repeated within the hour. */
  | { readonly event: 'venue.noticed'; readonly venue: string; readonly what: string }
  | { readonly event: 'venue.health'; readonly venue: string; readonly healthy: boolean }
  | {
      readonly event: 'chain.health'
      readonly chainId: number
      /** Its place among the endpoints of the chain, from 1. Never its address, which may hold a key. */
      readonly endpoint: number
      readonly healthy: boolean
      readonly reason: string | null
    }

/** Every event the engine reports. The names and fields of the log lines live here and nowhere else. */
export type EngineEvent = ServiceEvent | (RequestEvent & { readonly requestId: string })

/** Where engine events go. Must not throw. */
export type Observe = (event: EngineEvent) => void

/** Where the events of one request go. Must not throw. */
export type ObserveRequest = (event: RequestEvent) => void
