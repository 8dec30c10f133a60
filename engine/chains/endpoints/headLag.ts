import { BITCOIN, type ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { headAgeMaxMs } from './publicEndpoints.ts'

/** The next read of the newest block examines a lagging endpoint again after so long: doubled each time that it still lags. */
const RETRY = { firstMs: 60_000, longestMs: 600_000 } as const

/** The newest block of an endpoint, by the chain's time and by ours, and when it last showed a newer one than before. */
type Reading = { readonly at: number; readonly readAt: number; readonly advancedAt: number }
type Lag = { readonly retryAt: number; readonly times: number }

type LagReport = { readonly position: number; readonly lagging: boolean; readonly behindMs: number }

/**
 * Judges the endpoints of one chain by the newest blocks that reads happen to show. An endpoint lags when another one shows a
 * block that is later by more than the bound. A block that is far from our clock, or stays the same, only makes it a suspect. The
 * next read of the newest block then prefers another endpoint. When all are as far off, the chain has stopped or our clock is
 * wrong: all are reported, and the order stays. A block of the future is reported too, where another endpoint shows a current
 * one. An endpoint of Bitcoin also lags by the times of its blocks: a height may be false, but a block time long past is proof.
 */
export const createHeadLag = (chainId: ChainId, clock: Clock, report: (lag: LagReport) => void) => {
  const boundMs = headAgeMaxMs(chainId)
  const readings = new Map<number, Reading>()
  /** Of Bitcoin, by the times of blocks. */
  const timed = new Map<number, Reading>()
  const lags = new Map<number, Lag>()
  const reported = new Set<number>()
  let [endpoints, areAllOff] = [1, false]

  // A reading of Bitcoin is the height of its newest block as a time, and is only compared with other endpoints.
  const ageOf = ({ at, readAt, advancedAt }: Reading): number =>
    Math.max(chainId === BITCOIN ? 0 : Math.abs(readAt - at), readAt - advancedAt)
  const isOff = (reading: Reading | undefined): boolean => reading !== undefined && ageOf(reading) > boundMs
  const isOld = (reading: Reading | undefined): boolean => reading !== undefined && reading.at < reading.readAt - boundMs
  /** By other endpoints, at least: one read later may have advanced since. A block of the future counts as of now at most. */
  const behind = (position: number, of: ReadonlyMap<number, Reading> = readings): number => {
    const own = of.get(position)
    const others = [...of].flatMap(([other, { at, readAt }]) =>
      own === undefined || other === position || at > readAt + boundMs
        ? []
        : [Math.min(at, readAt) - own.at - Math.max(0, readAt - own.readAt)],
    )
    return Math.max(0, ...others)
  }
  const all = (): readonly (Reading | undefined)[] =>
    Array.from({ length: endpoints }, (_none, position) => readings.get(position))
  /** Off, and another endpoint was not read since about then to compare it with. */
  const isSuspect = (position: number): boolean => {
    const reading = readings.get(position)
    if (!reading || !isOff(reading)) return false
    return all().some((other) => other === undefined || other.readAt < reading.readAt - boundMs)
  }
  const mark = (position: number, reading: Reading): void => {
    const lag = lags.get(position)
    // No time proves a height: against an endpoint of Bitcoin that still shows newer blocks, a higher one proves nothing.
    const mayLag = chainId !== BITCOIN || isOff(reading)
    if ((mayLag && behind(position) > boundMs) || behind(position, timed) > boundMs) {
      const times = (lag?.times ?? 0) + 1
      lags.set(position, { retryAt: clock.now() + Math.min(RETRY.firstMs * 2 ** (times - 1), RETRY.longestMs), times })
    } else if (lag && !isSuspect(position) && !isOld(timed.get(position))) lags.delete(position)
  }
  const tell = (position: number, reading: Reading | undefined): void => {
    const isOfFuture = reading !== undefined && reading.at > reading.readAt + boundMs
    const isContradicted = isOfFuture && all().some((other) => other !== undefined && !isOff(other))
    const lagging = lags.has(position) || (isOff(reading) && (areAllOff || isContradicted))
    if (lagging === reported.has(position)) return
    reported[lagging ? 'add' : 'delete'](position)
    const isCompared = lags.has(position) || !isOff(reading)
    report({ position, lagging, behindMs: reading ? (isCompared ? behind(position) : ageOf(reading)) : 0 })
  }

  return {
    /**
     * `at`: epoch ms of the newest block that the endpoint at this place shows; a height of Bitcoin as a time. `time`: by the times
     * of Bitcoin's blocks. `count`: how many endpoints the chain has. Returns whether it lags.
     */
    saw: (position: number, at: number, count: number, time?: number): boolean => {
      const now = clock.now()
      const before = readings.get(position)
      // It was to be asked after the others: those failed.
      const isAgain = isSuspect(position)
      endpoints = count
      const own = { at, readAt: now, advancedAt: before && before.at >= at ? before.advancedAt : now }
      // The chain continues, or our clock was set: earlier readings are not comparable.
      if (areAllOff && isOff(before) && !isOff(own)) for (const each of [readings, timed]) each.clear()
      readings.set(position, own)
      if (time !== undefined) timed.set(position, { ...own, at: time })
      for (const [each, reading] of readings) if (each === position || !lags.has(each)) mark(each, reading)
      if (!isOff(own)) areAllOff = false
      else if (isAgain || all().every(isOff)) areAllOff = true
      for (const [each, reading] of all().entries()) tell(each, reading)
      return lags.has(position)
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
