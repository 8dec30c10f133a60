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

/** Runs work under a deadline and always clears it. */
export const withDeadline = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, clear } = deadline(ms)
  try {
    return await work(signal)
  } finally {
    clear()
  }
}
