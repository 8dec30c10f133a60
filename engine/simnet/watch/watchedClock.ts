import type { SimClock } from '../kit/world.ts'

/** A clock that tells of its jumps. */
export interface WatchedClock extends SimClock {
  /** By how much all of them moved it. */
  aheadMs(): number
}

export const watchClock = (clock: SimClock, onJump: () => void): WatchedClock => {
  let aheadMs = 0
  return {
    now: () => clock.now(),
    aheadMs: () => aheadMs,
    advance: (ms) => {
      clock.advance(ms)
      aheadMs += ms
      onJump()
    },
  }
}
