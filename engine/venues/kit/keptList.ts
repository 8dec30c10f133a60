import type { Clock } from '../../core/clock.ts'
import { untilAborted } from '../../net/deadline.ts'
import { createReadCache, type ReadCacheLimits } from '../../net/readCache.ts'
import { VenueError } from '../venueError.ts'

export type KeptListOptions<T> = {
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly clock: Clock
  /** How long a list is good without a look at the venue. */
  readonly freshMs: number
}

export interface KeptList<T> {
  /** The list, loaded when there is none yet. Throws VenueError. A null signal waits as long as the load may take. */
  read(signal: AbortSignal | null): Promise<T>
}

/** After a refresh that failed. */
const RETRY_MS = 15_000
/** The load is shared, so no single caller's signal may cut it: it has its own limit instead. */
const LOAD_MS = 5_000

const onAbort = () => new VenueError('timeout', 'cut while a list was loading')

/** A venue's public list: one load at a time for all callers; an old list serves while it is refreshed, or cannot be. */
export const createKeptList = <T>({ load, clock, freshMs }: KeptListOptions<T>): KeptList<T> => {
  let current: { readonly list: T; readonly since: number; readonly refreshAt: number } | null = null
  let loading: Promise<T> | null = null

  const keep = (list: T, ms: number): void => {
    const since = clock.now()
    current = { list, since, refreshAt: since + ms }
  }
  const loadOnce = async (): Promise<T> => {
    const list = await load(AbortSignal.timeout(LOAD_MS))
    keep(list, freshMs)
    return list
  }
  const join = (): Promise<T> => {
    loading ??= loadOnce().finally(() => {
      loading = null
    })
    return loading
  }
  return {
    read: async (signal) => {
      if (!current) return signal ? untilAborted(join(), signal, onAbort) : join()
      const { list, since, refreshAt } = current
      const now = clock.now()
      // Before `since`: the clock has been set back.
      if (now >= refreshAt || now < since) {
        keep(list, RETRY_MS)
        // A list that cannot be renewed is still a list: it is tried again later, and no caller fails for it now.
        join().catch(() => undefined)
      }
      return list
    },
  }
}

/** Lists by key that never serve beyond their lifetime: one load at a time of each for all callers. Throws VenueError. */
export const createFreshLists = <T>(limits: ReadCacheLimits, clock: Clock) => {
  const cache = createReadCache<T>(limits, clock)
  return (key: string, load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> =>
    cache.get(key, () => load(AbortSignal.timeout(LOAD_MS)), { signal, onAbort })
}
