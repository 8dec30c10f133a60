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
  let taking: Promise<boolean> = Promise.resolve(false)

  const end = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  const take = async (): Promise<boolean> => {
    const askedAt = performance.now()
    const isOurs = await leases.take(NAME, holder, LEASE_MS)
    if (isOurs) heldAt = askedAt
    return isOurs
  }

  const renew = (): Promise<boolean> => {
    const answer = take()
    taking = answer.catch(() => false)
    return answer
  }

  const lose = (): void => {
    end()
    lost.abort(new Error('another instance does the settlement'))
  }

  const keep = async (): Promise<void> => {
    // The store may be back in time.
    const isOurs = await renew().catch(() => performance.now() - heldAt < LEASE_MS - RENEW_MS)
    if (timer === null) return
    if (isOurs) timer = later()
    else lose()
  }

  const later = (): NodeJS.Timeout => setTimeout(() => void keep(), RENEW_MS).unref()

  return {
    hold: async () => {
      if (!(await renew())) return false
      if (timer !== null) return true
      lost = new AbortController()
      timer = later()
      return true
    },
    get lost() {
      return lost.signal
    },
    release: async () => {
      end()
      // Or it would be taken again behind this.
      await taking
      await leases.release(NAME, holder)
    },
  }
}
