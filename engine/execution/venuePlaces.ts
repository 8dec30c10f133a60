import type { VenueId } from '../core/offer.ts'
import { SwapError } from '../errors.ts'
import type { Observe } from '../observe/observe.ts'

/** After this time a wait counts as caused by the venue, not by other callers. */
const LONG_MS = 2_000
/** Half of the longest such call. */
const RETRY_AFTER_SEC = 5
/** The shortest pause between two log lines, so that they do not flood the log. */
const TELL_MS = 1_000

export type VenuePlaces = {
  /**
   * Throws OVERLOADED if too many callers wait long for this venue: at once with nothing started, or once the caller becomes one
   * of them. Started work continues, and a repeated call receives its result.
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
 * Limits how many callers may wait long for one venue, executes and signatures together. A venue that hangs then occupies only a
 * part of all slots. A fast venue has no limit.
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
