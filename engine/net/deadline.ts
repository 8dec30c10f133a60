import { afterReading } from './afterReading.ts'

const WAITERS = Symbol('waiters')

/** A signal with its waiters. One listener calls them all: a listener each costs more than most of the awaited work. */
type Waited = AbortSignal & { [WAITERS]?: Set<() => void> }

const waitersOf = (signal: Waited): Set<() => void> => {
  const known = signal[WAITERS]
  if (known) return known
  const waiters = new Set<() => void>()
  signal[WAITERS] = waiters
  const callAll = () => {
    for (const call of waiters) call()
  }
  signal.addEventListener('abort', callAll, { once: true })
  return waiters
}

/** Calls when the signal aborts, or at once where it has. Returns a function that cancels the call. */
export const whenAborted = (signal: AbortSignal, call: () => void): (() => void) => {
  if (signal.aborted) {
    call()
    return () => undefined
  }
  const waiters = waitersOf(signal)
  waiters.add(call)
  return () => waiters.delete(call)
}

/**
 * A signal that aborts after `ms`, or with `parent`. An answer that came in time is in time, however late our own event loop
 * reads it. Call `clear` when the work is over, or the timer keeps the process awake.
 */
export const deadline = (ms: number, parent?: AbortSignal): { readonly signal: AbortSignal; clear(): void } => {
  const controller = new AbortController()
  let isOver = false
  const expire = () => {
    if (!isOver) controller.abort(new DOMException(`past the deadline of ${ms} ms`, 'TimeoutError'))
  }
  const timer = setTimeout(() => afterReading(expire), ms)
  const forget = parent && whenAborted(parent, () => controller.abort(parent.reason))
  return {
    signal: controller.signal,
    clear: () => {
      isOver = true
      clearTimeout(timer)
      forget?.()
    },
  }
}

/** The work's own end, or `reason` as soon as the signal aborts: for work that may not listen to its signal. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal, reason: () => unknown = () => signal.reason): Promise<T> =>
  new Promise((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(reason()))
    work.then(
      (value) => {
        forget()
        resolve(value)
      },
      (error: unknown) => {
        forget()
        reject(error)
      },
    )
  })

/** Runs work under a deadline, and under `parent` where there is one, and always clears it. */
export const withDeadline = async <T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> => {
  const { signal, clear } = deadline(ms, parent)
  try {
    return await work(signal)
  } finally {
    clear()
  }
}
