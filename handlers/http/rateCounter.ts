import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Counted, SharedCounts } from '../../engine/core/sharedCounts.ts'

const WINDOW_SECONDS = 60

/** Counts requests per key and minute. */
export interface RateCounter {
  /** Counts a request. Returns the caller's requests in the minute since its first one, this one included. */
  count(key: string): Promise<Counted>
  /** The result of `count` without this request. Counts nothing. */
  look(key: string): Promise<Counted>
  /** Returns one counted request to its caller, and the number of returns in this minute; 0 where all were returned already. */
  giveBack(key: string): Promise<number>
}

/** Beyond this many addresses a minute, new ones share the window of their wider network. Some 40 MB at most. */
const WINDOWS_MAX = 100_000

const NOTHING: Counted = { requests: 0, all: 0, msLeft: WINDOW_SECONDS * 1000 }

/** This process's part of the shared count, for each window until it ends. */
const createShares = () => {
  const windows = new Map<string, { own: number; all: number; readonly until: number }>()

  const dropEnded = (): void => {
    for (const [window, { until }] of windows) {
      if (until > Date.now()) return
      windows.delete(window)
    }
  }

  return {
    /** Adds one local request, and the shared count `all`. Windows of one name are a minute apart. */
    learn: (window: string, all: number, until: number): void => {
      const found = windows.get(window)
      if (found && until - found.until < (WINDOW_SECONDS * 1000) / 2) {
        found.own += 1
        found.all = Math.max(found.all, all)
        return
      }
      dropEnded()
      windows.delete(window)
      windows.set(window, { own: 1, all, until })
    },
    /** Shared requests per local request. */
    weightOf: (window: string): number => {
      const { own, all, until } = windows.get(window) ?? { own: 1, all: 1, until: 0 }
      return until > Date.now() ? Math.max(1, Math.round(all / own)) : 1
    },
  }
}

/** The returned requests of each window, until it ends. */
const createReturns = () => {
  const windows = new Map<string, { readonly units: number; readonly until: number }>()
  return {
    unitsOf: (window: string): number => {
      const { units, until } = windows.get(window) ?? { units: 0, until: 0 }
      return until > Date.now() ? units : 0
    },
    set: (window: string, units: number, msLeft: number): void => {
      for (const [ended, { until }] of windows) {
        if (until > Date.now()) break
        windows.delete(ended)
      }
      windows.delete(window)
      windows.set(window, { units, until: Date.now() + msLeft })
    },
  }
}

/**
 * Counts with other processes where possible, else in this process, from the last shared count. A local request then counts as
 * many units as all processes had per local one, so switching processes gives no advantage. The number of keys is bounded.
 */
export const createRateCounter = (shared: SharedCounts | null = null, windowsMax = WINDOWS_MAX): RateCounter => {
  // Counts by wall time: a jump of the offline network's clock opens no window. The callers compare the points, because every
  // partner may have its own limit.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: '' })
  const shares = createShares()
  const returns = createReturns()
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

  const countedHere = (window: string, all: number, msLeft: number): Counted => ({
    requests: Math.max(0, all - returns.unitsOf(window)),
    all,
    // The limiter ends a window by a timer, and computes its end by wall time, which may have been set back.
    msLeft: Math.min(msLeft, WINDOW_SECONDS * 1000),
  })

  const lookHere = async (window: string): Promise<Counted | null> => {
    const counted = await limiter.get(window)
    return counted && counted.msBeforeNext > 0 ? countedHere(window, counted.consumedPoints, counted.msBeforeNext) : null
  }

  /** Beyond the bound a new key counts by its first octet or group. These are few enough to count always. */
  const windowOf = async (key: string): Promise<string> => (isFull() && (await lookHere(key)) === null ? crowdOf(key) : key)

  const countHere = async (window: string): Promise<Counted> => {
    const counted = await limiter.consume(window, shares.weightOf(window))
    if (counted.isFirstInDuration) opened.thisMinute += 1
    return countedHere(window, counted.consumedPoints, counted.msBeforeNext)
  }

  /** The shared count. A lower one than the local count has lost requests. */
  const learn = async (window: string, known: Counted, askedAt: number): Promise<Counted> => {
    shares.learn(window, known.all, askedAt + known.msLeft)
    const here = await lookHere(window)
    if (here && here.all >= known.all) return countHere(window)
    // The window ends here no later than there, so both allow the next request.
    const msLeft = known.msLeft - (Date.now() - askedAt)
    if (msLeft > 0) await limiter.set(window, known.all, msLeft / 1_000)
    if (known.all > known.requests) returns.set(window, known.all - known.requests, msLeft)
    if (here === null) opened.thisMinute += 1
    return known
  }

  return {
    look: async (key) => {
      const window = await windowOf(key)
      const [known, here] = [shared && (await shared.look(window)), await lookHere(window)]
      return here && here.all > (known?.all ?? 0) ? here : (known ?? here ?? NOTHING)
    },
    count: async (key) => {
      const window = await windowOf(key)
      const askedAt = Date.now()
      const known = shared && (await shared.count(window, await lookHere(window)))
      return known ? learn(window, known, askedAt) : countHere(window)
    },
    giveBack: async (key) => {
      const window = await windowOf(key)
      const known = shared && (await shared.giveBack(window))
      const here = await lookHere(window)
      if (here === null) return known ?? 0
      const returned = returns.unitsOf(window)
      const alone = returned < here.all ? Math.min(here.all, returned + shares.weightOf(window)) : 0
      const units = known ?? alone
      if (units > returned) returns.set(window, units, here.msLeft)
      return units
    },
  }
}
