import type { SwapState } from '../core/swapStatus.ts'

export type VenueCall = 'quote' | 'execute' | 'submit' | 'track' | 'prices' | 'reach'

/**
 * How a call of a venue ended. `offer` and `answer`: with what was asked for. `dropped`: with an offer that is not believed.
 * `cut`: the race was decided before it. `skipped`: it was not sent, because its breaker or its limit said so.
 * `unwilling`: it was not sent, because the venue does not serve the route.
 */
export type VenueOutcome = 'offer' | 'answer' | 'decline' | 'timeout' | 'failure' | 'dropped' | 'cut' | 'skipped' | 'unwilling'

/** What happens while a request is served. Its id is put in by whoever binds `observe` to the request. */
export type RequestEvent =
  /** One per call of a venue: log and metrics read it. */
  | {
      readonly event: 'venue.call'
      readonly venue: string
      readonly call: VenueCall
      readonly outcome: VenueOutcome
      /** The venue's error, where there is one: see VenueErrorKind. */
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
  /** `isDefect`: the store is well, and what was to be written is wrong. */
  | { readonly event: 'store.failed'; readonly reason: string; readonly isDefect?: true }
  /** One for each look at all open swaps of partners whose time had come. */
  | {
      readonly event: 'settlement.pass'
      readonly looked: number
      readonly ended: number
      readonly failed: number
      readonly abandoned: number
      readonly open: number
      readonly oldestMs: number
      readonly elapsedMs: number
      /** Not all of them: the pass was stopped, or took too long, or a venue wants to be left alone. */
      readonly isCut: boolean
    }
  /** One swap could not be looked at, for a reason of our own. */
  | {
      readonly event: 'settlement.failed'
      readonly swapId: number
      /** Null where its record itself cannot be read. */
      readonly quoteId: string | null
      readonly venue: string
      readonly reason: string
    }

/** What happens to the service at any time. */
export type ServiceEvent =
  /** An adapter met what it can go on with, and an operator should know of. Not repeated within the hour. */
  | { readonly event: 'venue.noticed'; readonly venue: string; readonly what: string }
  /** A venue that would be asked is not, from the start on. */
  | { readonly event: 'venue.off'; readonly venue: string; readonly reason: string }
  | { readonly event: 'venue.health'; readonly venue: string; readonly healthy: boolean; readonly reason: string | null }
  /** Whether all that was booked adds up, looked at when the service starts. */
  | { readonly event: 'ledger.proved'; readonly balanced: boolean; readonly entries: number; readonly problems: number }
  | { readonly event: 'ledger.mismatch'; readonly entryId: number | null; readonly key: string; readonly what: string }
  | { readonly event: 'ledger.unproved'; readonly reason: string }
  | {
      readonly event: 'chain.health'
      readonly chainId: number
      /** Its place among the endpoints of the chain, from 1. Never its address, which may hold a key. */
      readonly endpoint: number
      readonly healthy: boolean
      readonly reason: string | null
    }
  /** A pass over the open swaps ended early: the store is in trouble, or another instance goes on with it. */
  | { readonly event: 'settlement.stopped'; readonly reason: string }
  | { readonly event: 'settlement.task.failed'; readonly task: string; readonly reason: string }

  /** A webhook was tried, for the only time. The target's URL may hold a secret, and is not told. */
  | {
      readonly event: 'webhook.sent'
      readonly partnerId: string
      /** Null of one that its owner asked for. */
      readonly eventId: number | null
      readonly httpStatus: number | null
      readonly failure: string | null
    }
  /** The rest of a partner's webhooks waits for the next pass. */
  | { readonly event: 'webhook.stuck'; readonly partnerId: string; readonly reason: string }
  /** Secrets of webhooks are sealed by the current key now; those that no key opens are not. */
  | { readonly event: 'webhooks.resealed'; readonly resealed: number; readonly unreadable: number }

/** What happens at the HTTP edge. Neither query, body, key nor address is in any of it: a query may hold a quote token. */
export type EdgeEvent =
  | {
      readonly event: 'request'
      readonly requestId: string
      readonly method: string | undefined
      readonly path: string
      readonly operationId: string | null
      /** Null: the caller was gone before the answer began. */
      readonly status: number | null
      readonly ms: number
      readonly tier: string
      readonly aborted?: true
    }
  | { readonly event: 'request.failed'; readonly requestId: string; readonly code: string; readonly reason: string }
  | { readonly event: 'request.refused'; readonly requestId: string; readonly status: number; readonly reason: string }
  | { readonly event: 'connections.refused'; readonly reason: string }
  | { readonly event: 'connection.failed'; readonly reason: string }
  | {
      readonly event: 'contract.mismatch'
      readonly requestId: string
      readonly operationId: string
      readonly status: number
      readonly problems: readonly string[]
    }

/** What happens to the log itself. */
export type LogEvent = { readonly event: 'log.dropped'; readonly lines: number }

/** Every event the engine reports. */
export type EngineEvent = ServiceEvent | (RequestEvent & { readonly requestId: string })

/** Every event there is. The names and fields of the log lines live here and nowhere else. */
export type AnyEvent = EngineEvent | EdgeEvent | LogEvent

export type Level = 'debug' | 'info' | 'warn' | 'error'

const callLevel = ({ call, outcome }: Extract<AnyEvent, { event: 'venue.call' }>): Level => {
  if (call === 'prices' || outcome === 'unwilling') return 'debug'
  if (call === 'quote') return 'info'
  return outcome === 'answer' || outcome === 'skipped' ? 'debug' : 'warn'
}

/** How loud each event is. */
const LEVELS: { readonly [E in AnyEvent as E['event']]: Level | ((event: E) => Level) } = {
  'venue.call': callLevel,
  'venue.noticed': 'warn',
  'venue.health': 'info',
  'venue.off': 'warn',
  'chain.health': 'info',
  'ledger.proved': ({ balanced }) => (balanced ? 'info' : 'error'),
  'ledger.mismatch': 'error',
  'ledger.unproved': 'warn',
  'chain.unread': 'warn',
  'webhook.sent': ({ httpStatus }) => (httpStatus !== null && httpStatus < 300 ? 'info' : 'warn'),
  'webhook.stuck': 'error',
  'webhooks.resealed': ({ unreadable }) => (unreadable > 0 ? 'error' : 'info'),
  'quote.served': 'info',
  'swap.executed': 'info',
  'swap.tracked': 'info',
  'payload.refused': 'warn',
  'payment.refused': 'info',
  'signature.submitted': 'info',
  'transaction.submitted': ({ outcome }) => (outcome === 'uncertain' ? 'warn' : 'info'),
  'store.failed': ({ isDefect }) => (isDefect ? 'error' : 'warn'),
  'settlement.pass': ({ looked, abandoned }) => (looked + abandoned > 0 ? 'info' : 'debug'),
  'settlement.failed': 'error',
  'settlement.stopped': 'warn',
  'settlement.task.failed': 'error',
  request: 'info',
  'request.failed': 'error',
  'request.refused': 'info',
  'connections.refused': 'warn',
  'connection.failed': 'info',
  'contract.mismatch': 'error',
  'log.dropped': 'warn',
}

export const levelOf = (event: AnyEvent): Level => {
  const level = LEVELS[event.event] as Level | ((event: AnyEvent) => Level)
  return typeof level === 'function' ? level(event) : level
}

/** Where engine events go. Must not throw. */
export type Observe = (event: EngineEvent) => void

/** Where the edge's events go. Must not throw. */
export type ObserveEdge = (event: EdgeEvent) => void

/** Where the events of one request go. Must not throw. */
export type ObserveRequest = (event: RequestEvent) => void
