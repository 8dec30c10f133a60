import { RateLimiterMemory } from 'rate-limiter-flexible'

const WINDOW_SECONDS = 60

/** How often a caller has asked in the minute that its first request began, this one included. */
export type Counted = { readonly requests: number; readonly msLeft: number }

/** Counts requests per key and minute. Several processes may count together, by an implementation of their own. */
export interface RateCounter {
  count(key: string): Promise<Counted>
  /** What `count` would answer with, less this request. Counts nothing. */
  look(key: string): Promise<Counted>
}

/** Beyond this many addresses a minute, new ones share the window of their wider network. Some 40 MB at most. */
const WINDOWS_MAX = 100_000

/** In this process, with a bound on how many keys it remembers. */
export const createMemoryRateCounter = (windowsMax = WINDOWS_MAX): RateCounter => {
  // Counts by wall time: a jump of the offline network's clock opens no window.
  // Points are compared by who asks and not here, because every partner may have a limit of its own.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: '' })
  const opened = { thisMinute: 0, lastMinute: 0, minute: 0 }

  const isFull = (): boolean => {
    const minute = Math.floor(Date.now() / (WINDOW_SECONDS * 1000))
    if (minute !== opened.minute) {
      opened.lastMinute = minute === opened.minute + 1 ? opened.thisMinute : 0
      opened.thisMinute = 0
      opened.minute = minute
    }
    return opened.thisMinute + opened.lastMinute >= windowsMax
  }

  const crowdOf = (key: string): string => `crowd ${key.split(/[.:]/, 1)}`

  return {
    look: async (key) => {
      const counted = (await limiter.get(key)) ?? (isFull() ? await limiter.get(crowdOf(key)) : null)
      return { requests: counted?.consumedPoints ?? 0, msLeft: counted?.msBeforeNext ?? WINDOW_SECONDS * 1000 }
    },
    count: async (key) => {
      // The first octet or the first group: few enough to be counted whatever happens.
      const isCrowded = isFull() && (await limiter.get(key)) === null
      const counted = await limiter.consume(isCrowded ? crowdOf(key) : key)
      if (counted.isFirstInDuration) opened.thisMinute += 1
      return { requests: counted.consumedPoints, msLeft: counted.msBeforeNext }
    },
  }
}
