import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Counted, SharedCounts } from '../../engine/core/sharedCounts.ts'

const WINDOW_SECONDS = 60

/** Counts requests per key and minute. */
export interface RateCounter {
  /** How often a caller has asked in the minute that its first request began, this one included. */
  count(key: string): Promise<Counted>
  /** What `count` would answer with, less this request. Counts nothing. */
  look(key: string): Promise<Counted>
}

/** Beyond this many addresses a minute, new ones share the window of their wider network. Some 40 MB at most. */
const WINDOWS_MAX = 100_000

const NOTHING: Counted = { requests: 0, msLeft: WINDOW_SECONDS * 1000 }

/** How many of what all counted came to this process, of each window until it ends. */
const createShares = () => {
  const windows = new Map<string, { own: number; all: number; readonly until: number }>()

  const dropEnded = (): void => {
    for (const [window, { until }] of windows) {
      if (until > Date.now()) return
      windows.delete(window)
    }
  }

  return {
    /** One more came here, and `all` to all. Windows of one name are a minute apart. */
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
    /** How many came to all for each that came here. */
    weightOf: (window: string): number => {
      const { own, all, until } = windows.get(window) ?? { own: 1, all: 1, until: 0 }
      return until > Date.now() ? Math.max(1, Math.round(all / own)) : 1
    },
  }
}

/**
 * Together with other processes where that can be done, and else in this one, from what was known last. Each request stands then
 * for as many as all had for each of this one's, so that nobody gains who goes from one to the next. There is a bound on how many
 * keys it remembers.
 */
export const createRateCounter = (shared: SharedCounts | null = null, windowsMax = WINDOWS_MAX): RateCounter => {
  // Counts by wall time: a jump of the offline network's clock opens no window.
  // Points are compared by who asks and not here, because every partner may have a limit of its own.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: '' })
  const shares = createShares()
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

  const lookHere = async (window: string): Promise<Counted | null> => {
    const counted = await limiter.get(window)
    return counted && counted.msBeforeNext > 0 ? { requests: counted.consumedPoints, msLeft: counted.msBeforeNext } : null
  }

  const countHere = async (window: string): Promise<Counted> => {
    const counted = await limiter.consume(window, shares.weightOf(window))
    if (counted.isFirstInDuration) opened.thisMinute += 1
    return { requests: counted.consumedPoints, msLeft: counted.msBeforeNext }
  }

  /** What all have counted. Where it is less than what is known here, they have forgotten something. */
  const learn = async (window: string, known: Counted, askedAt: number): Promise<Counted> => {
    shares.learn(window, known.requests, askedAt + known.msLeft)
    const here = await lookHere(window)
    if (here && here.requests >= known.requests) return countHere(window)
    // It ends here no later than there: whoever may ask again there may do so here.
    const msLeft = known.msLeft - (Date.now() - askedAt)
    if (msLeft > 0) await limiter.set(window, known.requests, msLeft / 1_000)
    if (here === null) opened.thisMinute += 1
    return known
  }

  return {
    look: async (key) => {
      const window = isFull() && (await lookHere(key)) === null ? crowdOf(key) : key
      const [known, here] = [shared && (await shared.look(window)), await lookHere(window)]
      return here && here.requests > (known?.requests ?? 0) ? here : (known ?? here ?? NOTHING)
    },
    count: async (key) => {
      // The first octet or the first group: few enough to be counted whatever happens.
      const window = isFull() && (await lookHere(key)) === null ? crowdOf(key) : key
      const askedAt = Date.now()
      const known = shared && (await shared.count(window, await lookHere(window)))
      return known ? learn(window, known, askedAt) : countHere(window)
    },
  }
}
