import { type Clock, isWithin } from '../../core/clock.ts'

/** Searches of one swap: at first so far apart, doubled with each, at most so far. One that is to go on comes soon again. */
const PAUSE_MS = { first: 30_000, longest: 3_600_000, unfinished: 20_000 }
const SWAPS_MAX = 100_000

/** Keeps searches that found nothing further and further apart: whoever polls does not make a node search all the time. */
export interface SearchPause {
  /** True when a swap may be searched for now; that is then taken as done. */
  isDue(swapId: number): boolean
  /** The same; which search of the swap it is, from 0. Null where none is due. */
  turn(swapId: number): number | null
  /** The search that was just done goes on: the pauses begin anew. */
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
