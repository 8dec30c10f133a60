import type { RunOutcome } from '../core/toldRace.ts'
import type { Verdict } from '../net/breaker.ts'
import { VenueError } from './venueError.ts'

/** Why nobody waits for a call any more. */
export class NotAwaited extends Error {
  /** True: others answered in time. False: it proves nothing of the venue. */
  readonly wasSlow: boolean
  constructor(wasSlow: boolean) {
    super('not awaited')
    this.wasSlow = wasSlow
  }
}

/** Made once: every race ends with one, and where from is no news. */
export const CUT_AS_SLOW = new NotAwaited(true)
export const LEFT_ALONE = new NotAwaited(false)

/** Whatever an adapter threw, as the one thing a venue may throw. */
export const asVenueError = (error: unknown): VenueError => {
  if (error instanceof VenueError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new VenueError('timeout', error.message, { cause: error })
  return new VenueError('badResponse', 'the adapter failed', { cause: error })
}

/** What the end of a call says of the venue. A considered refusal is an answer, whatever is refused; and so is a limit. */
export const verdictOf = (error: unknown): Verdict => {
  if (error instanceof NotAwaited) return error.wasSlow ? 'cut' : 'nothing'
  if (!(error instanceof VenueError)) return 'nothing'
  if (!error.isSent) return 'nothing'
  if (error.nature === 'keyRefused') return 'keyRefused'
  return error.isTrouble && error.nature !== 'unexplained' ? 'failure' : 'answer'
}

/** How an error is told in the log. */
export const outcomeOf = ({ kind, isSent, isTrouble }: VenueError): RunOutcome => {
  if (!isSent) return 'skipped'
  return kind === 'timeout' || kind === 'rejected' ? kind : isTrouble ? 'failure' : 'decline'
}
