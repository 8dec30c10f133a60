import type { LeaseStore } from '../store/leases.ts'

/** So long after its holder died another instance takes over. */
const LEASE_MS = 60_000
const RENEW_MS = LEASE_MS / 3

const NAME = 'settlement'

export type HeldLease = {
  /** Takes it, or learns that it is ours already. Rejects when the store is in trouble. */
  hold(): Promise<boolean>
  /** Aborts when another instance has it, or may have. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/**
 * Keeps a lease in the store for as long as it is held, by real time: who cannot prolong it stops before another takes over.
 */
export const createHeldLease = (leases: LeaseStore, holder: string): HeldLease => {
  let lost = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let heldAt = Number.NEGATIVE_INFINITY

  const end = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  const renew = async (): Promise<boolean> => {
    const askedAt = performance.now()
    const isOurs = await leases.take(NAME, holder, LEASE_MS)
    if (isOurs) heldAt = askedAt
    return isOurs
  }

  const lose = (): void => {
    end()
    lost.abort(new Error('another instance does the settlement'))
  }

  const keep = async (): Promise<void> => {
    try {
      if (!(await renew())) lose()
    } catch {
      // The store may be back in time.
      if (performance.now() - heldAt >= LEASE_MS - RENEW_MS) lose()
    }
  }

  return {
    hold: async () => {
      if (!(await renew())) return false
      if (timer !== null) return true
      lost = new AbortController()
      timer = setInterval(() => void keep(), RENEW_MS)
      timer.unref()
      return true
    },
    get lost() {
      return lost.signal
    },
    release: async () => {
      end()
      await leases.release(NAME, holder)
    },
  }
}
