import type { RunOutcome } from '../core/toldRace.ts'
import type { Verdict } from '../net/breaker.ts'
import { VenueError } from './venueError.ts'

/** Why no caller waits for a call. */
export class NotAwaited extends Error {
  /** True: other venues answered in time. False: the end counts neither for nor against the venue. */
  readonly wasSlow: boolean
  constructor(wasSlow: boolean) {
    super('not awaited')
    this.wasSlow = wasSlow
  }
}

/** Shared instances: every race ends with one, and their stack traces are not needed. */
export const CUT_AS_SLOW = new NotAwaited(true)
export const LEFT_ALONE = new NotAwaited(false)

/** Any thrown value as the only error that a venue may throw. */
export const asVenueError = (error: unknown): VenueError => {
  if (error instanceof VenueError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new VenueError('timeout', error.message, { cause: error })
  return new VenueError('badResponse', 'the adapter failed', { cause: error })
}

/** The verdict on a venue by the end of a call. A considered refusal counts as an answer, and so does a rate limit. */
export const verdictOf = (error: unknown): Verdict => {
  if (error instanceof NotAwaited) return error.wasSlow ? 'cut' : 'nothing'
  if (!(error instanceof VenueError)) return 'nothing'
  if (!error.isSent) return 'nothing'
  if (error.nature === 'keyRefused') return 'keyRefused'
  return error.isTrouble && error.nature !== 'unexplained' ? 'failure' : 'answer'
}

/** The outcome of an error in the log. */
export const outcomeOf = ({ kind, isSent, isTrouble }: VenueError): RunOutcome => {
  if (!isSent) return 'skipped'
  return kind === 'timeout' || kind === 'rejected' ? kind : isTrouble ? 'failure' : 'decline'
}
