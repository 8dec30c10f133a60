import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Binding, Execution, PayloadClaims } from '../core/execution.ts'
import type { Offer } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../core/swap.ts'
import type { Breaker, Trouble, Verdict } from '../net/breaker.ts'
import type { CallBudget } from '../net/callBudget.ts'
import { type Exchange, recordExchanges } from '../net/exchanges.ts'
import type { AnswerBook } from './answerBook.ts'
import {
  type Calling,
  callWithin,
  countRequests,
  type Gate,
  type GuardedCall,
  guardedCall,
  guardedLookup,
  guardedQuote,
  type QuoteAnswer,
  SERVICE,
  type TimedCalling,
  userOf,
} from './guardedCall.ts'
import { createLastWord } from './lastWord.ts'
import { createRoutePauses, type RoutePauses } from './routePauses.ts'
import type { ListedPrice, SignedPayload, StatusTracker, Venue, VenueProfile } from './venue.ts'
import { VenueError } from './venueError.ts'

/**
 * A venue as the engine calls it. Every call passes the breaker, the limits and a deadline, throws VenueError only, and is
 * reported as one `venue.call`. This holds even where the adapter throws another error or ignores its signal.
 */
export interface GuardedVenue {
  readonly profile: VenueProfile
  /** False: the venue receives no new swaps. Its existing swaps are still followed. */
  readonly isEnabled: boolean
  /** The error of the last call; null when the venue answered it. */
  readonly trouble: Trouble | null
  /** The kinds of calls that fail: `quote`, `execute`, `submit`, `status`. */
  readonly failing: readonly string[]
  /** True while the breaker sends the venue no quotes. */
  readonly isResting: boolean
  /** Answers by their outcome. Executes and statuses record themselves; the race records quotes, because it judges offers. */
  readonly answers: AnswerBook
  /**
   * Never rejects. `accept` applies the engine's own rules: its error counts as the venue's answer. The race reports the
   * `venue.call`, because the race decides about the offer.
   */
  quote(asked: VenueOrder, accept: (offer: Offer) => Promise<Offer>, calling: TimedCalling): Promise<QuoteAnswer>
  /**
   * Counts a quote for all clients. The race calls it. `isShared`: the same request failed at several venues, so the request may
   * be the cause.
   */
  countQuote(client: string, verdict: Verdict, isShared: boolean, startedAt: number): void
  /** Reports a change of health that only the passing of time caused. */
  reportHealth(): void
  /** Sent regardless of breaker and limits, because the caller has chosen this swap. */
  execute(sealed: SealedOffer, binding: Binding, calling: Calling): Promise<Execution>
  /**
   * Reports the result of the payload proof. `error`: why the payload is rejected, null when it is proved. Repeated rejections
   * pause new quotes of the same route only, from chain to chain.
   */
  proved(sealed: SealedOffer, error: VenueError | null, calling: Calling, execution?: Execution): void
  /** See Venue.decode. It calls the venue for published lists only, so its result does not count for the venue's health. */
  decode(execution: Execution): Promise<PayloadClaims>
  readonly submitter: {
    /** Sent regardless of breaker and limits, like `execute`. */
    submit(swap: ExecutedSwap, signed: SignedPayload, calling: Calling): Promise<{ readonly statusRef: string }>
  } | null
  readonly tracker: {
    /** Throws NotAwaited when the caller's signal aborts. */
    track(ref: string, swap: Parameters<StatusTracker['track']>[1], calling: TimedCalling): ReturnType<StatusTracker['track']>
  } | null
  /** See Venue. Neither calls the venue. */
  readonly events: Venue['events']
  readonly unfilled: Venue['unfilled']
  readonly pins: Venue['pins']
  readonly prices: {
    /** See PriceFeed. Null also while the venue is failing or asked for a pause. */
    usd(asset: Asset, calling: TimedCalling): Promise<ListedPrice | null>
  } | null
  readonly bitcoinReach: {
    /** See BitcoinReach. Null while the venue is failing or asked for a pause. */
    tokens(chainId: ChainId, calling: TimedCalling): Promise<readonly Address[] | null>
  } | null
}

/**
 * Deadline and urgency of each call. Building may ask the venue for a fresh price and a deposit address. The race limits the time
 * of a quote.
 */
const CALLS = {
  execute: { call: 'execute', deadlineMs: 10_000, urgency: 'must' },
  submit: { call: 'submit', deadlineMs: 10_000, urgency: 'must' },
  track: { call: 'track', deadlineMs: 8_000, urgency: 'mayTry' },
} as const satisfies Record<string, GuardedCall>

/** A decoder may read the venue's published lists, mostly from the cache. */
const DECODE_MS = 5_000

export type GuardPorts = {
  readonly isEnabled: boolean
  readonly breaker: Breaker
  /** For status calls: quotes continue while statuses fail. */
  readonly statusBreaker: Breaker
  readonly reportHealth: () => void
  readonly answers: AnswerBook
  readonly budget: CallBudget
  readonly clock: Clock
  /** Ms, never running backwards. */
  readonly monotonic: () => number
}

/** Runs a call and collects its exchanges. A VenueError is recorded before it is thrown. */
const reporting = async <T>(
  record: (error: VenueError) => void,
  exchanges: Exchange[],
  call: () => Promise<T>,
  onRequest?: () => void,
): Promise<T> => {
  try {
    return await recordExchanges(exchanges, call, onRequest)
  } catch (error) {
    if (error instanceof VenueError) record(error)
    throw error
  }
}

/** Records the outcome of an execution. Only a rejection by our checks pauses its route. */
const createExecutionRecord =
  (answers: AnswerBook, pauses: RoutePauses) =>
  ({ order }: SealedOffer, client: string, error: VenueError | null, exchanges?: readonly Exchange[]): void => {
    const { input, output } = order
    if (error === null) pauses.proved(input.chainId, output.chainId, client)
    else if (error.kind === 'rejected') pauses.rejected(input.chainId, output.chainId, client)
    answers.record({ call: 'execute', client, order }, error, exchanges)
  }

/** The only access to a venue. */
export const guard = (venue: Venue, ports: GuardPorts): GuardedVenue => {
  const { isEnabled, breaker, statusBreaker, reportHealth, answers, budget, clock, monotonic } = ports
  const { profile, submitter, tracker, events, unfilled, pins, prices, bitcoinReach } = venue
  const gate: Gate = { id: profile.id, breaker, budget }
  const lastWord = createLastWord(profile.limits?.statusIntervalMs ?? null, clock)
  const pauses = createRoutePauses(monotonic)
  const exchangesOf = new WeakMap<Execution, readonly Exchange[]>()
  const recordExecution = createExecutionRecord(answers, pauses)
  return {
    profile,
    events,
    unfilled,
    pins,
    isEnabled,
    answers,
    get trouble() {
      return breaker.trouble ?? statusBreaker.trouble
    },
    get failing() {
      return [...breaker.failing, ...statusBreaker.failing].map((call) => (call === 'track' ? 'status' : call))
    },
    get isResting() {
      return breaker.isResting
    },
    quote: (asked, accept, calling) =>
      guardedQuote({ ...gate, pauses }, calling, { quote: (order, signal) => venue.quote(order, signal), asked, accept }),
    countQuote: (client, verdict, isShared, startedAt) => breaker.count('quote', client, verdict, isShared, startedAt),
    reportHealth,
    execute: async (sealed, binding, calling) => {
      const user = userOf(calling)
      budget.spend(user)
      const exchanges: Exchange[] = []
      const record = (error: VenueError) => recordExecution(sealed, calling.client ?? SERVICE, error, exchanges)
      const work = () => guardedCall(gate, CALLS.execute, calling, (signal) => venue.execute(sealed, binding, signal))
      const execution = await reporting(record, exchanges, work, countRequests(budget, user))
      exchangesOf.set(execution, exchanges)
      return execution
    },
    proved: (sealed, error, { client = SERVICE }, execution) =>
      recordExecution(sealed, client, error, execution && exchangesOf.get(execution)),
    decode: (execution) => callWithin(DECODE_MS, () => venue.decode(execution)),
    submitter: submitter && {
      submit: (swap, signed, calling) =>
        guardedCall(gate, CALLS.submit, calling, (signal) => submitter.submit(swap, signed, signal)),
    },
    tracker: tracker && {
      // Payments do not change the swap's identity.
      track: (ref, { paidBy = [], ...swap }, calling) =>
        lastWord({ ref, swap }, calling.signal, async (left) => {
          // Settlement follows many swaps as one client: each swap counts as a caller of its own.
          const { canWait, client } = calling
          const countedAs = canWait || !client ? `swap ${ref}` : client
          const answered = { call: 'status', client: countedAs, order: swap.order } as const
          const exchanges: Exchange[] = []
          const work = () =>
            guardedCall({ ...gate, breaker: statusBreaker }, CALLS.track, { ...calling, countedAs, signal: left }, (signal) =>
              tracker.track(ref, { ...swap, paidBy }, signal),
            )
          const report = await reporting((error) => answers.record(answered, error, exchanges), exchanges, work)
          if (report.state === 'not_found') budget.missStatus()
          else if (exchanges.length > 0) answers.record(answered, null)
          return report
        }),
    },
    prices: prices && {
      usd: (asset, calling) => guardedLookup(gate, 'prices', calling, (signal) => prices.usd(asset, signal)),
    },
    bitcoinReach: bitcoinReach && {
      tokens: (chainId, calling) => guardedLookup(gate, 'reach', calling, (signal) => bitcoinReach.tokens(chainId, signal)),
    },
  }
}
