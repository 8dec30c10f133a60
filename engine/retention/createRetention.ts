import type { RetentionConfig } from '../config/retention.ts'
import type { Clock } from '../core/clock.ts'
import type { Observe } from '../observe/observe.ts'
import type { SettlementTask } from '../settlement/settlementJob.ts'
import { type ArchiveFile, createArchiveFile } from '../store/archiveFile.ts'
import type { Store } from '../store/store.ts'

export type RetentionPorts = {
  readonly config: RetentionConfig
  readonly store: Pick<Store, 'archive' | 'transaction'>
  readonly clock: Clock
  readonly observe: Observe
}

const DAY_MS = 86_400_000

/** How long one pass may take: the swaps and webhooks of all wait for it. */
const PASS_MS = 2_000

/** Where a walk over all swaps stands. */
type Walk = { readonly time: number; afterId: number }

/**
 * Once a day walks over all swaps, a stretch at a time, and gives up those that ended long ago: they are in the archive before they
 * are nowhere else. Whatever breaks it off, the same is done by the next one.
 */
export const createRetention = ({ config, store, clock, observe }: RetentionPorts): SettlementTask => {
  const { afterMs, archiveDir } = config
  let walk: Walk | null = null
  let nextAt = Number.NEGATIVE_INFINITY

  const openFile = async (): Promise<ArchiveFile | null> => {
    if (archiveDir === null) return null
    return createArchiveFile(archiveDir, `swaps-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '')}`)
  }

  /** Goes on until the walk or its time is over. Answers with how many swaps were archived. */
  const goOn = async (current: Walk, isOver: () => boolean): Promise<{ archived: number; isDone: boolean }> => {
    let file: ArchiveFile | null = null
    let archived = 0
    try {
      while (!isOver()) {
        const { swaps, nextId } = await store.archive.endedBefore(current.time, current.afterId)
        if (swaps.length > 0) {
          file ??= await openFile()
          await file?.append(swaps)
          const ids = swaps.map(({ swap }) => swap.id)
          archived += await store.transaction(({ archive }) => archive.strip(ids, current.time))
        }
        if (nextId === null) return { archived, isDone: true }
        current.afterId = nextId
      }
      return { archived, isDone: false }
    } finally {
      await file?.close()
      if (archived > 0) observe({ event: 'swaps.archived', swaps: archived, file: file?.path ?? null })
    }
  }

  return {
    name: 'archive swaps',
    isPruning: true,
    run: async (signal) => {
      const now = clock.now()
      if (walk === null) {
        // A clock that was set back must not stop it for long.
        if (now < nextAt && nextAt - now <= DAY_MS) return { isCut: false }
        await store.archive.deleteBuilds(now - DAY_MS)
        nextAt = now + DAY_MS
        if (afterMs === null) return { isCut: false }
        walk = { time: now - afterMs, afterId: 0 }
      }
      const until = performance.now() + PASS_MS
      const { isDone } = await goOn(walk, () => signal.aborted || performance.now() >= until)
      if (isDone) walk = null
      return { isCut: !isDone }
    },
  }
}
