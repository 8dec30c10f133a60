import type { AnyEvent } from './observe.ts'

/** Passes every event to all observers: the log, the metrics and others. None of them may throw. */
export const observeAll =
  <E extends AnyEvent>(...observers: readonly ((event: E) => void)[]): ((event: E) => void) =>
  (event) => {
    for (const observe of observers) observe(event)
  }
