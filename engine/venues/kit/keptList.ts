import type { Clock } from '../../core/clock.ts'
import { type KeptList, type KeptListOptions, createKeptList as keep } from '../../net/keptList.ts'
import { createReadCache, type ReadCacheLimits } from '../../net/readCache.ts'
import { VenueError } from '../venueError.ts'

export type { KeptList } from '../../net/keptList.ts'

/** Callers share the load, so no single caller's signal may abort it: it has its own limit. */
const LOAD_MS = 5_000

const onAbort = () => new VenueError('timeout', 'cut while a list was loading')

/** A venue's public list: one load at a time for all callers; an old list serves while it is refreshed, or cannot be. */
export const createKeptList = <T>(options: Omit<KeptListOptions<T>, 'onAbort'>): KeptList<T> => keep({ ...options, onAbort })

/** Lists by key that never serve beyond their lifetime: one load at a time of each for all callers. Throws VenueError. */
export const createFreshLists = <T>(limits: ReadCacheLimits<T>, clock: Clock) => {
  const cache = createReadCache<T>(limits, clock)
  return (key: string, load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> =>
    cache.get(key, () => load(AbortSignal.timeout(LOAD_MS)), { signal, onAbort })
}
