import type { VenueId } from '../core/offer.ts'
import { SwapError } from '../errors.ts'
import type { Observe } from '../observe/observe.ts'

/** Who waits for longer is held up by a venue, and not by those before him. */
const LONG_MS = 2_000
/** Half of the time that such a call may take. */
const RETRY_AFTER_SEC = 5
/** How often it is told of at most: a line for each refusal would be one more flood. */
const TELL_MS = 1_000

export type VenuePlaces = {
  /**
   * Throws OVERLOADED where as many wait long for this venue as may: at once, with nothing begun, or once the caller would be one
   * of them. What was begun then goes on, and who asks again has what came of it.
   */
  within<T>(venue: VenueId, work: () => Promise<T>): Promise<T>
}

const busy = (venue: VenueId): SwapError =>
  new SwapError(
    'OVERLOADED',
    `${venue} takes long to answer, and many wait for it. Repeat the same request after the given seconds, which does nothing twice, or request a fresh quote.`,
    { details: { retryAfterSec: RETRY_AFTER_SEC, retryable: true } },
  )

/**
 * How many callers may wait long for one venue's answer to what was decided on, executes and signatures together: a venue that
 * hangs then holds a part of what is served at once, and leaves the rest to the swaps of others. A venue that is quick is asked
 * by as many as come.
 */
export const createVenuePlaces = (max: number, observe: Observe): VenuePlaces => {
  const waitingLong = new Map<VenueId, number>()
  const longOf = (venue: VenueId): number => waitingLong.get(venue) ?? 0
  const refusals = new Map<VenueId, number>()

  const refuse = (venue: VenueId): SwapError => {
    const before = refusals.get(venue) ?? 0
    refusals.set(venue, before + 1)
    const tell = () => {
      observe({ event: 'venue.crowded', venue, refused: refusals.get(venue) ?? 0, waiting: longOf(venue) })
      refusals.delete(venue)
    }
    if (before === 0) setTimeout(tell, TELL_MS).unref()
    return busy(venue)
  }

  return {
    within: (venue, work) =>
      new Promise((resolve, reject) => {
        if (longOf(venue) >= max) return reject(refuse(venue))
        let isLong = false
        const timer = setTimeout(() => {
          if (longOf(venue) >= max) return reject(refuse(venue))
          isLong = true
          waitingLong.set(venue, longOf(venue) + 1)
        }, LONG_MS)
        const over = () => {
          clearTimeout(timer)
          if (isLong) waitingLong.set(venue, longOf(venue) - 1)
        }
        work().finally(over).then(resolve, reject)
      }),
  }
}
