import type { Clock } from '../core/clock.ts'
import { untilAborted, withDeadline } from './deadline.ts'

export type KeptListOptions<T> = {
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly clock: Clock
  /** Ms for which a list is used without a new request to the venue. */
  readonly freshMs: number
  /** The error for a caller that leaves during the first load. Default: the reason of its signal. */
  readonly onAbort?: () => Error
  /** True: after a failed first load no caller waits for a list. Callers get its error until a background load succeeds. */
  readonly isAwaitedOnce?: boolean
}

export interface KeptList<T> {
  /** The list, loaded when none is kept; throws what `load` throws. A null signal waits as long as the load may take. */
  read(signal: AbortSignal | null): Promise<T>
  /** Loads the list anew and keeps it; throws what `load` throws, even when a list is kept. */
  renew(signal: AbortSignal): Promise<T>
}

/** After a failed load, where a list is kept or no caller waits for one. */
const RETRY_MS = 15_000
/** The load is shared, so no single caller's signal may abort it: it has its own limit in ms instead. */
const LOAD_MS = 5_000

/** A public list: one load at a time for all callers; an old list serves while it is refreshed, or cannot be. */
export const createKeptList = <T>({ load, clock, freshMs, onAbort, isAwaitedOnce = false }: KeptListOptions<T>): KeptList<T> => {
  /** The list or the error that callers get without waiting, and when the list is loaded anew. */
  let current: { readonly told: () => T; readonly since: number; readonly refreshAt: number } | null = null
  let loading: Promise<T> | null = null
  /** The load after it, for callers that may not join it. */
  let next: Promise<T> | null = null

  const keep = (told: () => T, ms: number): void => {
    const since = clock.now()
    current = { told, since, refreshAt: since + ms }
  }
  const loadOnce = async (): Promise<T> => {
    try {
      const list = await withDeadline(LOAD_MS, load)
      keep(() => list, freshMs)
      return list
    } catch (error) {
      if (isAwaitedOnce && !current)
        keep(() => {
          throw error
        }, RETRY_MS)
      throw error
    }
  }
  const join = (): Promise<T> => {
    loading ??= loadOnce().finally(() => {
      loading = null
    })
    return loading
  }
  /** A load under way may return a list from before this request. */
  const joinNext = (): Promise<T> => {
    const before = loading
    if (before === null) return join()
    const start = () => {
      next = null
      return join()
    }
    next ??= before.then(start, start)
    return next
  }
  const renew: KeptList<T>['renew'] = (signal) => untilAborted(joinNext(), signal, onAbort)
  return {
    renew,
    read: async (signal) => {
      if (!current) return signal ? untilAborted(join(), signal, onAbort) : join()
      const { told, since, refreshAt } = current
      const now = clock.now()
      // Before `since`: the clock has been set back.
      if (now >= refreshAt || now < since) {
        keep(told, RETRY_MS)
        // A list that cannot be renewed is still a list: it is tried again later, and no caller fails for it now.
        join().catch(() => undefined)
      }
      return told()
    },
  }
}
