import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Binding, Execution, PayloadClaims } from '../core/execution.ts'
import type { Offer } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../core/swap.ts'
import type { Breaker, Trouble } from '../net/breaker.ts'
import type { CallBudget } from '../net/callBudget.ts'
import {
  type Calling,
  callWithin,
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
import type { ListedPrice, SignedPayload, StatusTracker, Venue, VenueProfile } from './venue.ts'

/**
 * A venue as the engine calls it: every call goes through its breaker, its limits and a deadline, throws VenueError only,
 * whatever the adapter throws and even where it ignores its signal, and is told as one `venue.call`.
 */
export interface GuardedVenue {
  readonly profile: VenueProfile
  /** False: it is given no new swaps. Those it has are followed all the same. */
  readonly isEnabled: boolean
  /** What its last calls met; null when the last of them was answered. */
  readonly trouble: Trouble | null
  /** Nobody's quotes are sent to it now. */
  readonly isResting: boolean
  /**
   * Never rejects. `accept` holds the offer to the engine's own rules: what it throws counts as the venue's answer. Told as
   * `venue.call` by the race, which knows what became of the offer.
   */
  quote(asked: VenueOrder, accept: (offer: Offer) => Promise<Offer>, calling: TimedCalling): Promise<QuoteAnswer>
  /** Sent whatever breaker and limits say: somebody has decided on this swap. */
  execute(sealed: SealedOffer, binding: Binding, calling: Calling): Promise<Execution>
  /** Tells what the payload proof made of an execution: a payload that is not what was quoted is trouble like any other. */
  proved(isProved: boolean, calling: Calling): void
  /** See Venue.decode. Asks nothing of the venue but lists it publishes, and so tells nothing of its health. */
  decode(execution: Execution): Promise<PayloadClaims>
  readonly submitter: {
    /** Sent in any case, like `execute`. */
    submit(swap: ExecutedSwap, signed: SignedPayload, calling: Calling): Promise<{ readonly statusRef: string }>
  } | null
  readonly tracker: {
    /** Throws NotAwaited when the caller's signal aborts. */
    track(ref: string, swap: Parameters<StatusTracker['track']>[1], calling: TimedCalling): ReturnType<StatusTracker['track']>
  } | null
  /** See Venue. Neither asks anything of the venue. */
  readonly events: Venue['events']
  readonly unfilled: Venue['unfilled']
  readonly prices: {
    /** See PriceFeed. Null too where the venue is in trouble, or wants a pause. */
    usd(asset: Asset, calling: TimedCalling): Promise<ListedPrice | null>
  } | null
  readonly bitcoinReach: {
    /** See BitcoinReach. Null where the venue is in trouble, or wants a pause. */
    tokens(chainId: ChainId, calling: TimedCalling): Promise<readonly Address[] | null>
  } | null
}

/**
 * How long each call may take, and whether it is made at any price. Building may ask the venue for a fresh price and a
 * deposit address. A quote's time is the race's.
 */
const CALLS = {
  execute: { call: 'execute', deadlineMs: 10_000, urgency: 'must' },
  submit: { call: 'submit', deadlineMs: 10_000, urgency: 'must' },
  track: { call: 'track', deadlineMs: 8_000, urgency: 'mayTry' },
} as const satisfies Record<string, GuardedCall>

/** A decoder may read the venue's published lists, and reads them from memory as a rule. */
const DECODE_MS = 5_000

export type GuardPorts = {
  readonly isEnabled: boolean
  readonly breaker: Breaker
  readonly budget: CallBudget
  readonly clock: Clock
}

/** The one door to a venue. */
export const guard = (venue: Venue, { isEnabled, breaker, budget, clock }: GuardPorts): GuardedVenue => {
  const { profile, submitter, tracker, events, unfilled, prices, bitcoinReach } = venue
  const gate: Gate = { id: profile.id, breaker, budget }
  const lastWord = createLastWord(profile.limits?.statusIntervalMs ?? null, clock)
  return {
    profile,
    events,
    unfilled,
    isEnabled,
    get trouble() {
      return breaker.trouble
    },
    get isResting() {
      return breaker.isResting
    },
    quote: (asked, accept, calling) =>
      guardedQuote(gate, calling, { quote: (order, signal) => venue.quote(order, signal), asked, accept }),
    execute: (sealed, binding, calling) => {
      budget.spend(userOf(calling))
      return guardedCall(gate, CALLS.execute, calling, (signal) => venue.execute(sealed, binding, signal))
    },
    proved: (isProved, { client = SERVICE }) => breaker.begin('proof', client, 'must')?.end(isProved ? 'answer' : 'failure'),
    decode: (execution) => callWithin(DECODE_MS, () => venue.decode(execution)),
    submitter: submitter && {
      submit: (swap, signed, calling) =>
        guardedCall(gate, CALLS.submit, calling, (signal) => submitter.submit(swap, signed, signal)),
    },
    tracker: tracker && {
      // Whatever was paid meanwhile, it is the same swap.
      track: (ref, { paidBy = [], ...swap }, calling) =>
        lastWord({ ref, swap }, calling.signal, (left) =>
          guardedCall(gate, CALLS.track, { ...calling, signal: left }, async (signal) => {
            const word = await tracker.track(ref, { ...swap, paidBy }, signal)
            if (word.state === 'not_found') budget.missStatus()
            return word
          }),
        ),
    },
    prices: prices && {
      usd: (asset, calling) => guardedLookup(gate, 'prices', calling, (signal) => prices.usd(asset, signal)),
    },
    bitcoinReach: bitcoinReach && {
      tokens: (chainId, calling) => guardedLookup(gate, 'reach', calling, (signal) => bitcoinReach.tokens(chainId, signal)),
    },
  }
}
