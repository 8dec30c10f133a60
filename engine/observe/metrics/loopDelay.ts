import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The resolution of event loop delays, ms: the process wakes up as often. */
const PRECISION_MS = 20
const WINDOW_MS = 30_000

/** The delays of loop turns; in ns, including the interval itself. */
type Delays = { percentile(percent: number): number; readonly max: number; disable(): unknown }

const open = (): Delays => {
  const delays = monitorEventLoopDelay({ resolution: PRECISION_MS })
  delays.enable()
  return delays
}

/** Seconds beyond the interval of a turn. */
const lateness = (ns: number): number => Math.max(0, ns / 1e9 - PRECISION_MS / 1_000)

export type LoopDelay = {
  /** Delays of loop turns, s: the median, the 99th percentile, and the maximum. */
  read(): { readonly p50: number; readonly p99: number; readonly max: number }
}

/**
 * The delays of the last half minute to minute, or since the last read if that is longer. Other readers remove no values: an open
 * page must not hide an event from an alert.
 */
export const createLoopDelay = ({
  now = () => performance.now(),
  start = open,
}: {
  readonly now?: () => number
  readonly start?: () => Delays
} = {}): LoopDelay => {
  let told = start()
  let next = { from: now(), delays: told }
  return {
    read: () => {
      if (now() - next.from >= WINDOW_MS) {
        if (told !== next.delays) told.disable()
        told = next.delays
        next = { from: now(), delays: start() }
      }
      return { p50: lateness(told.percentile(50)), p99: lateness(told.percentile(99)), max: lateness(told.max) }
    },
  }
}
