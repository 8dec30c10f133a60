import type { ExecutionType, VenueId } from '../core/offer.ts'
import type { SwapPayment } from '../core/payment.ts'
import type { RouteType } from '../core/route.ts'
import type { SwapState } from '../core/swapStatus.ts'
import type { Lead, RunOutcome, ToldRace, ToldRoute } from '../core/toldRace.ts'
import type { ErrorCode } from '../errors.ts'

export type VenueCall = 'quote' | 'execute' | 'submit' | 'track' | 'prices' | 'reach'

/**
 * How a call of a venue ended. `answer`: with the requested data. `unwilling`: not sent, because the venue does not serve the
 * route.
 */
export type VenueOutcome = RunOutcome | 'slow' | 'answer' | 'unwilling'

/** The swap of an event, as far as it is known by then. */
export type SwapMark = {
  readonly quoteId: string
  readonly swapId?: number
  /** Its ref: a deposit address, an order, a transaction. */
  readonly ref?: string | null
}

/** A recorded payment of a swap on a chain, without its recipient. */
export type ToldPayment = {
  readonly kind: SwapPayment['kind']
  readonly chainId: number
  readonly token: string
  readonly txHash: string
  /** Smallest units, as text; null where the chain no longer shows the amount. */
  readonly amount: string | null
  readonly isFinal: boolean
}

/** Events during a request. The code that binds `observe` adds the request and the swap. */
export type RequestEvent =
  /** One per call of a venue, for log and metrics. */
  | {
      readonly event: 'venue.call'
      readonly venue: string
      readonly call: VenueCall
      readonly outcome: VenueOutcome
      /** The venue's error, if any: see VenueErrorKind. */
      readonly kind?: string
      readonly reason?: string
      /** A refusal with an undocumented code: no sign of a failure. */
      readonly unexplained?: true
      /** For a quote: the class of its route, and whether a documented limit of the service rejected it. */
      readonly route?: RouteType
      readonly isNotSold?: true
      readonly elapsedMs: number
      /** How long the venue's limit delayed the call. Absent: no delay. */
      readonly waitedMs?: number
    }
  /** The whole race in one line, which shows why this venue won. */
  | ({
      readonly event: 'quote.served'
      readonly quoteId: string
      readonly venue: VenueId
      readonly executable: boolean
      readonly offers: number
      readonly elapsedMs: number
      /** The part of that without the wait for venues. */
      readonly overheadMs: number
    } & ToldRoute &
      ToldRace &
      Lead)
  /** Why the quote failed: no offer, or an unknown token. */
  | ({ readonly event: 'quote.refused'; readonly code: ErrorCode } & ToldRoute & ToldRace)
  /** The caller left before the quote was ready. */
  | ({ readonly event: 'quote.left' } & ToldRoute)
  | {
      readonly event: 'chain.unread'
      readonly chainId: number
      readonly what: string
      readonly reason: string
    }
  /** A search of a chain ended incomplete, and continues with the next request or pass. */
  | { readonly event: 'search.unfinished'; readonly chainId: number }
  | {
      readonly event: 'swap.executed'
      readonly venue: string
      readonly executionType: ExecutionType
      readonly repeated: boolean
    }
  | { readonly event: 'payload.refused'; readonly venue: string; readonly mismatches: readonly string[] }
  | { readonly event: 'signature.submitted'; readonly venue: string }
  | { readonly event: 'payment.refused'; readonly venue: string; readonly reason: string }
  | {
      readonly event: 'transaction.submitted'
      readonly venue: string
      readonly txHash: string
      /** `landed`: it was in a block already. `uncertain`: the chain was unreachable, and it may have been sent. */
      readonly outcome: 'sent' | 'landed' | 'rejected' | 'uncertain'
    }
  /** One for each settlement step of a swap. */
  | {
      readonly event: 'swap.tracked'
      readonly by: 'status' | 'settlement'
      readonly venue: string
      /** Its earlier state; null for a swap without a record. */
      readonly before: SwapState | null
      readonly state: SwapState
      readonly venueStatus: string | null
      /** All recorded payments; absent where this step did not read them. */
      readonly payments?: readonly ToldPayment[]
    }
  /** A swap reached its first end. `elapsedMs`: since its execution. */
  | { readonly event: 'swap.ended'; readonly venue: string; readonly state: SwapState; readonly elapsedMs: number }
  /** A payment for a call ended. `pending`: its result is still unknown. */
  | {
      readonly event: 'payment.charged'
      /** CAIP-2. */
      readonly network: string
      readonly outcome: 'settled' | 'refused' | 'pending'
    }
  /** `isDefect`: the store works, and the data to write is wrong. */
  | { readonly event: 'store.failed'; readonly reason: string; readonly isDefect?: true }
  /** One for each pass over all due open swaps of partners. */
  | {
      readonly event: 'settlement.pass'
      readonly looked: number
      readonly ended: number
      readonly failed: number
      readonly abandoned: number
      readonly open: number
      readonly oldestMs: number
      readonly elapsedMs: number
      /** Swaps that wait for an unfinished search of a chain. */
      readonly searching: number
      /** Incomplete: the pass was stopped, or took too long, or a venue asked for a pause. */
      readonly isCut: boolean
    }
  /** One swap could not be checked, because the service itself failed. */
  | { readonly event: 'settlement.failed'; readonly swapId: number; readonly venue: string; readonly reason: string }

/** Events outside of requests. */
export type ServiceEvent =
  /** One for each statement to the records, and for each step around them. `failed`: the store failed. */
  | {
      readonly event: 'store.query'
      /** `connect`: no connection was available; `begin`: no transaction was. */
      readonly kind: 'read' | 'write' | 'connect' | 'begin'
      readonly outcome: 'answered' | 'failed'
      readonly elapsedMs: number
    }
  /** One answer of a venue was accepted or rejected: for the metrics. `check`: '' unless it was rejected. */
  | {
      readonly event: 'venue.answer'
      readonly venue: string
      readonly call: string
      readonly outcome: string
      readonly check: string
    }
  /** A check of ours rejects answers of a venue. At most once a minute for each check. */
  | {
      readonly event: 'venue.rejected'
      readonly venue: string
      readonly call: string
      /** `<venue>.<check>`. */
      readonly check: string
      /** The rejected value. */
      readonly found: string
      /** The chains of input and output. */
      readonly chains: readonly number[]
      /** Answers that this check rejected since the last such event. */
      readonly times: number
    }
  /** A rejected answer could not be stored for the operator. */
  | { readonly event: 'venue.sample.lost'; readonly reason: string }
  /** An adapter found a harmless oddity that the operator should see. Not repeated within the hour. */
  | { readonly event: 'venue.noticed'; readonly venue: string; readonly what: string }
  /** One comparison of an adapter's pins with published values. Lists are bounded; `differing`: the previous one found it too. */
  | {
      readonly event: 'venue.pins'
      readonly venue: string
      readonly compared: number
      readonly differing: number
      readonly differences: readonly string[]
      /** Unreadable sources. */
      readonly failures: readonly string[]
    }
  /** Callers were refused at a full queue, within a second. */
  | { readonly event: 'venue.crowded'; readonly venue: string; readonly refused: number; readonly waiting: number }
  /** A chosen venue is off from the start. */
  | { readonly event: 'venue.off'; readonly venue: string; readonly reason: string }
  | { readonly event: 'venue.health'; readonly venue: string; readonly healthy: boolean; readonly reason: string | null }
  /** Whether all bookings balance, checked when the service starts. */
  | { readonly event: 'ledger.proved'; readonly balanced: boolean; readonly entries: number; readonly problems: number }
  | { readonly event: 'ledger.mismatch'; readonly entryId: number | null; readonly key: string; readonly what: string }
  | { readonly event: 'ledger.unproved'; readonly reason: string }
  | {
      readonly event: 'chain.health'
      readonly chainId: number
      /** Its number among the endpoints of the chain, from 1. Never its address, which may hold a key. */
      readonly endpoint: number
      /** The number of its endpoints. */
      readonly endpoints: number
      readonly healthy: boolean
      readonly reason: string | null
    }
  /** An endpoint's newest block is old. `behindMs`: behind other endpoints; behind our clock if all or the only one lag. */
  | {
      readonly event: 'chain.lag'
      readonly chainId: number
      readonly endpoint: number
      readonly endpoints: number
      readonly lagging: boolean
      readonly behindMs: number
    }
  /** For an hour one endpoint has contradicted all others about payments of an address. With two endpoints, both are named. */
  | {
      readonly event: 'chain.contradicted'
      readonly chainId: number
      readonly endpoint: number
      readonly endpoints: number
    }
  /** Sources differ about a token. `isDisputed`: no two agree, so the token is refused for now. */
  | {
      readonly event: 'token.contradicted'
      readonly chainId: number
      readonly token: string
      readonly isDisputed: boolean
      /** The report of each source. */
      readonly sources: string
    }
  /** Whether payments can be verified and settled. `reason`: the operation, and its failure. */
  | { readonly event: 'facilitator.health'; readonly healthy: boolean; readonly reason: string | null }
  /** Whether instances can share state. Reported at the start and at each change; `reason` is a closed word, never an address. */
  | { readonly event: 'redis.health'; readonly healthy: boolean; readonly reason: string | null }
  /** Whether the records can be written and read, at each change. */
  | { readonly event: 'store.health'; readonly healthy: boolean; readonly reason: string | null }
  /** Whether our clock agrees with most chains, at each change. `aheadMs`: negative where it is behind. */
  | { readonly event: 'clock.health'; readonly healthy: boolean; readonly aheadMs: number | null }
  /** Whether this instance should receive requests, at each change. `cause`: the problems that prevent it. */
  | ({ readonly event: 'service.readiness'; readonly ready: boolean } & Record<'cause' | 'problems', readonly string[]>)
  /** A pass over the open swaps ended early: the store failed, or another instance continues it. */
  | { readonly event: 'settlement.stopped'; readonly reason: string }
  | { readonly event: 'settlement.task.failed'; readonly task: string; readonly reason: string }
  /** Swaps that ended long ago were deleted; `file` null: without a copy. */
  | { readonly event: 'swaps.archived'; readonly swaps: number; readonly file: string | null }

  /** A webhook was tried, for the only time. The event omits the target's URL, which may hold a secret. */
  | {
      readonly event: 'webhook.sent'
      readonly partnerId: string
      /** Null for a test that its owner requested. */
      readonly eventId: number | null
      readonly httpStatus: number | null
      readonly failure: string | null
      /** The request that executed the swap, or that requested the test. */
      readonly requestId?: string
      readonly quoteId?: string
      readonly swapId?: number
      readonly ref?: string | null
    }
  /** The rest of a partner's webhooks waits for the next pass. */
  | { readonly event: 'webhook.stuck'; readonly partnerId: string; readonly reason: string }
  /** Webhook secrets are now sealed by the current key, except unreadable ones. */
  | { readonly event: 'webhooks.resealed'; readonly resealed: number; readonly unreadable: number }

/** Events of the HTTP edge, without query, body, key and address: a query may hold a quote token. */
export type EdgeEvent =
  | {
      readonly event: 'request'
      readonly requestId: string
      readonly method: string | undefined
      readonly path: string
      readonly operationId: string | null
      /** Null: the caller left before the answer began. */
      readonly status: number | null
      readonly ms: number
      readonly tier: string
      readonly aborted?: true
      /** The code of the failure envelope, with its `details.reason`. */
      readonly code?: ErrorCode
      readonly reason?: string
      /** See SwapError. */
      readonly isOutage?: true
      readonly traceId?: string
    }
  | {
      readonly event: 'request.failed'
      readonly requestId: string
      readonly code: string
      readonly reason: string
      readonly isOutage?: true
      /** See SwapError. */
      readonly isRetry?: true
    }
  | { readonly event: 'request.refused'; readonly requestId: string; readonly status: number; readonly reason: string }
  | { readonly event: 'connections.refused'; readonly limit: 'address' | 'all'; readonly reason: string }
  /** A limited address names many clients in x-forwarded-for and is no trusted proxy. `private`: it is outside the Internet. */
  | { readonly event: 'proxy.untrusted'; readonly peer: 'private' | 'public' }
  | { readonly event: 'connection.failed'; readonly reason: string }
  /** Requests of one kind were refused at a full queue, within a second. */
  | {
      readonly event: 'overload'
      readonly room: string
      readonly refused: number
      readonly underWay: number
      readonly waiting: number
    }
  | {
      readonly event: 'contract.mismatch'
      readonly requestId: string
      readonly operationId: string
      readonly status: number
      readonly problems: readonly string[]
    }

/** Events of the log itself. */
export type LogEvent = { readonly event: 'log.dropped'; readonly lines: number }

/** Added to every event of a request. */
export type RequestMark = Partial<SwapMark> & { readonly requestId: string; readonly traceId?: string }

/** Every event the engine reports. */
export type EngineEvent = ServiceEvent | (RequestEvent & RequestMark)

/** All events. Only this file defines the names and fields of log lines. */
export type AnyEvent = EngineEvent | EdgeEvent | LogEvent

export type Level = 'debug' | 'info' | 'warn' | 'error'

const callLevel = ({ call, outcome }: Extract<AnyEvent, { event: 'venue.call' }>): Level => {
  // One event reports the result of a quote: quote.served, or quote.refused.
  if (call === 'prices' || call === 'quote') return 'debug'
  return outcome === 'answer' || outcome === 'skipped' ? 'debug' : 'warn'
}

/** The log level of each event. */
const LEVELS: { readonly [E in AnyEvent as E['event']]: Level | ((event: E) => Level) } = {
  'venue.call': callLevel,
  'venue.answer': 'debug',
  'venue.rejected': 'warn',
  'venue.sample.lost': 'warn',
  'venue.noticed': 'warn',
  'venue.pins': ({ differing, failures }) => (differing + failures.length > 0 ? 'warn' : 'info'),
  'venue.crowded': 'warn',
  'venue.health': ({ healthy }) => (healthy ? 'info' : 'warn'),
  'venue.off': 'warn',
  'chain.health': ({ healthy }) => (healthy ? 'info' : 'warn'),
  'chain.contradicted': () => 'warn',
  'chain.lag': ({ lagging }) => (lagging ? 'warn' : 'info'),
  'token.contradicted': 'warn',
  'facilitator.health': ({ healthy }) => (healthy ? 'info' : 'warn'),
  'redis.health': ({ healthy }) => (healthy ? 'info' : 'warn'),
  'store.health': ({ healthy }) => (healthy ? 'info' : 'error'),
  'clock.health': ({ healthy }) => (healthy ? 'info' : 'error'),
  'service.readiness': ({ ready, problems }) => (ready || problems.includes('draining') ? 'info' : 'error'),
  'ledger.proved': ({ balanced }) => (balanced ? 'info' : 'error'),
  'ledger.mismatch': 'error',
  'ledger.unproved': 'warn',
  'chain.unread': 'warn',
  'search.unfinished': 'debug',
  'webhook.sent': ({ httpStatus }) => (httpStatus !== null && httpStatus < 300 ? 'info' : 'warn'),
  'webhook.stuck': 'error',
  'webhooks.resealed': ({ unreadable }) => (unreadable > 0 ? 'error' : 'info'),
  'quote.served': 'info',
  'quote.refused': 'info',
  'quote.left': 'debug',
  'swap.executed': 'info',
  // The job checks every open swap repeatedly.
  'swap.tracked': ({ by, before, state }) => (by === 'settlement' && before === state ? 'debug' : 'info'),
  'swap.ended': 'info',
  'payload.refused': 'warn',
  'payment.refused': 'info',
  'payment.charged': 'info',
  'signature.submitted': 'info',
  'transaction.submitted': ({ outcome }) => (outcome === 'uncertain' ? 'warn' : 'info'),
  'store.query': 'debug',
  'store.failed': ({ isDefect }) => (isDefect ? 'error' : 'warn'),
  'settlement.pass': ({ looked, abandoned }) => (looked + abandoned > 0 ? 'info' : 'debug'),
  'settlement.failed': 'error',
  'settlement.stopped': 'warn',
  'settlement.task.failed': 'error',
  'swaps.archived': 'info',
  // Many at once, each without interest: `overload` summarizes them.
  request: ({ code }) => (code === 'OVERLOADED' ? 'debug' : 'info'),
  'request.failed': ({ isOutage, isRetry }) => (isRetry ? 'info' : isOutage ? 'warn' : 'error'),
  'request.refused': 'info',
  'connections.refused': 'warn',
  'proxy.untrusted': 'warn',
  'connection.failed': 'info',
  overload: 'warn',
  'contract.mismatch': 'error',
  'log.dropped': 'warn',
}

export const levelOf = (event: AnyEvent): Level => {
  const level = LEVELS[event.event] as Level | ((event: AnyEvent) => Level)
  return typeof level === 'function' ? level(event) : level
}

/** The observer of engine events. Must not throw. */
export type Observe = (event: EngineEvent) => void

/** The observer of the edge's events. Must not throw. */
export type ObserveEdge = (event: EdgeEvent) => void

/** The observer of one request's events. Must not throw. */
export type ObserveRequest = (event: RequestEvent & Partial<SwapMark>) => void
