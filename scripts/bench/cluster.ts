import { availableParallelism, loadavg } from 'node:os'
import type { Child, Children } from './children.ts'
import { QUOTE } from './edge.ts'
import { atLeast, type Figure, formatRate } from './figure.ts'
import { createLoad, type Slice, sendMany } from './load.ts'
import type { Effort } from './options.ts'
import { VENUES } from './product/sample.ts'
import { interleave, median, medianOfRounds } from './samples.ts'
import type { Usage } from './servers/parent.ts'
import { serviceFlags } from './serviceFlags.ts'

const PROCESSES = 2
/** Of two processes over one, by the clock. */
const GOAL = 1.7
/** Each process is to have compiled what it runs, as one that is alone has by the same load. */
const WARM_UP_REQUESTS = 8_000

/** What a slice took beside the service itself, in cores. */
type Beside = { readonly load: number; readonly venues: number }

/** Of this process, which is the load. */
const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const createWatchedLoad = (server: Child, venues: Child, seconds: number): (() => Promise<Slice & Beside>) => {
  const load = createLoad(server, QUOTE, seconds)
  return async () => {
    const [before, own] = [await venues.ask<Usage>('usage'), ownCpuMs()]
    const slice = await load()
    const after = await venues.ask<Usage>('usage')
    const elapsedMs = after.atMs - before.atMs
    return { ...slice, load: (ownCpuMs() - own) / elapsedMs, venues: (after.cpuMs - before.cpuMs) / elapsedMs }
  }
}

/**
 * Quotes with an offer a second, of a cluster over one process. By the clock that tells of the cluster only where load and venues
 * leave it a core for each process; quotes a second of processor time tell how much of another core would become quotes.
 */
export const measureCluster = async (
  children: Children,
  { isQuick, rounds, sliceSeconds }: Effort,
): Promise<readonly Figure[]> => {
  const venues = await children.start('venues.ts', VENUES)
  const origins = venues.ready
  const start = (processes: number) => children.start('cluster.ts', { origins, processes }, serviceFlags())
  const servers = {
    alone: await children.start('product.ts', { venues: { loopback: origins } }, serviceFlags()),
    one: await start(1),
    more: await start(PROCESSES),
  }
  const watched = (server: Child) => createWatchedLoad(server, venues, sliceSeconds)
  const loads = { alone: watched(servers.alone), one: watched(servers.one), more: watched(servers.more) }
  if (!isQuick) await sendMany(servers.more, QUOTE, WARM_UP_REQUESTS * (PROCESSES - 1))
  const measured = await interleave(loads, rounds)
  const ratio = (name: 'one' | 'more', of: (slice: Slice) => number): number =>
    medianOfRounds(measured[name], measured.alone, (a, b) => of(a) / of(b))
  const middle = (name: 'alone' | 'one' | 'more', of: (slice: Slice & Beside) => number): number => median(measured[name].map(of))
  const perCore = ({ perCoreSecond }: Slice): number => perCoreSecond
  const perSecond = (slice: Slice): number => slice.perSecond
  const cores = availableParallelism()
  const [load, far] = [middle('more', (slice) => slice.load), middle('more', (slice) => slice.venues)]
  const hasCores = cores - load - far >= PROCESSES
  const byClock = ratio('more', perSecond)
  return [
    {
      name: `    cluster of ${PROCESSES}: quotes a second of processor time, to one process`,
      measured: ratio('more', perCore).toFixed(2),
      absolute: `${formatRate(middle('more', perCore))} to ${formatRate(middle('alone', perCore))}, ${VENUES} loopback venues; with a core for each that makes ${(PROCESSES * ratio('more', perCore)).toFixed(2)} times as many`,
      goal: atLeast(ratio('more', perCore), GOAL / PROCESSES),
    },
    {
      name: `    cluster of 1: quotes a second of processor time, to one process`,
      measured: ratio('one', perCore).toFixed(2),
      absolute: formatRate(middle('one', perCore)),
      goal: null,
    },
    {
      name: `    cluster of ${PROCESSES}: quotes a second by the clock, to one process`,
      measured: byClock.toFixed(2),
      absolute: `${formatRate(middle('more', perSecond))} to ${formatRate(middle('alone', perSecond))}; of ${cores} cores the load took ${load.toFixed(2)}, the venues ${far.toFixed(2)}; load average ${loadavg()[0]?.toFixed(1)}${hasCores ? '' : '; too few cores to hold it to its goal'}`,
      goal: hasCores ? atLeast(byClock, GOAL) : null,
    },
  ]
}
