import type { Clock } from '../core/clock.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { afterReading } from '../net/afterReading.ts'
import type { LoopWatch } from '../net/loopWatch.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { TimedCalling } from '../venues/guardedCall.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'
import { CUT_AS_SLOW, LEFT_ALONE } from '../venues/venueOutcome.ts'
import { isExecutable } from './executable.ts'
import { checkOffer } from './offerRules.ts'
import { orderFor } from './tolerance.ts'

/**
 * How one venue did. `skipped`: its breaker is open. `cut`: the race was decided before it answered.
 */
export type RaceOutcome =
  | { readonly result: 'offer'; readonly offer: Offer; readonly isExecutable: boolean }
  /** `isLate`: this process was too busy to count the venue as slow. */
  | { readonly result: 'error'; readonly error: VenueError; readonly isLate?: boolean }
  | { readonly result: 'skipped' }
  /** `isSlow`: others answered in time, and this process was not too busy. */
  | { readonly result: 'cut'; readonly isSlow?: boolean }

export type RaceEntry = {
  readonly venue: GuardedVenue
  readonly outcome: RaceOutcome
  readonly elapsedMs: number
  /** By `performance.now()`. */
  readonly startedAt: number
}

export type RaceRules = {
  readonly clock: Clock
  /** The race ends here, whatever happens. */
  readonly deadlineMs: number
  /** The race ends here, or at the first executable offer after it. */
  readonly softDeadlineMs: number
  /** The most a venue's own default tolerance may be, basis points. */
  readonly slippageBpsMaxDefault: number
  /** False for an offer that is known by now to be of no use: it does not end the race. */
  readonly isBelievable: (offer: Offer) => boolean
  /** Checks an offer against reads that must come first; throws VenueError. The race continues; the offer counts afterwards. */
  readonly judge: (offer: Offer, profile: VenueProfile) => Promise<Offer>
  /** Reports whether this process was too busy to count a venue as slow. */
  readonly loopWatch: LoopWatch
  readonly context: CallContext
  /** Ends the race at once: no caller waits for the answer. */
  readonly signal: AbortSignal
}

const ask = async (
  venue: GuardedVenue,
  order: Order,
  calling: TimedCalling,
  { clock, judge, slippageBpsMaxDefault }: RaceRules,
): Promise<RaceOutcome> => {
  const { profile } = venue
  const asked = orderFor(profile, order, slippageBpsMaxDefault)
  const accept = (offer: Offer) => judge(checkOffer({ offer, order, asked, profile, now: clock.now() }), profile)
  const answer = await venue.quote(asked, accept, calling)
  return answer.result === 'offer' ? { ...answer, isExecutable: isExecutable(profile, order) } : answer
}

/**
 * Asks all venues at once and answers with one entry for each, in the order given. Never throws and never outlasts
 * the deadline: a venue that hangs, even one that ignores its signal, costs only itself.
 */
export const race = (venues: readonly GuardedVenue[], order: Order, rules: RaceRules): Promise<readonly RaceEntry[]> =>
  new Promise((resolve) => {
    const { deadlineMs, softDeadlineMs, isBelievable, loopWatch, signal } = rules
    const watch = loopWatch.start()
    const startedAt = performance.now()
    const controller = new AbortController()
    const entries = new Map<GuardedVenue, RaceEntry>()
    let isSoftOver = false

    const elapsedMs = () => Math.round(performance.now() - startedAt)
    const entryOf = (venue: GuardedVenue, outcome: RaceOutcome) => ({ venue, outcome, elapsedMs: elapsedMs(), startedAt })

    const finish = (rest: RaceOutcome, reason: Error) => {
      clearTimeout(hardTimer)
      clearTimeout(softTimer)
      signal.removeEventListener('abort', onCancel)
      watch.end()
      resolve(venues.map((venue) => entries.get(venue) ?? entryOf(venue, rest)))
      controller.abort(reason)
    }
    /** Only a race that others won, and that we followed in time, shows that a venue is slow. */
    const decide = () => {
      const isSlow = isWon() && !watch.wasLate()
      finish({ result: 'cut', isSlow }, isSlow ? CUT_AS_SLOW : LEFT_ALONE)
    }
    const onCancel = () => finish({ result: 'cut' }, LEFT_ALONE)
    const onHard = () => {
      if (controller.signal.aborted) return
      const error = new VenueError('timeout', `no answer within ${deadlineMs} ms`)
      const isLate = watch.wasLate()
      finish({ result: 'error', error, isLate }, isLate ? LEFT_ALONE : error)
    }
    const isWinnable = ({ outcome }: RaceEntry): boolean =>
      outcome.result === 'offer' && outcome.isExecutable && isBelievable(outcome.offer)
    const isWon = () => isSoftOver && [...entries.values()].some(isWinnable)
    const onSoft = () => {
      isSoftOver = true
      if (isWon() && !controller.signal.aborted) decide()
    }
    const onAnswer = (venue: GuardedVenue, outcome: RaceOutcome) => {
      if (controller.signal.aborted) return
      entries.set(venue, entryOf(venue, outcome))
      if (entries.size === venues.length || isWon()) decide()
    }

    const hardTimer = setTimeout(() => afterReading(onHard), deadlineMs)
    const softTimer = setTimeout(() => afterReading(onSoft), softDeadlineMs)
    if (venues.length === 0 || signal.aborted) return decide()
    signal.addEventListener('abort', onCancel, { once: true })
    const calling: TimedCalling = { ...rules.context, signal: controller.signal }
    for (const venue of venues) void ask(venue, order, calling, rules).then((outcome) => onAnswer(venue, outcome))
  })
