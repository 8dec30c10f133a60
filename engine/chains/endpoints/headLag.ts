import type { ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { headAgeMaxMs } from './publicEndpoints.ts'

/** The next read of the newest block examines a lagging endpoint again after so long: doubled each time that it still lags. */
const RETRY = { firstMs: 60_000, longestMs: 600_000 } as const

/** The newest block that an endpoint showed, by the chain's own time and by ours, and when it last showed a newer one than before. */
type Reading = { readonly at: number; readonly readAt: number; readonly advancedAt: number }
type Lag = { readonly retryAt: number; readonly times: number }

type LagReport = { readonly position: number; readonly lagging: boolean; readonly behindMs: number }

/**
 * Judges the endpoints of one chain by the newest blocks that reads happen to show. An endpoint lags when another one shows a block
 * that is later by more than the bound. Its age by our clock, or a block that stays the same, only makes it a suspect: the next read of
 * the newest block then asks another endpoint first. So neither a wrong clock nor a halted chain demotes all. A lone endpoint is
 * reported by its age.
 */
export const createHeadLag = (chainId: ChainId, clock: Clock, report: (lag: LagReport) => void) => {
  const boundMs = headAgeMaxMs(chainId)
  const readings = new Map<number, Reading>()
  const lags = new Map<number, Lag>()

  const ageOf = ({ at, readAt, advancedAt }: Reading): number => Math.max(readAt - at, readAt - advancedAt)
  const othersOf = (position: number): readonly Reading[] =>
    [...readings].flatMap(([other, reading]) => (other === position ? [] : [reading]))
  /** By the other endpoints, at least: one that was read later may have advanced only since. A block of the future proves nothing. */
  const behind = (position: number, { at, readAt }: Reading): number => {
    const others = othersOf(position).filter((other) => other.at <= other.readAt + boundMs)
    return Math.max(0, ...others.map((other) => other.at - at - Math.max(0, other.readAt - readAt)))
  }
  /** Old by our clock, and no other endpoint was read since about then to compare it with. */
  const isSuspect = (position: number): boolean => {
    const reading = readings.get(position)
    if (!reading || ageOf(reading) <= boundMs) return false
    return !othersOf(position).some(({ readAt }) => readAt >= reading.readAt - boundMs)
  }
  const mark = (position: number, reading: Reading, count: number): void => {
    const behindMs = count > 1 ? behind(position, reading) : ageOf(reading)
    const lag = lags.get(position)
    if (behindMs > boundMs) {
      const times = (lag?.times ?? 0) + 1
      lags.set(position, { retryAt: clock.now() + Math.min(RETRY.firstMs * 2 ** (times - 1), RETRY.longestMs), times })
      if (!lag) report({ position, lagging: true, behindMs })
    } else if (lag && !isSuspect(position)) {
      lags.delete(position)
      report({ position, lagging: false, behindMs })
    }
  }

  return {
    /** `at`: epoch ms of the newest block that the endpoint at this place shows. `count`: how many endpoints the chain has. */
    saw: (position: number, at: number, count: number): void => {
      const now = clock.now()
      const before = readings.get(position)
      readings.set(position, { at, readAt: now, advancedAt: before && before.at >= at ? before.advancedAt : now })
      for (const [each, reading] of readings) if (each === position || !lags.has(each)) mark(each, reading, count)
    },
    /** Whether an endpoint is asked after the others. `isHead`: for the newest block, by which it is examined. */
    isLast: (position: number, isHead: boolean): boolean => {
      const lag = lags.get(position)
      if (!lag) return isHead && isSuspect(position)
      const leftMs = lag.retryAt - clock.now()
      return !isHead || (leftMs > 0 && leftMs <= RETRY.longestMs)
    },
  }
}
