import type { Clock } from '../core/clock.ts'
import type { Observe } from './observe.ts'

/** The same text is reported once in this time. */
export const NOTICE_QUIET_MS = 60 * 60_000
/** For one venue in that time. Its notices quote the venue, which can vary its text without end. */
export const NOTICES_MAX = 20
const NOTICE_LENGTH_MAX = 300

/** Findings of an adapter that do not stop it, for the operator. Never floods the log, and never throws. */
export const createNotices = (venue: string, observe: Observe, clock: Clock): ((what: string) => void) => {
  const toldAt = new Map<string, number>()
  return (what) => {
    const now = clock.now()
    const text = what.slice(0, NOTICE_LENGTH_MAX)
    for (const [told, at] of toldAt) if (now - at >= NOTICE_QUIET_MS) toldAt.delete(told)
    if (toldAt.has(text) || toldAt.size >= NOTICES_MAX) return
    toldAt.set(text, now)
    observe({ event: 'venue.noticed', venue, what: text })
  }
}
