import { statfs } from 'node:fs/promises'
import type { Clock } from '../../core/clock.ts'
import { untilAborted, withDeadline } from '../../net/deadline.ts'
import type { Backlog, OpenSwaps } from '../../store/operatorReads.ts'
import type { Catalogue } from './catalogue.ts'

/** The open work by the records. */
export type RecordReads = {
  openSwaps(): Promise<readonly OpenSwaps[]>
  backlog(now: number): Promise<Backlog>
}

/** Bounds on reads of the records, for any number of scrapes: their frequency, and their share of the time. */
const FRESH_MS = 15_000
const SHARE = 1 / 200
/** A scrape waits at most this long, and omits values that are unknown by then. */
const PATIENCE_MS = 2_000

/** `dataDir`: the folder whose disk is measured. */
type RecordGaugesOptions = { readonly clock: Clock; readonly dataDir: string; readonly elapsed?: () => number }

const age = (now: number, at: number | null): number => (at === null ? 0 : Math.max(0, now - at) / 1_000)

const tell = (to: Catalogue, now: number, swaps: readonly OpenSwaps[], backlog: Backlog): void => {
  const { looks, deliveries, oldestUnseenAt, backedUpAt, passedAt } = backlog
  for (const { state, count, oldestAt } of swaps) {
    to.openSwaps.set(count, state)
    if (oldestAt !== null) to.oldestOpen.set(age(now, oldestAt), state)
  }
  to.settlementOpen.set(looks.open)
  to.settlementDue.set(looks.due)
  to.settlementLag.set(age(now, looks.oldestDueAt))
  to.settlementAbandoned.set(looks.abandoned)
  to.oldestUnseen.set(age(now, oldestUnseenAt))
  to.lastBackup.set((backedUpAt ?? 0) / 1_000)
  if (passedAt !== null) to.lastPass.set(passedAt / 1_000)
  to.webhooksDue.set(deliveries.due)
  to.webhookLag.set(age(now, deliveries.oldestDueAt))
  to.webhooksUnfinished.set(deliveries.unfinished)
  to.storeReadable.set(1)
}

const clearAll = (to: Catalogue): void => {
  const { openSwaps, oldestOpen, settlementOpen, settlementDue, settlementLag, settlementAbandoned } = to
  const { webhooksDue, webhookLag, webhooksUnfinished, oldestUnseen, lastBackup, lastPass } = to
  for (const gauge of [openSwaps, oldestOpen, settlementOpen, settlementDue, settlementLag, settlementAbandoned]) gauge.clear()
  for (const gauge of [webhooksDue, webhookLag, webhooksUnfinished, oldestUnseen, lastBackup, lastPass]) gauge.clear()
  to.storeReadable.set(0)
}

/** Updates the gauges of the records and their disk before a scrape, if due. Never rejects. */
export const createRecordGauges = (
  to: Catalogue,
  reads: RecordReads,
  { clock, dataDir, elapsed = () => performance.now() }: RecordGaugesOptions,
): (() => Promise<void>) => {
  let freshUntil = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null

  const read = async (): Promise<void> => {
    const startedAt = elapsed()
    const disk = await statfs(dataDir).catch(() => null)
    to.freeBytes.clear()
    if (disk) to.freeBytes.set(disk.bavail * disk.bsize)
    try {
      const [swaps, backlog] = [await reads.openSwaps(), await reads.backlog(clock.now())]
      clearAll(to)
      tell(to, clock.now(), swaps, backlog)
    } catch {
      // The store reports the reason of its failure.
      clearAll(to)
    }
    const now = elapsed()
    freshUntil = now + Math.max(FRESH_MS, (now - startedAt) / SHARE)
  }

  return async () => {
    if (elapsed() < freshUntil) return
    underWay ??= read().finally(() => {
      underWay = null
    })
    const reading = underWay
    try {
      await withDeadline(PATIENCE_MS, (signal) => untilAborted(reading, signal))
    } catch {
      clearAll(to)
    }
  }
}
