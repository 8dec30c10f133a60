import type { Clock } from '../core/clock.ts'
import { untilAborted } from './deadline.ts'

export type ReadCacheLimits<T> = {
  readonly entriesMax: number
  readonly lifetimeMs: number | ((value: T) => number)
}

/** Answers kept by key, and one read at a time for each. */
export interface ReadCache<T> {
  /** The kept answer, or null. */
  peek(key: string): T | null
  /**
   * The kept answer, the read under way, or a new read. A caller that leaves throws `onAbort()`; the read continues for the
   * others. Failures are not kept.
   */
  get(key: string, read: () => Promise<T>, caller: { readonly signal: AbortSignal; onAbort(): Error }): Promise<T>
}

/** The least recently used entry goes first. */
export const createReadCache = <T>({ entriesMax, lifetimeMs }: ReadCacheLimits<T>, clock: Clock): ReadCache<T> => {
  const kept = new Map<string, { readonly value: T; readonly readAt: number }>()
  const underWay = new Map<string, Promise<T>>()

  const keep = (key: string, value: T): void => {
    kept.delete(key)
    kept.set(key, { value, readAt: clock.now() })
    const oldest = kept.size > entriesMax ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  const fresh = (key: string): { readonly value: T } | null => {
    const entry = kept.get(key)
    if (!entry) return null
    const ageMs = clock.now() - entry.readAt
    // The clock has been set back since this read.
    if (ageMs < 0 || ageMs >= (typeof lifetimeMs === 'number' ? lifetimeMs : lifetimeMs(entry.value))) return null
    kept.delete(key)
    kept.set(key, entry)
    return entry
  }

  const start = (key: string, read: () => Promise<T>): Promise<T> => {
    const reading = read()
      .then((value) => {
        keep(key, value)
        return value
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  return {
    peek: (key) => fresh(key)?.value ?? null,
    get: async (key, read, { signal, onAbort }) => {
      const entry = fresh(key)
      if (entry) return entry.value
      if (signal.aborted) throw onAbort()
      return untilAborted(underWay.get(key) ?? start(key, read), signal, onAbort)
    },
  }
}
