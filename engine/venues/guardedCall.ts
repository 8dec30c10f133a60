import type { Caller } from '../core/caller.ts'
import type { Offer, VenueId } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { Attempt, Breaker, Urgency, Verdict } from '../net/breaker.ts'
import type { CallBudget, LeftOut } from '../net/callBudget.ts'
import type { CallUser } from '../net/callWindow.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import { type Exchange, recordExchanges } from '../net/exchanges.ts'
import { pause } from '../net/pause.ts'
import type { ObserveRequest, RequestEvent, VenueCall, VenueOutcome } from '../observe/observe.ts'
import type { RoutePauses } from './routePauses.ts'
import type { Venue } from './venue.ts'
import { VenueError } from './venueError.ts'
import { asVenueError, LEFT_ALONE, NotAwaited, outcomeOf, verdictOf } from './venueOutcome.ts'

/** What a call of a venue knows of the request it is made for. */
export type Calling = {
  readonly observe: ObserveRequest
  /** Whom the call is counted as; left out for what the service does of its own accord. */
  readonly client?: string
  /** Whom the breaker counts it as; left out: the client. */
  readonly countedAs?: string
  /** Nothing known can answer instead: the call is sent although it failed before, unless it can wait. */
  readonly isNeeded?: true
  /** Whose part of the venue's limits it uses; left out: an anonymous caller's. */
  readonly caller?: Caller
  /** Nobody waits for the answer. Left out: somebody does. */
  readonly canWait?: true
}

/** A call whose caller keeps the time: its signal aborts with NotAwaited, or with the VenueError that it ends with. */
export type TimedCalling = Calling & { readonly signal: AbortSignal }

/** How a quote ended. `skipped`: the venue's breaker is open. `cut`: it was not awaited. */
export type QuoteAnswer =
  | { readonly result: 'offer'; readonly offer: Offer }
  | { readonly result: 'error'; readonly error: VenueError }
  | { readonly result: 'skipped' }
  /** `isSlow`: others answered in time. */
  | { readonly result: 'cut'; readonly isSlow: boolean }

/** What the service does of its own accord is counted as a client of its own. */
export const SERVICE = 'the service'

export const userOf = ({ client = SERVICE, caller }: Calling): CallUser => ({
  tier: caller?.tier ?? 'anonymous',
  partnerId: caller?.partnerId ?? null,
  client,
})

const LEFT_OUT: { readonly [why in LeftOut]: string } = {
  limit: 'not asked: its limit is used up',
  misses: 'not asked: too many asks ended without an offer',
  pause: 'not asked: it wants a pause',
}

const leftOutError = (why: LeftOut): VenueError =>
  new VenueError('rateLimited', LEFT_OUT[why], { nature: why === 'pause' ? 'notSent' : 'ownLimit' })

/** Runs work under a deadline, in ms. Throws VenueError only; and NotAwaited when `left` aborts, where it is given. */
export const callWithin = async <T>(ms: number, call: (signal: AbortSignal) => Promise<T>, left?: AbortSignal): Promise<T> => {
  try {
    return await withDeadline(ms, (signal) => untilAborted(call(signal), signal), left)
  } catch (error) {
    throw left?.aborted ? LEFT_ALONE : asVenueError(error)
  }
}

/** What stands between the engine and one venue. */
export type Gate = { readonly id: VenueId; readonly breaker: Breaker; readonly budget: CallBudget }

/** True: the venue refused the call for its number, and is left alone for a while. */
const heedLimit = (budget: CallBudget, client: string, error: unknown): boolean => {
  if (!(error instanceof VenueError && error.kind === 'rateLimited' && error.isSent)) return false
  budget.refused(client, error.retryAfterMs)
  return true
}

/** Counts the requests of a call that is made in any case. The first was counted when the call was admitted. */
export const countRequests = (budget: CallBudget, user: CallUser): (() => void) => {
  let isFirst = true
  return () => {
    if (!isFirst) budget.spend(user)
    isFirst = false
  }
}

/** What the end of one call teaches: the breaker, and the limiter where the venue asks for a pause. Null: an answer. */
const learn = (gate: Gate, attempt: Attempt, client: string, error: unknown): Verdict => {
  const verdict = error === null ? 'answer' : verdictOf(error)
  attempt.end(verdict)
  if (!heedLimit(gate.budget, client, error) && verdict === 'answer') gate.budget.accepted(client)
  return verdict
}

/** The event of one call, from its beginning. */
const startEvent = (venue: VenueId, call: VenueCall, waitedMs = 0) => {
  const startedAt = performance.now()
  return (outcome: VenueOutcome, error: VenueError | null = null): RequestEvent => ({
    event: 'venue.call',
    venue,
    call,
    outcome,
    ...(waitedMs > 0 ? { waitedMs: Math.round(waitedMs) } : {}),
    ...(error === null ? {} : { kind: error.kind, reason: error.message }),
    ...(error?.nature === 'unexplained' ? { unexplained: true } : {}),
    elapsedMs: Math.round(performance.now() - startedAt),
  })
}

export type GuardedCall = {
  readonly call: Exclude<VenueCall, 'quote' | 'prices' | 'reach'>
  readonly deadlineMs: number
  /** See Breaker. What must be made does not heed the limiter either. */
  readonly urgency: Urgency
}

/** How often what a venue leaves for asks that can wait is looked at. */
const SPARE_CHECK_MS = 250

/** Why a call must not be made now, null where it may; and how long it was held back until then. */
type Admitted = { readonly leftOut: LeftOut | null; readonly waitedMs: number }

/** Counts a status ask that can wait, once there is room for it. Throws NotAwaited when its caller has left. */
const takeSpare = async (budget: CallBudget, client: string, signal: AbortSignal | undefined): Promise<Admitted> => {
  let askedAt: number | null = null
  for (;;) {
    const leftOut = budget.takeStatus(client)
    if (leftOut === null || leftOut === 'pause') return { leftOut, waitedMs: askedAt === null ? 0 : performance.now() - askedAt }
    askedAt ??= performance.now()
    await pause(SPARE_CHECK_MS, signal)
    if (signal?.aborted) throw LEFT_ALONE
  }
}

const admit = async (
  { budget }: Gate,
  { urgency }: GuardedCall,
  { client = SERVICE, canWait, signal }: Calling & Partial<TimedCalling>,
): Promise<Admitted> => {
  if (urgency !== 'must' && canWait) return takeSpare(budget, client, signal)
  return { leftOut: urgency !== 'must' && budget.isPausing(client) ? 'pause' : null, waitedMs: 0 }
}

/**
 * Makes one call, and tells of it as one event. Throws VenueError only; and NotAwaited when its caller has left, which proves
 * nothing of the venue. What must be made is made for a caller who has left, too.
 */
export const guardedCall = async <T>(
  gate: Gate,
  guarded: GuardedCall,
  calling: Calling & Partial<TimedCalling>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { call, deadlineMs, urgency } = guarded
  const { observe, client = SERVICE, countedAs = client, isNeeded, canWait, signal } = calling
  const { leftOut, waitedMs } = await admit(gate, guarded, calling)
  const eventOf = startEvent(gate.id, call, waitedMs)
  const refuse = (error: VenueError): never => {
    observe(eventOf('skipped', error))
    throw error
  }
  if (leftOut !== null) return refuse(leftOutError(leftOut))
  const attempt = gate.breaker.begin(call, countedAs, isNeeded && !canWait ? 'must' : urgency)
  if (attempt === null) return refuse(new VenueError('unavailable', 'not asked: it kept failing', { nature: 'notSent' }))
  const end = (error: unknown) =>
    gate.breaker.count(call, countedAs, learn(gate, attempt, client, error), false, attempt.startedAt)
  try {
    const answer = await callWithin(deadlineMs, work, urgency === 'must' ? undefined : signal)
    end(null)
    observe(eventOf('answer'))
    return answer
  } catch (thrown) {
    const error = thrown instanceof NotAwaited ? thrown : asVenueError(thrown)
    end(error)
    observe(error instanceof NotAwaited ? eventOf('cut') : eventOf(outcomeOf(error), error))
    throw error
  }
}

/** Asks for one offer, and holds it to `accept`. Never rejects. */
export const guardedQuote = async (
  gate: Gate & { readonly pauses: RoutePauses },
  calling: TimedCalling,
  ask: { readonly quote: Venue['quote']; readonly asked: VenueOrder; readonly accept: (offer: Offer) => Promise<Offer> },
): Promise<QuoteAnswer> => {
  const { breaker, budget, pauses } = gate
  const { input, output } = ask.asked
  const { signal } = calling
  const user = userOf(calling)
  const { client } = user
  const leftOut = budget.take(user)
  if (leftOut !== null) return { result: 'error', error: leftOutError(leftOut) }
  const isPaused = pauses.isPaused(input.chainId, output.chainId, client)
  const attempt = isPaused ? null : breaker.begin('quote', client, 'mayTry')
  if (attempt === null) {
    budget.giveBack(user)
    return { result: 'skipped' }
  }
  const exchanges: Exchange[] = []
  try {
    const work = () => ask.quote(ask.asked, signal)
    const counted = recordExchanges(exchanges, work, () => {
      const noRoom = budget.send(user)
      if (noRoom !== null) throw leftOutError(noRoom)
    })
    const offer = await ask.accept(await untilAborted(counted, signal))
    learn(gate, attempt, client, null)
    return { result: 'offer', offer }
  } catch (thrown) {
    budget.miss(user)
    const ended = signal.aborted && !(thrown instanceof VenueError) ? signal.reason : thrown
    const error = ended instanceof NotAwaited ? ended : asVenueError(ended)
    learn(gate, attempt, client, error)
    if (error instanceof VenueError && error.kind === 'rejected') error.exchanges = exchanges
    return error instanceof NotAwaited ? { result: 'cut', isSlow: error.wasSlow } : { result: 'error', error }
  } finally {
    budget.giveBack(user, true)
  }
}

/**
 * Looks something up in what the venue publishes; null where the venue has nothing, is in trouble, or wants a pause. An answer may
 * come from the adapter's memory, and so proves nothing; a failure counts beside those of the quotes.
 */
export const guardedLookup = async <T>(
  { id, breaker, budget }: Gate,
  call: 'prices' | 'reach',
  { observe, client = SERVICE, signal }: TimedCalling,
  lookUp: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null> => {
  if (budget.isPausing(client)) return null
  const attempt = breaker.begin('quote', client, 'onlyIfClosed')
  if (attempt === null) return null
  const eventOf = startEvent(id, call)
  try {
    const found = await untilAborted(lookUp(signal), signal)
    attempt.end('nothing')
    observe(eventOf('answer'))
    return found
  } catch (thrown) {
    const error = signal.aborted ? null : asVenueError(thrown)
    const verdict = error === null ? 'nothing' : verdictOf(error)
    attempt.end(verdict === 'answer' ? 'nothing' : verdict)
    heedLimit(budget, client, error)
    observe(error === null ? eventOf('cut') : eventOf(outcomeOf(error), error))
    return null
  }
}
