import type { AnyEvent } from './observe.ts'

/** Hands every event to all who want to know of it: the log, the metrics, and whoever else watches. None of them may throw. */
export const observeAll =
  <E extends AnyEvent>(...observers: readonly ((event: E) => void)[]): ((event: E) => void) =>
  (event) => {
    for (const observe of observers) observe(event)
  }
