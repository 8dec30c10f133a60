import type { SimClock } from '../kit/world.ts'

/** A clock that tells of its jumps. */
export interface WatchedClock extends SimClock {
  /** By how much all of them moved it. */
  aheadMs(): number
  /** Tells of all jumps on the way as of one, when the work is over. */
  asOneJump<T>(work: () => Promise<T>): Promise<T>
}

export const watchClock = (clock: SimClock, onJump: () => void): WatchedClock => {
  let aheadMs = 0
  let [underWay, isUntold] = [0, false]

  const tell = (): void => {
    isUntold = underWay > 0
    if (!isUntold) onJump()
  }

  return {
    now: () => clock.now(),
    aheadMs: () => aheadMs,
    advance: (ms) => {
      clock.advance(ms)
      aheadMs += ms
      tell()
    },
    asOneJump: async (work) => {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        if (isUntold) tell()
      }
    },
  }
}
