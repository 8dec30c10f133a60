import type { ChainClock } from '../chains/endpoints/chainClock.ts'
import type { Health } from '../core/answers.ts'
import type { ChainId } from '../core/chain.ts'
import { canOpen } from '../net/descriptors.ts'
import type { Observe } from '../observe/observe.ts'
import type { Store } from '../store/store.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { ClockReads } from './clockReads.ts'
import type { Problem } from './healthState.ts'
import type { Outages } from './outages.ts'
import { createStoreHealth } from './storeHealth.ts'
import type { VenueReach } from './venueReach.ts'

/** The health of everything that the service depends on. */
export interface HealthWatch {
  /** The report for callers. Waits briefly for checks without a result yet. */
  report(): Promise<Health>
  /** The problems at this moment. */
  problems(): readonly Problem[]
  /** The state of all venues at this moment. */
  venues(): Health['venues']
  /** False while fewer than two chains are readable. True on the offline network, and while the clock is wrong. */
  isClockCompared(): boolean
  /** Runs the checks that are due. `start` repeats it. Never rejects. */
  look(): Promise<void>
  /** Calls `afterLook` after each run. */
  start(afterLook: () => void): void
  stop(): Promise<void>
}

export type HealthWatchParts = {
  readonly venues: readonly GuardedVenue[]
  /** Venues that are disabled because their key is missing. */
  readonly venuesWithoutKey: readonly string[]
  readonly store: Pick<Store, 'probe'>
  readonly outages: Outages
  readonly reach: Pick<VenueReach, 'isCutOff' | 'look' | 'stop'>
  /** Any read from an endpoint of the chain. */
  readonly readChain: (chainId: ChainId, signal: AbortSignal) => Promise<unknown>
  readonly chainClock: ChainClock
  readonly clockReads: Pick<ClockReads, 'look' | 'stop' | 'verdict'>
  /** Any call of the payment facilitator; null without one. */
  readonly askFacilitator: (() => Promise<unknown>) | null
  readonly observe: Observe
  /** Ms, never running backwards. */
  readonly now: () => number
}

const LOOK_MS = 1_000
/** Ms between two probes of a dependency that is down. */
const OUTSIDE_LOOK_MS = 5_000

/** Probes the chains and the facilitator that are down, so that recovery is detected without other requests. */
const createOutsideLook = ({ outages, readChain, askFacilitator, now }: HealthWatchParts) => {
  const asked = new Map<number | 'facilitator', Promise<unknown>>()
  const over = new AbortController()
  let dueAt = Number.NEGATIVE_INFINITY
  const ask = (key: number | 'facilitator', call: () => Promise<unknown>): void => {
    if (asked.has(key)) return
    const ended = call()
      .catch(() => undefined)
      .finally(() => asked.delete(key))
    asked.set(key, ended)
  }
  return {
    look: (): void => {
      if (now() < dueAt) return
      dueAt = now() + OUTSIDE_LOOK_MS
      if (outages.isFacilitatorDown && askFacilitator) ask('facilitator', askFacilitator)
      for (const chainId of outages.chainsDown) ask(chainId, () => readChain(chainId as ChainId, over.signal))
    },
    stop: async (): Promise<void> => {
      over.abort()
      await Promise.all(asked.values())
    },
  }
}

/** A venue without its key is reported, but is no trouble: no request depends on it. */
const venuesOf = ({ venues, venuesWithoutKey }: HealthWatchParts): Health['venues'] => {
  const enabled = venues.filter(({ isEnabled }) => isEnabled)
  const keyless = venues.filter(({ profile }) => venuesWithoutKey.includes(profile.id))
  return [
    ...enabled.map(({ profile: { id, name }, trouble: met, failing, answers: { rejecting } }) => {
      const trouble = met ?? (rejecting.some(({ isWhole }) => isWhole) ? ('failing' as const) : null)
      return { id, name, trouble, ...(failing.length > 0 && { failing }), off: null, rejecting }
    }),
    ...keyless.map(({ profile: { id, name } }) => ({ id, name, trouble: null, off: 'keyMissing' as const, rejecting: [] })),
  ]
}

export const createHealthWatch = (parts: HealthWatchParts): HealthWatch => {
  const { venues, outages, reach, chainClock, clockReads, observe } = parts
  const store = createStoreHealth(parts)
  const outside = createOutsideLook(parts)
  let [isStarved, wasRight] = [false, true]
  let timer: NodeJS.Timeout | undefined
  outages.onStoreFailure(() => store.suspect())

  const problems = (): readonly Problem[] => {
    const enabled = venues.filter(({ isEnabled }) => isEnabled)
    const found: Record<Exclude<Problem, 'starting' | 'draining'>, boolean> = {
      store: store.trouble !== null,
      venues: reach.isCutOff || enabled.every(({ isResting }) => isResting),
      descriptors: isStarved,
      clock: chainClock.wrongByMs() !== null,
      venue: venuesOf(parts).some(({ trouble }) => trouble !== null),
      chain: outages.chainsDown.length > 0,
      facilitator: outages.isFacilitatorDown,
    }
    return (Object.keys(found) as (keyof typeof found)[]).filter((problem) => found[problem])
  }

  const look = async (): Promise<void> => {
    isStarved = !canOpen()
    const aheadMs = chainClock.wrongByMs()
    if (wasRight !== (aheadMs === null)) observe({ event: 'clock.health', healthy: aheadMs === null, aheadMs })
    wasRight = aheadMs === null
    for (const venue of venues) venue.reportHealth()
    outside.look()
    clockReads.look()
    reach.look()
    await store.look()
  }

  return {
    problems,
    venues: () => venuesOf(parts),
    isClockCompared: () => clockReads.verdict() !== 'uncompared',
    look,
    report: async () => {
      await look()
      return { isDegraded: problems().length > 0, venues: venuesOf(parts) }
    },
    start: (afterLook) => {
      clockReads.look()
      timer ??= setInterval(() => void look().then(afterLook), LOOK_MS)
      timer.unref()
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all([outside.stop(), clockReads.stop(), reach.stop()])
    },
  }
}
