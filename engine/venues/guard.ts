import type { Asset } from '../core/asset.ts'
import type { Binding, Execution, PayloadClaims } from '../core/execution.ts'
import type { Offer } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../core/swap.ts'
import type { Attempt, Breaker, Trouble, Urgency, Verdict } from '../net/breaker.ts'
import type { CallBudget, LeftOut } from '../net/callBudget.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import type { ObserveRequest, VenueCall, VenueOutcome } from '../observe/observe.ts'
import { createLastWord } from './lastWord.ts'
import type { SignedPayload, StatusTracker, Venue, VenueProfile } from './venue.ts'
import { VenueError } from './venueError.ts'

/** What a call of a venue knows of the request it is made for. */
export type Calling = {
  readonly observe: ObserveRequest
  /** Whom the call is counted as; left out for what the service does of its own accord. */
  readonly client?: string
}

/** A call whose caller keeps the time: aborted with NotAwaited, or with the VenueError that it ends with. */
export type TimedCalling = Calling & { readonly signal: AbortSignal }

/** Why nobody waits for a call any more. */
export class NotAwaited extends Error {
  /** True: others answered in time. False: it proves nothing of the venue. */
  readonly wasSlow: boolean
  constructor(wasSlow: boolean) {
    super('not awaited')
    this.wasSlow = wasSlow
  }
}

/** How a quote ended. `skipped`: the venue's breaker is open. `cut`: it was not awaited. */
export type QuoteAnswer =
  | { readonly result: 'offer'; readonly offer: Offer }
  | { readonly result: 'error'; readonly error: VenueError }
  | { readonly result: 'skipped' }
  | { readonly result: 'cut' }

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
  /**
   * Never rejects. `accept` holds the offer to the engine's own rules: what it throws counts as the venue's answer. Told as
   * `venue.call` by the race, which knows what became of the offer.
   */
  quote(asked: VenueOrder, accept: (offer: Offer) => Offer, calling: TimedCalling): Promise<QuoteAnswer>
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
    track(ref: string, swap: Parameters<StatusTracker['track']>[1], calling: Calling): ReturnType<StatusTracker['track']>
  } | null
  readonly prices: {
    /** See PriceFeed. Null too where the venue is in trouble. */
    usd(asset: Asset, calling: TimedCalling): Promise<string | null>
  } | null
}

/**
 * How long each call may take, in ms. Building may ask the venue for a fresh price and a deposit address; a decoder may
 * read the venue's published lists, and reads them from memory as a rule.
 */
const DEADLINES_MS = { execute: 10_000, submit: 10_000, track: 8_000, decode: 5_000 } as const

/** What the service does of its own accord is counted as a client of its own. */
const SERVICE = 'the service'

const LEFT_OUT: { readonly [why in LeftOut]: string } = {
  limit: 'not asked: its limit is used up',
  misses: 'not asked: too many asks ended without an offer',
  pause: 'not asked: it wants a pause',
}

const asVenueError = (error: unknown, ms: number | null): VenueError => {
  if (error instanceof VenueError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new VenueError('timeout', ms === null ? 'no answer in time' : `no answer within ${ms} ms`, { cause: error })
  return new VenueError('badResponse', 'the adapter failed', { cause: error })
}

/** What an error says of the venue. A considered refusal is an answer, whatever is refused; and so is a limit. */
export const verdictOf = (error: unknown): Verdict => {
  if (error instanceof NotAwaited) return error.wasSlow ? 'cut' : 'nothing'
  if (!(error instanceof VenueError)) return 'nothing'
  if (error.nature === 'keyRefused') return 'keyRefused'
  return error.isTrouble && error.nature !== 'unexplained' ? 'failure' : 'answer'
}

/** How an error is told in the log. */
export const outcomeOf = ({ kind, nature, isTrouble }: VenueError): VenueOutcome => {
  if (nature === 'notSent') return 'skipped'
  return kind === 'timeout' ? 'timeout' : isTrouble ? 'failure' : 'decline'
}

const callWithin = async <T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  try {
    return await withDeadline(ms, (signal) => untilAborted(call(signal), signal))
  } catch (error) {
    throw asVenueError(error, ms)
  }
}

export type GuardPorts = { readonly isEnabled: boolean; readonly breaker: Breaker; readonly budget: CallBudget }

/** The one door to a venue. */
export const guard = (venue: Venue, { isEnabled, breaker, budget }: GuardPorts): GuardedVenue => {
  const { profile, submitter, tracker, prices } = venue
  const lastWord = createLastWord(profile.limits?.statusIntervalMs ?? null)

  /** What one call taught us: for the breaker, and for the pause that a venue asks for. */
  const learn = (attempt: Attempt, client: string, error: unknown): void => {
    const verdict = error === null ? 'answer' : verdictOf(error)
    attempt.end(verdict)
    if (error instanceof VenueError && error.kind === 'rateLimited') budget.refused(client, error.retryAfterMs)
    else if (verdict === 'answer') budget.accepted(client)
  }

  /** Leaves the call to `work`, and tells of it. `urgency`: see Breaker. */
  const call = async <T>(
    name: Exclude<VenueCall, 'quote' | 'prices'>,
    { observe, client = SERVICE }: Calling,
    urgency: Urgency,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const startedAt = performance.now()
    const tell = (outcome: VenueOutcome, error?: VenueError) =>
      observe({
        event: 'venue.call',
        venue: profile.id,
        call: name,
        outcome,
        ...(error ? { kind: error.kind, reason: error.message } : {}),
        elapsedMs: Math.round(performance.now() - startedAt),
      })
    const refuse = (kind: 'unavailable' | 'rateLimited', why: string): never => {
      const error = new VenueError(kind, why, { nature: 'notSent' })
      tell('skipped', error)
      throw error
    }
    if (urgency !== 'must' && budget.isPausing(client)) return refuse('rateLimited', LEFT_OUT.pause)
    const attempt = breaker.begin(name, client, urgency)
    if (attempt === null) return refuse('unavailable', 'not asked: it kept failing')
    try {
      const answer = await callWithin(DEADLINES_MS[name], work)
      learn(attempt, client, null)
      tell('answer')
      return answer
    } catch (thrown) {
      const error = asVenueError(thrown, null)
      learn(attempt, client, error)
      tell(outcomeOf(error), error)
      throw error
    }
  }

  const quote: GuardedVenue['quote'] = async (asked, accept, { client = SERVICE, signal }) => {
    const leftOut = budget.take(client)
    if (leftOut !== null) return { result: 'error', error: new VenueError('rateLimited', LEFT_OUT[leftOut], { nature: 'notSent' }) }
    const attempt = breaker.begin('quote', client, 'mayTry')
    if (attempt === null) {
      budget.giveBack(client)
      return { result: 'skipped' }
    }
    try {
      const offer = accept(await untilAborted(venue.quote(asked, signal), signal))
      learn(attempt, client, null)
      return { result: 'offer', offer }
    } catch (thrown) {
      const error = signal.aborted && !(thrown instanceof VenueError) ? signal.reason : thrown
      budget.miss(client)
      if (error instanceof NotAwaited) {
        learn(attempt, client, error)
        return { result: 'cut' }
      }
      const failure = asVenueError(error, null)
      learn(attempt, client, failure)
      return { result: 'error', error: failure }
    }
  }

  /** An answer may come from the adapter's memory, and so proves nothing; a failure counts beside the quotes'. */
  const usd = async (asset: Asset, { client = SERVICE, signal, observe }: TimedCalling): Promise<string | null> => {
    const attempt = prices && breaker.begin('quote', client, 'onlyIfClosed')
    if (!prices || !attempt) return null
    const startedAt = performance.now()
    let error: VenueError | null = null
    let price: string | null = null
    try {
      price = await untilAborted(prices.usd(asset, signal), signal)
    } catch (thrown) {
      error = signal.aborted ? null : asVenueError(thrown, null)
    }
    const verdict = error === null ? 'nothing' : verdictOf(error)
    attempt.end(verdict === 'answer' ? 'nothing' : verdict)
    observe({
      event: 'venue.call',
      venue: profile.id,
      call: 'prices',
      outcome: error !== null ? outcomeOf(error) : signal.aborted ? 'cut' : 'answer',
      ...(error === null ? {} : { kind: error.kind, reason: error.message }),
      elapsedMs: Math.round(performance.now() - startedAt),
    })
    return price
  }

  return {
    profile,
    isEnabled,
    get trouble() {
      return breaker.trouble
    },
    quote,
    execute: (sealed, binding, calling) => {
      budget.spend(calling.client ?? SERVICE)
      return call('execute', calling, 'must', (signal) => venue.execute(sealed, binding, signal))
    },
    proved: (isProved, { client = SERVICE }) => breaker.begin('proof', client, 'must')?.end(isProved ? 'answer' : 'failure'),
    decode: (execution) => callWithin(DEADLINES_MS.decode, () => venue.decode(execution)),
    submitter: submitter && {
      submit: (swap, signed, calling) =>
        call('submit', calling, 'must', (signal) => submitter.submit(swap, signed, signal)),
    },
    tracker: tracker && {
      track: (ref, swap, calling) =>
        lastWord(ref, swap, () => call('track', calling, 'mayTry', (signal) => tracker.track(ref, swap, signal))),
    },
    prices: prices && { usd },
  }
}
