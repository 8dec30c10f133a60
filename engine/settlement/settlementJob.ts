import type { Caller } from '../core/caller.ts'
import { UNTIL_COMPARED } from '../health/clockReads.ts'
import { pause } from '../net/pause.ts'
import { bindContext } from '../observe/callContext.ts'
import type { Observe } from '../observe/observe.ts'
import type { LeaseStore } from '../store/leases.ts'
import { createHeldLease, LEASE_MS } from './holdLease.ts'
import { SEARCH_PASS_MS } from './nextLook.ts'
import type { PassPorts, PassReport } from './pass.ts'
import { createPass } from './pass.ts'

/**
 * Work of every pass after the swaps, one task after the other. `isCut`: there is more to do. The next pass does not wait for
 * tasks that take longer than an interval.
 */
export type SettlementTask = {
  readonly name: string
  /** It deletes what is old by the clock. */
  readonly isPruning?: boolean
  /** `isClockRight`: false while it must begin nothing more. */
  run(signal: AbortSignal, isClockRight?: () => boolean): Promise<{ readonly isCut: boolean }>
}

/** Follows open swaps without requests, on one instance at a time. */
export interface Settlement {
  /** Starts a pass about every interval, the first one soon. */
  start(): void
  /** Runs a pass, or returns the running one. Null if another instance runs it or the store fails. Never rejects. */
  runOnce(): Promise<PassReport | null>
  /** Ends the running pass and releases the lease. Never rejects. */
  stop(): Promise<void>
}

export type SettlementPorts = PassPorts & {
  readonly leases: LeaseStore
  readonly tasks: readonly SettlementTask[]
  readonly observe: Observe
  readonly newId: () => string
  readonly random: () => number
}

/** The random share of an interval, and the largest share before the first pass. */
const JITTER = 0.1

/** Two instances whose clocks are minutes apart may take the lease from each other: so many takes in so long count. */
const TAKES = { max: 4, inMs: 15 * 60_000 } as const

/** The pause before an interrupted pass continues. */
const AFTER_CUT_MS = 1_000

const NOBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 }

/** The client id of settlement's venue calls. */
const CLIENT = 'settlement'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * True for the first pass after a take of the lease, and for a pass after the last writes of the former holder. Its clock may have
 * been wrong.
 */
const createIsFirst = () => {
  let takes: readonly number[] = []
  let dueAt: readonly number[] = []
  return (isTaken: boolean): boolean => {
    const now = performance.now()
    takes = takes.filter((at) => now - at < TAKES.inMs)
    if (isTaken && takes.length < TAKES.max) {
      takes = [...takes, now]
      dueAt = [now, now + LEASE_MS]
    }
    const isFirst = dueAt.some((at) => at <= now)
    dueAt = dueAt.filter((at) => at > now)
    return isFirst
  }
}

export const createSettlement = (ports: SettlementPorts): Settlement => {
  const { leases, tasks, observe, newId, random, intervalMs, isClockRight } = ports
  const pass = createPass(ports)
  const lease = createHeldLease(leases, newId())
  const isFirst = createIsFirst()
  const stopping = new AbortController()
  let underWay: Promise<PassReport | null> | null = null
  let timer: NodeJS.Timeout | null = null
  let areTasksCut = false
  let tasksUnderWay: Promise<void> | null = null

  const stopped = (error: unknown): null => {
    if (!stopping.signal.aborted) observe({ event: 'settlement.stopped', reason: reasonOf(error) })
    return null
  }

  const runTasks = async (signal: AbortSignal): Promise<void> => {
    areTasksCut = false
    for (const { name, run, isPruning } of tasks) {
      if (signal.aborted || !isClockRight()) return
      if (isPruning && !isClockRight(UNTIL_COMPARED)) continue
      try {
        const { isCut } = await run(signal, isClockRight)
        areTasksCut ||= isCut
      } catch (error) {
        if (!signal.aborted) observe({ event: 'settlement.task.failed', task: name, reason: reasonOf(error) })
      }
    }
  }

  const run = async (): Promise<PassReport | null> => {
    if (!isClockRight()) {
      // Another instance may have the right time.
      if (tasksUnderWay === null) await lease.release().catch(() => undefined)
      return null
    }
    const held = await lease.hold().catch(stopped)
    if (held === null || held === 'other') return null
    const signal = AbortSignal.any([stopping.signal, lease.lost])
    const request = { requestId: `settlement-${newId()}`, caller: NOBODY, client: CLIENT, signal, canWait: true } as const
    const report = await pass(bindContext(request, observe), isFirst(held === 'taken')).catch(stopped)
    const atEnd = new AbortController()
    tasksUnderWay ??= runTasks(signal).finally(() => {
      tasksUnderWay = null
    })
    void tasksUnderWay.then(() => atEnd.abort())
    await pause(intervalMs, atEnd.signal)
    return report
  }

  const runOnce: Settlement['runOnce'] = () => {
    if (stopping.signal.aborted) return Promise.resolve(null)
    underWay ??= run().finally(() => {
      underWay = null
    })
    return underWay
  }

  const wait = (ms: number): void => {
    if (stopping.signal.aborted) return
    timer = setTimeout(async () => {
      const report = await runOnce()
      // Swaps that were read are no longer due.
      const isToGoOn = !isClockRight() || areTasksCut || (report?.isCut === true && report.looked > 0)
      const afterMs = intervalMs * (1 - JITTER + 2 * JITTER * random())
      const searchMs =
        report !== null && report.searching > 0 ? Math.max(AFTER_CUT_MS, SEARCH_PASS_MS - report.elapsedMs) : afterMs
      wait(isToGoOn ? Math.min(AFTER_CUT_MS, intervalMs) : Math.min(searchMs, afterMs))
    }, ms)
    // The timer must not keep an idle process alive.
    timer.unref()
  }

  return {
    start: () => wait(intervalMs * JITTER * random()),
    runOnce,
    stop: async () => {
      stopping.abort(new Error('the service stops'))
      if (timer !== null) clearTimeout(timer)
      await underWay
      await tasksUnderWay
      await lease.release().catch(() => undefined)
    },
  }
}
