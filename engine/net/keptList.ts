import type { Clock } from '../core/clock.ts'
import { untilAborted, withDeadline } from './deadline.ts'

export type KeptListOptions<T> = {
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly clock: Clock
  /** How long a list is good without a look at the venue. */
  readonly freshMs: number
  /** What a caller is told who left while the first list was loading; the reason of its signal where left out. */
  readonly onAbort?: () => Error
  /** True: after a first load that failed nobody waits for a list. Callers are told the failure until one is had in the background. */
  readonly isAwaitedOnce?: boolean
}

export interface KeptList<T> {
  /** The list, loaded when there is none yet; throws what `load` throws. A null signal waits as long as the load may take. */
  read(signal: AbortSignal | null): Promise<T>
  /** The list as it is told now, which is then kept; throws what `load` throws, whatever is kept. */
  renew(signal: AbortSignal): Promise<T>
}

/** After a load that failed, where there is a list already or nobody waits for one. */
const RETRY_MS = 15_000
/** The load is shared, so no single caller's signal may cut it: it has its own limit instead. */
const LOAD_MS = 5_000

/** A public list: one load at a time for all callers; an old list serves while it is refreshed, or cannot be. */
export const createKeptList = <T>({ load, clock, freshMs, onAbort, isAwaitedOnce = false }: KeptListOptions<T>): KeptList<T> => {
  /** What callers are told without waiting, and when it is looked for anew. */
  let current: { readonly told: () => T; readonly since: number; readonly refreshAt: number } | null = null
  let loading: Promise<T> | null = null
  /** The one after it, for those who may not join it. */
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
  /** What is on its way may have been said before it was asked for. */
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
