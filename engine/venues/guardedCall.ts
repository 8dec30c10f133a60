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

/** The request that a venue call is made for. */
export type Calling = {
  readonly observe: ObserveRequest
  /** The client that the call counts for; absent for calls that the service makes on its own. */
  readonly client?: string
  /** The client that the breaker counts; absent: `client`. */
  readonly countedAs?: string
  /** No cached data can replace the answer: the call is sent despite earlier failures, unless it can wait. */
  readonly isNeeded?: true
  /** Whose share of the venue's limits it uses; absent: an anonymous caller's. */
  readonly caller?: Caller
  /** No caller waits for the answer. Absent: a caller waits. */
  readonly canWait?: true
}

/** A call whose caller limits the time. Its signal aborts with NotAwaited, or with the VenueError that ends the call. */
export type TimedCalling = Calling & { readonly signal: AbortSignal }

/** How a quote ended. `skipped`: the venue's breaker is open. `cut`: the race did not await it. */
export type QuoteAnswer =
  | { readonly result: 'offer'; readonly offer: Offer }
  | { readonly result: 'error'; readonly error: VenueError }
  | { readonly result: 'skipped' }
  /** `isSlow`: other venues answered in time. */
  | { readonly result: 'cut'; readonly isSlow: boolean }

/** Calls that the service makes on its own count as one client. */
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

/** The checks between the engine and one venue. */
export type Gate = { readonly id: VenueId; readonly breaker: Breaker; readonly budget: CallBudget }

/** Returns true when the venue rate-limited the call. The budget then pauses calls to the venue. */
const heedLimit = (budget: CallBudget, client: string, error: unknown): boolean => {
  if (!(error instanceof VenueError && error.kind === 'rateLimited' && error.isSent)) return false
  budget.refused(client, error.retryAfterMs)
  return true
}

/** Counts the requests of a call that is always sent. The first was counted when the call was admitted. */
export const countRequests = (budget: CallBudget, user: CallUser): (() => void) => {
  let isFirst = true
  return () => {
    if (!isFirst) budget.spend(user)
    isFirst = false
  }
}

/** Updates the breaker by the end of one call, and the limiter where the venue asks for a pause. `error` null: an answer. */
const learn = (gate: Gate, attempt: Attempt, client: string, error: unknown): Verdict => {
  const verdict = error === null ? 'answer' : verdictOf(error)
  attempt.end(verdict)
  if (!heedLimit(gate.budget, client, error) && verdict === 'answer') gate.budget.accepted(client)
  return verdict
}

/** The event of one call, from its start. */
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
  /** See Breaker. Urgent calls bypass the limiter as well. */
  readonly urgency: Urgency
}

/** How often a call that can wait checks for free budget. */
const SPARE_CHECK_MS = 250

/** `leftOut`: why the call must not be made now, or null. `waitedMs`: how long the call was held back. */
type Admitted = { readonly leftOut: LeftOut | null; readonly waitedMs: number }

/** Counts a status call that can wait, once the budget has room. Throws NotAwaited when its caller has left. */
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
 * Makes one call and reports it as one event. Throws VenueError, or NotAwaited when the caller has left, which counts neither for
 * nor against the venue. Urgent calls run even after the caller has left.
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

/** Requests one offer, and checks it with `accept`. Never rejects. */
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
 * Reads published data of the venue. Returns null where the venue has no data, is failing, or asked for a pause. A success counts
 * for nothing, because the answer may come from the adapter's cache. A failure counts like that of a quote.
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
