import type { Clock } from '../core/clock.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { type Breaker, BreakerOpen, type Verdict } from '../net/breaker.ts'
import type { CallBudget } from '../net/callBudget.ts'
import { untilAborted } from '../net/deadline.ts'
import type { Venue } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'
import { isExecutable } from './executable.ts'
import { checkOffer } from './offerRules.ts'
import { orderFor } from './tolerance.ts'

/** A venue in the race, with the breaker that guards it and the calls it may be asked. */
export type Runner = { readonly venue: Venue; readonly breaker: Breaker; readonly budget: CallBudget }

/**
 * How one venue did. `skipped`: its breaker is open. `cut`: the race was decided before it answered, which is no fault
 * of the venue.
 */
export type RaceOutcome =
  | { readonly result: 'offer'; readonly offer: Offer; readonly isExecutable: boolean }
  | { readonly result: 'error'; readonly error: VenueError }
  | { readonly result: 'skipped' }
  | { readonly result: 'cut' }

export type RaceEntry = { readonly venue: Venue; readonly outcome: RaceOutcome; readonly elapsedMs: number }

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
  /** Ends the race at once: nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Why a call to a venue was stopped before the deadline. */
class RaceDecided extends Error {}

const asVenueError = (error: unknown, signal: AbortSignal): VenueError => {
  if (error instanceof VenueError) return error
  if (signal.aborted) return new VenueError('timeout', 'cut at the deadline', { cause: error })
  return new VenueError('badResponse', 'the adapter failed', { cause: error })
}

/**
 * Only trouble opens a breaker: a decline is an answer, and so is a limit that our own callers have used up. A race decided
 * early says nothing of the venue.
 */
export const judgeVenue = (error: unknown): Verdict => {
  if (!(error instanceof VenueError)) return 'nothing'
  return error.isTrouble ? 'failure' : 'answer'
}

const ask = async (
  { venue, breaker, budget }: Runner,
  order: Order,
  { clock, slippageBpsMaxDefault, signal }: Pick<RaceRules, 'clock' | 'slippageBpsMaxDefault' | 'signal'>,
): Promise<RaceOutcome> => {
  const isDecided = () => signal.reason instanceof RaceDecided
  // Before the breaker: what we do not ask tells nothing of the venue.
  if (!budget.take())
    return { result: 'error', error: new VenueError('rateLimited', 'not asked: the calls of this minute are used up') }
  try {
    const offer = await breaker.run(async () => {
      try {
        const asked = orderFor(venue.profile, order, slippageBpsMaxDefault)
        const offer = await untilAborted(venue.quote(asked, signal), signal)
        return checkOffer({ offer, order, asked, profile: venue.profile, now: clock.now() })
      } catch (error) {
        throw isDecided() ? signal.reason : asVenueError(error, signal)
      }
    })
    return { result: 'offer', offer, isExecutable: isExecutable(venue.profile, order) }
  } catch (error) {
    if (error instanceof BreakerOpen) {
      budget.giveBack()
      return { result: 'skipped' }
    }
    return error instanceof VenueError ? { result: 'error', error } : { result: 'cut' }
  }
}

/**
 * Asks all runners at once and answers with one entry for each, in the order given. Never throws and never outlasts
 * the deadline: a venue that hangs, even one that ignores its signal, costs only itself.
 */
export const race = (runners: readonly Runner[], order: Order, rules: RaceRules): Promise<readonly RaceEntry[]> =>
  new Promise((resolve) => {
    const { deadlineMs, softDeadlineMs, isBelievable, signal } = rules
    const startedAt = performance.now()
    const controller = new AbortController()
    const entries = new Map<Venue, RaceEntry>()
    let isSoftOver = false

    const elapsedMs = () => Math.round(performance.now() - startedAt)
    const unanswered = (venue: Venue, outcome: RaceOutcome): RaceEntry => ({ venue, outcome, elapsedMs: elapsedMs() })

    const finish = (rest: RaceOutcome, reason: Error) => {
      clearTimeout(hardTimer)
      clearTimeout(softTimer)
      signal.removeEventListener('abort', onCancel)
      resolve(runners.map(({ venue }) => entries.get(venue) ?? unanswered(venue, rest)))
      controller.abort(reason)
    }
    const decide = () => finish({ result: 'cut' }, new RaceDecided())
    const onCancel = () => decide()
    const onHard = () => {
      const error = new VenueError('timeout', `no answer within ${deadlineMs} ms`)
      finish({ result: 'error', error }, error)
    }
    const isWinnable = ({ outcome }: RaceEntry): boolean =>
      outcome.result === 'offer' && outcome.isExecutable && isBelievable(outcome.offer)
    const isWon = () => isSoftOver && [...entries.values()].some(isWinnable)
    const onSoft = () => {
      isSoftOver = true
      if (isWon()) decide()
    }
    const onAnswer = (venue: Venue, outcome: RaceOutcome) => {
      if (controller.signal.aborted) return
      entries.set(venue, { venue, outcome, elapsedMs: elapsedMs() })
      if (entries.size === runners.length || isWon()) decide()
    }

    const hardTimer = setTimeout(onHard, deadlineMs)
    const softTimer = setTimeout(onSoft, softDeadlineMs)
    if (runners.length === 0 || signal.aborted) return decide()
    signal.addEventListener('abort', onCancel, { once: true })
    for (const runner of runners)
      void ask(runner, order, { ...rules, signal: controller.signal }).then((outcome) => onAnswer(runner.venue, outcome))
  })
