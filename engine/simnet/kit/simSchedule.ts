import type { SimClock, SimSchedule } from './world.ts'

/** The schedule as the network drives it. */
export interface DrivenSchedule extends SimSchedule {
  /** Moves the clock, stopping at every due moment on the way. */
  advance(ms: number): Promise<void>
  /** Resolves when everything due by now is done. */
  settle(): Promise<void>
  close(): void
}

type Entry = { readonly atMs: number; readonly work: () => void | Promise<void> }

/** A clock that was moved behind the schedule's back is noticed this late at most. */
const LOOK_AGAIN_MS = 1_000

/** @param note - keeps what a piece of work threw */
export const createSchedule = ({
  clock,
  note,
}: {
  readonly clock: SimClock
  readonly note: (error: unknown) => void
}): DrivenSchedule => {
  const entries: Entry[] = []
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** The first of the earliest. */
  const takeDueBy = (atMs: number): Entry | null => {
    const next = entries.reduce<Entry | null>((first, entry) => (first && first.atMs <= entry.atMs ? first : entry), null)
    if (!next || next.atMs > atMs || isClosed) return null
    entries.splice(entries.indexOf(next), 1)
    return next
  }

  const moveBy = (ms: number): void => {
    if (ms > 0) clock.advance(ms)
  }

  const advanceNow = async (ms: number): Promise<void> => {
    let left = ms
    for (let next = takeDueBy(clock.now() + left); next; next = takeDueBy(clock.now() + left)) {
      const step = Math.max(0, Math.min(left, next.atMs - clock.now()))
      left -= step
      try {
        moveBy(step)
        await next.work()
      } catch (error) {
        note(error)
      }
    }
    moveBy(left)
  }

  const advance = (ms: number): Promise<void> => {
    const turn = running.then(() => advanceNow(ms))
    running = turn.catch(() => undefined).then(arm)
    return turn
  }

  const arm = (): void => {
    clearTimeout(timer)
    if (entries.length === 0 || isClosed) return
    const first = Math.min(...entries.map(({ atMs }) => atMs))
    const waitMs = Math.min(Math.max(first - clock.now(), 1), LOOK_AGAIN_MS)
    timer = setTimeout(() => void advance(0), waitMs).unref()
  }

  return {
    at: (atMs, work) => {
      entries.push({ atMs, work })
      arm()
    },
    advance,
    settle: () => (entries.length === 0 ? running : advance(0)),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
