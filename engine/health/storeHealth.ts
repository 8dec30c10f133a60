import type { Observe } from '../observe/observe.ts'
import type { Store } from '../store/store.ts'

/** Whether the records can be written and read, as regular test writes show. */
export interface StoreHealth {
  /** The problem that the last check found; null without one. */
  readonly trouble: string | null
  /** Repeats the check when it is due, and waits for it only briefly. Never rejects. */
  look(): Promise<string | null>
  /** Makes the next check due now. */
  suspect(): void
}

export type StoreHealthParts = {
  readonly store: Pick<Store, 'probe'>
  readonly observe: Observe
  /** Ms, never running backwards. */
  readonly now: () => number
}

/** The interval of writes in ms, while the store works, and while it fails. */
const WELL_MS = 3_000
const UNWELL_MS = 1_000

/** How long a caller waits for a check, and after which time a check counts as hanging. */
const WAIT_MS = 1_000
const HANGING_MS = 3_000

const HANGING = 'it does not answer'

const afterPoll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits for the work for `ms` at most. A result that is there but unread at the end counts as in time. */
const within = async (ms: number, work: Promise<void>): Promise<'done' | 'late'> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(
      () =>
        void afterPoll()
          .then(afterPoll)
          .then(() => resolve('late')),
      ms,
    )
  })
  try {
    return await Promise.race([work.then(() => 'done' as const), late])
  } finally {
    clearTimeout(timer)
  }
}

export const createStoreHealth = ({ store, observe, now }: StoreHealthParts): StoreHealth => {
  let trouble: string | null = null
  let dueAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null

  const found = (what: string | null): void => {
    const isChange = (what === null) !== (trouble === null)
    trouble = what
    dueAt = now() + (what === null ? WELL_MS : UNWELL_MS)
    if (isChange) observe({ event: 'store.health', healthy: what === null, reason: what })
  }

  const probe = async (): Promise<void> => {
    const probed = store.probe().then(
      () => found(null),
      (error: unknown) => found(error instanceof Error ? error.message : String(error)),
    )
    if ((await within(HANGING_MS, probed)) === 'late') found(HANGING)
    // A second probe beside one that hangs would hang as well.
    await probed
  }

  return {
    get trouble() {
      return trouble
    },
    suspect: () => {
      dueAt = Number.NEGATIVE_INFINITY
    },
    look: async () => {
      if (looking === null && now() >= dueAt)
        looking = probe().finally(() => {
          looking = null
        })
      if (looking !== null) await within(WAIT_MS, looking)
      return trouble
    },
  }
}
