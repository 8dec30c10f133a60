/**
 * A signal that aborts after `ms`, or with `parent`. Call `clear` when the work is over, or the timer keeps the
 * process awake.
 */
export const deadline = (ms: number, parent?: AbortSignal): { readonly signal: AbortSignal; clear(): void } => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException(`past the deadline of ${ms} ms`, 'TimeoutError')), ms)
  const follow = () => controller.abort(parent?.reason)
  if (parent?.aborted) follow()
  else parent?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      parent?.removeEventListener('abort', follow)
    },
  }
}

/** The work's own end, or `reason` as soon as the signal aborts: for work that may not listen to its signal. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal, reason: () => unknown = () => signal.reason): Promise<T> =>
  new Promise((resolve, reject) => {
    const cut = () => reject(reason())
    if (signal.aborted) cut()
    else signal.addEventListener('abort', cut, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cut))
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
