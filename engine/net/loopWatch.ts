/** Watches the event loop while something is timed, and reports whether this process was too busy for a fair measurement. */
export interface LoopWatch {
  /** `end` must be called. */
  start(): { wasLate(): boolean; end(): void }
}

const TICK_MS = 50
/** A loop that is this late, in ms, may have left an answer unread. */
const LATE_MS = 100

/** One timer for all watchers, and no timer without a watcher. */
export const createLoopWatch = (now: () => number = () => performance.now()): LoopWatch => {
  const watchers = new Set<{ isLate: boolean }>()
  let dueAt = 0
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    if (now() - dueAt >= LATE_MS) for (const watcher of watchers) watcher.isLate = true
  }
  const schedule = () => {
    dueAt = now() + TICK_MS
    timer = setTimeout(() => {
      look()
      schedule()
    }, TICK_MS)
    timer.unref()
  }
  return {
    start: () => {
      const watcher = { isLate: false }
      watchers.add(watcher)
      if (timer === null) schedule()
      return {
        wasLate: () => {
          look()
          return watcher.isLate
        },
        end: () => {
          watchers.delete(watcher)
          if (watchers.size > 0 || timer === null) return
          clearTimeout(timer)
          timer = null
        },
      }
    },
  }
}
