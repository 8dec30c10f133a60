import { BITCOIN, type ChainId } from '../../core/chain.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import { SwapError } from '../../errors.ts'

/** Compares our clock with the newest blocks that reads of the chains happen to show. */
export interface ChainClock {
  /** `at`: epoch ms of the newest block that an endpoint of the chain shows. */
  saw(chainId: ChainId, position: number, at: number): void
  /**
   * How far our clock is ahead of the chains, ms; negative: behind. While fewer than two endpoints are known: at the least, by the newest
   * of the first blocks of two chains. Null while no two chains were read.
   */
  aheadMs(): number | null
  /** How wrong deadlines by our clock are, ms as above, by most chains and at least two; null: right, or not known. */
  wrongByMs(): number | null
  /** The chains that are compared with; `withinMs`: those that showed a later block so recently. */
  chains(withinMs?: number): readonly ChainId[]
}

/** The maximum age of most newest blocks, ms, where our clock is right. */
export const NEWEST_AGE_MS_MAX = 5 * 60_000
/** Clocks of block producers may be ahead of ours by this many ms. */
const BEHIND_MS_MAX = 60_000
/** How far the clocks of two instances may differ, ms, with neither of them wrong. */
export const CLOCKS_APART_MS_MAX = NEWEST_AGE_MS_MAX + BEHIND_MS_MAX
/** The process's own measure of time drifts, and stops while its machine sleeps. */
const READING_MS = 15 * 60_000
/** How far the nodes behind one endpoint may differ, ms. */
const NODES_APART_MS = 60_000

const CLOCK_WRONG = 'The clock of this instance is wrong. Repeat the same request after the given seconds.'

/**
 * A wrong clock gives quotes and payloads wrong deadlines. Throws OVERLOADED: other instances may have the right time. `ref`: of a
 * payload that was built before.
 */
export const requireRightClock = (chainClock: ChainClock, ref: string | null = null): void => {
  const details = { retryAfterSec: 5, retryable: true, ...(ref !== null && { statusRef: ref }) }
  if (chainClock.wrongByMs() !== null) throw new SwapError('OVERLOADED', CLOCK_WRONG, { details })
}

/** The highest value that more than half of some values reach. */
const mostReach = (values: readonly number[]): number => values.toSorted((a, b) => b - a)[Math.floor(values.length / 2)] ?? 0

/** How far our clock is ahead, ms, negative: behind. `ages`: by chain, the age of each endpoint's newest block by our clock. */
export const clockAheadMs = (ages: readonly (readonly number[])[]): number => {
  const behind = mostReach(ages.map((chain) => mostReach(chain.map((age) => -age))))
  return behind > 0 ? -behind : Math.max(0, mostReach(ages.map(mostReach)))
}

/** `readAt`: by `monotonic`, when first seen. `isLive`: the endpoint showed an earlier one before; null: it showed one, once. */
type Reading = { readonly at: number; readonly readAt: number; readonly isLive: boolean | null }

/**
 * An endpoint counts once it has shown a later block than before. A stuck endpoint does not count, and neither does a chain
 * without new blocks. `monotonic`: ms, never running backwards.
 */
export const createChainClock = (
  clock: Clock,
  monotonic: () => number = clock === systemClock ? () => performance.now() : clock.now,
): ChainClock => {
  const chains = new Map<ChainId, Map<number, Reading>>()
  /** Of each chain, how old the newest block of each endpoint that counts is by our clock. */
  const known = (withinMs = READING_MS, least: (isLive: boolean | null) => boolean = (isLive) => isLive === true) => {
    const [now, ours] = [monotonic(), clock.now()]
    return [...chains].flatMap(([chainId, readings]) => {
      const live = [...readings.values()].filter(({ isLive, readAt }) => least(isLive) && now - readAt < withinMs)
      return live.length > 0 ? [{ chainId, ages: live.map(({ at, readAt }) => ours - (at + now - readAt)) }] : []
    })
  }
  const aheadMs = (): number | null => {
    const ages = known().map((chain) => chain.ages)
    if (ages.flat().length > 1) return clockAheadMs(ages)
    const first = known(READING_MS, (isLive) => isLive !== false).map((chain) => Math.min(...chain.ages))
    return first.length < 2 ? null : Math.max(0, Math.min(...first))
  }

  return {
    saw: (chainId, position, at) => {
      // A reading of Bitcoin is the height of its newest block as a time.
      if (chainId === BITCOIN) return
      const readings = chains.get(chainId) ?? new Map<number, Reading>()
      chains.set(chainId, readings)
      const before = readings.get(position)
      if (before && at <= before.at && at > before.at - NODES_APART_MS) {
        if (before.isLive === null) readings.set(position, { ...before, isLive: false })
        return
      }
      readings.set(position, { at, readAt: monotonic(), isLive: before === undefined ? null : at > before.at })
    },
    aheadMs,
    wrongByMs: () => {
      const ms = known().length < 2 ? null : aheadMs()
      return ms !== null && (ms > NEWEST_AGE_MS_MAX || ms < -BEHIND_MS_MAX) ? ms : null
    },
    chains: (withinMs) => known(withinMs).map(({ chainId }) => chainId),
  }
}
