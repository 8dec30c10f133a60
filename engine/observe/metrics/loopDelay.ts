import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How finely delays of the event loop are measured, ms: as often the process is woken. */
const PRECISION_MS = 20
const WINDOW_MS = 30_000

/** How late the turns of a loop were; in ns, with the time that a turn is due after. */
type Delays = { percentile(percent: number): number; readonly max: number; disable(): unknown }

const open = (): Delays => {
  const delays = monitorEventLoopDelay({ resolution: PRECISION_MS })
  delays.enable()
  return delays
}

/** Seconds beyond the time that a turn is due after. */
const lateness = (ns: number): number => Math.max(0, ns / 1e9 - PRECISION_MS / 1_000)

export type LoopDelay = {
  /** How late turns of the loop were, s: half of them, 99 % of them, and all, at most. */
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
