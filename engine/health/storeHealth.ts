import type { Observe } from '../observe/observe.ts'
import type { Store } from '../store/store.ts'

/** Whether the records can be written and read, as a write of our own shows it now and then. */
export interface StoreHealth {
  /** What the last look found; null when it is well. */
  readonly trouble: string | null
  /** Looks again where that is due, and waits for it no longer than a moment. Never rejects. */
  look(): Promise<string | null>
  /** The next look is due now. */
  suspect(): void
}

export type StoreHealthParts = {
  readonly store: Pick<Store, 'probe'>
  readonly observe: Observe
  /** Ms, never running backwards. */
  readonly now: () => number
}

/** From one write to the next, while it is well, and while it is not. */
const WELL_MS = 3_000
const UNWELL_MS = 1_000

/** How long who asks waits for it, and how long it may take before it counts as hanging. */
const WAIT_MS = 1_000
const HANGING_MS = 3_000

const HANGING = 'it does not answer'

const afterPoll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The work, or nothing after so long; an answer that is there by then and only was not read counts as in time. */
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
    // Another one beside one that hangs would only hang as well.
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
