import type { Clock } from '../core/clock.ts'
import { UNTIL_COMPARED } from '../health/clockReads.ts'
import { deadline } from '../net/deadline.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { QueuedSwap, SettlementQueue } from '../store/settlementQueue.ts'
import type { LookAt } from './lookAt.ts'
import { PAUSE_MS_MAX, YOUNG } from './nextLook.ts'

/** How many swaps of one venue are read at the same time, and how many per query. */
const AT_ONCE = 4
const PAGE = 100

/** A clock that went back by more than this between two passes was set back. */
const SET_BACK_MS = 60_000
/** The first pass after this instance took the lease brings forward the swaps that changed in the last day. */
const FIRST_MS = 86_400_000

export type PassPorts = {
  readonly queue: SettlementQueue
  readonly lookAt: LookAt
  readonly clock: Clock
  /** False while due times by `clock` are wrong. `waitMs`: how long a clock that is not compared yet counts as wrong. */
  readonly isClockRight: (waitMs?: number) => boolean
  readonly intervalMs: number
  readonly abandonAfterMs: number
  /** The limit of a pass, so that swaps paid meanwhile come first in the next one. */
  readonly passMsMax: number
}

/** The result of a pass. `isCut`: some due swaps were not read. */
export type PassReport = {
  readonly looked: number
  readonly ended: number
  readonly failed: number
  readonly abandoned: number
  readonly open: number
  readonly oldestMs: number
  readonly elapsedMs: number
  /** How many wait for a search of a chain. */
  readonly searching: number
  readonly isCut: boolean
}

type Tally = { looked: number; ended: number; failed: number; searching: number; isCut: boolean }

/** The due swaps of a venue, paid ones first, then by time. One page is in memory. */
const createFeed = (queue: SettlementQueue, venue: string, dueBy: number) => {
  let phases: readonly boolean[] = [true, false]
  let page: QueuedSwap[] = []
  let after: QueuedSwap | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const read = async (): Promise<QueuedSwap | null> => {
    for (;;) {
      const next = page.shift()
      const [isPaid] = phases
      if (next !== undefined || isPaid === undefined) return next ?? null
      page = [...(await queue.due({ venue, isPaid, dueBy, after, limit: PAGE }))]
      after = page.at(-1) ?? null
      if (after === null) phases = phases.slice(1)
    }
  }

  return (): Promise<QueuedSwap | null> => {
    const answer = turn.then(read)
    turn = answer.catch(() => undefined)
    return answer
  }
}

/** Waits for all, then rejects with the first failure: no work continues after a pass. */
const allEnded = async (works: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(works)
  await Promise.all(works)
}

/** What is due later than possible, or than soon after the clock was set back, is due now. */
const createBringForward = ({ queue, intervalMs }: PassPorts) => {
  let before: number | null = null
  return (now: number, isFirst: boolean): Promise<void> => {
    const startedAt = now - performance.now()
    const isSetBack = before !== null && startedAt < before - SET_BACK_MS
    const [since, pauseMs] = isFirst ? [now - FIRST_MS, 0] : isSetBack ? [0, 0] : [now - YOUNG.ageMs, YOUNG.pauseMs]
    before = startedAt
    const recent = { since, latest: now + Math.max(pauseMs, intervalMs) }
    return queue.bringForward(now + Math.max(PAUSE_MS_MAX, intervalMs), recent)
  }
}

/** Reads all due swaps. Each venue has its own lane, so a slow venue holds back no other. */
export const createPass = (ports: PassPorts) => {
  const { queue, lookAt, clock, isClockRight, abandonAfterMs, passMsMax } = ports
  const bringForward = createBringForward(ports)

  const runLane = async (venue: string, dueBy: number, tally: Tally, context: CallContext): Promise<void> => {
    const next = createFeed(queue, venue, dueBy)
    let isResting = false
    const work = async (): Promise<void> => {
      while (!isResting && isClockRight()) {
        const swap = await next()
        if (swap === null) return
        context.signal.throwIfAborted()
        const sight = await lookAt(swap, context)
        if (sight === 'unheard') {
          isResting = true
          tally.isCut = true
          return
        }
        tally.looked += 1
        if (sight === 'ended') tally.ended += 1
        if (sight === 'failed') tally.failed += 1
        if (sight === 'searching') tally.searching += 1
      }
    }
    await allEnded(Array.from({ length: AT_ONCE }, work))
  }

  const runLanes = async (tally: Tally, context: CallContext): Promise<void> => {
    const dueBy = clock.now()
    const left = deadline(passMsMax, context.signal)
    const trouble = new AbortController()
    const signal = AbortSignal.any([left.signal, trouble.signal])
    const lanes = (await queue.lengths()).map(async ({ venue }) => {
      try {
        await runLane(venue, dueBy, tally, { ...context, signal })
      } catch (error) {
        tally.isCut = true
        if (signal.aborted) return
        trouble.abort(error)
        throw error
      }
    })
    try {
      await allEnded(lanes)
    } finally {
      left.clear()
    }
  }

  /** `isFirst`: the holder before may have had a wrong clock. */
  return async (context: CallContext, isFirst: boolean): Promise<PassReport> => {
    const startedAt = performance.now()
    const now = clock.now()
    await bringForward(now, isFirst)
    const tally: Tally = { looked: 0, ended: 0, failed: 0, searching: 0, isCut: false }
    await runLanes(tally, context)
    // After a last read: the swap may not have been read for long.
    const abandoned = isClockRight(UNTIL_COMPARED) ? await queue.abandonSince(now - abandonAfterMs, now) : 0
    const lengths = await queue.lengths()
    const oldestSince = Math.min(clock.now(), ...lengths.map((one) => one.oldestSince))
    const report: PassReport = {
      ...tally,
      abandoned,
      open: lengths.reduce((sum, { open }) => sum + open, 0),
      oldestMs: clock.now() - oldestSince,
      elapsedMs: Math.round(performance.now() - startedAt),
    }
    if (isClockRight()) await queue.recordPass()
    context.observe({ event: 'settlement.pass', ...report })
    return report
  }
}
