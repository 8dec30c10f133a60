import type { VenueId } from '../core/offer.ts'
import { SwapError } from '../errors.ts'

/** Half of the time that such a call may take. */
const RETRY_AFTER_SEC = 5

export type VenuePlaces = {
  /** Throws OVERLOADED, and begins nothing, where as many wait for this venue as may. */
  within<T>(venue: VenueId, work: () => Promise<T>): Promise<T>
}

const busy = (venue: VenueId): SwapError =>
  new SwapError(
    'OVERLOADED',
    `${venue} takes long to answer, and many wait for it. Nothing was done. Repeat the same request after the given seconds, or request a fresh quote.`,
    { details: { retryAfterSec: RETRY_AFTER_SEC, retryable: true } },
  )

/**
 * How many callers may wait for one venue's answer to what was decided on, executes and signatures together: a venue that
 * hangs then holds a part of what is served at once, and leaves the rest to the swaps of others.
 */
export const createVenuePlaces = (max: number): VenuePlaces => {
  const waiting = new Map<VenueId, number>()
  return {
    async within(venue, work) {
      const before = waiting.get(venue) ?? 0
      if (before >= max) throw busy(venue)
      waiting.set(venue, before + 1)
      try {
        return await work()
      } finally {
        const after = (waiting.get(venue) ?? 1) - 1
        if (after > 0) waiting.set(venue, after)
        else waiting.delete(venue)
      }
    },
  }
}
