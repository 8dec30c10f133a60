import { type Clock, isWithin } from '../../core/clock.ts'

/** Pauses between searches of one swap, in ms: doubled after each. An unfinished search continues soon. */
const PAUSE_MS = { first: 30_000, longest: 3_600_000, unfinished: 20_000 }
const SWAPS_MAX = 100_000

/** Spaces out searches that found nothing, so that polling does not make nodes search all the time. */
export interface SearchPause {
  /** True if a search is due, which counts as done then. */
  isDue(swapId: number): boolean
  /** The same, returning the number of the search, from 0. Null if none is due. */
  turn(swapId: number): number | null
  /** The last search is unfinished: the pauses start again. */
  unfinished(swapId: number): void
}

export const createSearchPause = (clock: Clock): SearchPause => {
  const searches = new Map<
    number,
    { readonly setAt: number; readonly nextAt: number; readonly pauseMs: number; readonly turn: number }
  >()
  const takeTurn: SearchPause['turn'] = (swapId) => {
    const now = clock.now()
    const { setAt, nextAt, pauseMs, turn } = searches.get(swapId) ?? { setAt: 0, nextAt: 0, pauseMs: PAUSE_MS.first, turn: 0 }
    if (isWithin(nextAt - setAt, setAt, now)) return null
    searches.delete(swapId)
    searches.set(swapId, { setAt: now, nextAt: now + pauseMs, pauseMs: Math.min(pauseMs * 2, PAUSE_MS.longest), turn: turn + 1 })
    const [oldest] = searches.keys()
    if (searches.size > SWAPS_MAX && oldest !== undefined) searches.delete(oldest)
    return turn
  }
  return {
    isDue: (swapId) => takeTurn(swapId) !== null,
    turn: takeTurn,
    unfinished: (swapId) => {
      const { turn = 0 } = searches.get(swapId) ?? {}
      const now = clock.now()
      searches.set(swapId, { setAt: now, nextAt: now + PAUSE_MS.unfinished, pauseMs: PAUSE_MS.first, turn })
    },
  }
}
