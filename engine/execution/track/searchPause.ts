import type { Clock } from '../../core/clock.ts'

/** Searches of one swap: at first so far apart, doubled with each, at most so far. */
const PAUSE_MS = { first: 30_000, longest: 3_600_000 }
const SWAPS_MAX = 10_000

/** Keeps searches that found nothing further and further apart: whoever polls does not make a node search all the time. */
export interface SearchPause {
  /** True when a swap may be searched for now; that is then taken as done. */
  isDue(swapId: number): boolean
}

export const createSearchPause = (clock: Clock): SearchPause => {
  const searches = new Map<number, { readonly nextAt: number; readonly pauseMs: number }>()
  return {
    isDue: (swapId) => {
      const now = clock.now()
      const { nextAt, pauseMs } = searches.get(swapId) ?? { nextAt: 0, pauseMs: PAUSE_MS.first }
      if (now < nextAt) return false
      searches.delete(swapId)
      searches.set(swapId, { nextAt: now + pauseMs, pauseMs: Math.min(pauseMs * 2, PAUSE_MS.longest) })
      const [oldest] = searches.keys()
      if (searches.size > SWAPS_MAX && oldest !== undefined) searches.delete(oldest)
      return true
    },
  }
}
