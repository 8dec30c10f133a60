import type { Caller } from '../core/caller.ts'
import { pause } from '../net/pause.ts'
import { bindContext } from '../observe/callContext.ts'
import type { Observe } from '../observe/observe.ts'
import type { LeaseStore } from '../store/leases.ts'
import { createHeldLease } from './holdLease.ts'
import { SEARCH_PASS_MS } from './nextLook.ts'
import type { PassPorts, PassReport } from './pass.ts'
import { createPass } from './pass.ts'

/**
 * What is done with every pass, after the swaps were looked at, one after the other. `isCut`: there is more, to be gone on with.
 * The next pass begins beside tasks that take longer than an interval.
 */
export type SettlementTask = { readonly name: string; run(signal: AbortSignal): Promise<{ readonly isCut: boolean }> }

/** Follows the open swaps of partners without being asked, on one instance at a time. */
export interface Settlement {
  /** Runs a pass about every interval from here on, the first one soon. */
  start(): void
  /** One pass, or the one that is under way; null where another instance does it, or the store is in trouble. Never rejects. */
  runOnce(): Promise<PassReport | null>
  /** Ends what is under way, and lets another instance take over. Never rejects. */
  stop(): Promise<void>
}

export type SettlementPorts = PassPorts & {
  readonly leases: LeaseStore
  readonly tasks: readonly SettlementTask[]
  readonly observe: Observe
  readonly newId: () => string
  readonly random: () => number
}

/** So much of an interval it may be shorter or longer; and the part of it after which the first pass begins, at most. */
const JITTER = 0.1

/** A pass that was cut is gone on with. */
const AFTER_CUT_MS = 1_000

const NOBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 }

/** Whom its calls of venues are counted as. */
const CLIENT = 'settlement'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const createSettlement = (ports: SettlementPorts): Settlement => {
  const { leases, tasks, observe, newId, random, intervalMs } = ports
  const pass = createPass(ports)
  const lease = createHeldLease(leases, newId())
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
    for (const { name, run } of tasks) {
      if (signal.aborted) return
      try {
        const { isCut } = await run(signal)
        areTasksCut ||= isCut
      } catch (error) {
        if (!signal.aborted) observe({ event: 'settlement.task.failed', task: name, reason: reasonOf(error) })
      }
    }
  }

  const run = async (): Promise<PassReport | null> => {
    const isOurs = await lease.hold().catch(stopped)
    if (isOurs !== true) return null
    const signal = AbortSignal.any([stopping.signal, lease.lost])
    const request = { requestId: `settlement-${newId()}`, caller: NOBODY, client: CLIENT, signal, canWait: true } as const
    const report = await pass(bindContext(request, observe)).catch(stopped)
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
      // Those that were looked at are not due yet.
      const isToGoOn = areTasksCut || (report?.isCut === true && report.looked > 0)
      const afterMs = intervalMs * (1 - JITTER + 2 * JITTER * random())
      const searchMs =
        report !== null && report.searching > 0 ? Math.max(AFTER_CUT_MS, SEARCH_PASS_MS - report.elapsedMs) : afterMs
      wait(isToGoOn ? Math.min(AFTER_CUT_MS, intervalMs) : Math.min(searchMs, afterMs))
    }, ms)
    // What is open must not keep a process that has nothing else to do.
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
