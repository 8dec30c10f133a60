import type { LeaseStore } from '../store/leases.ts'

/** Another instance takes over this long after the holder died. */
const LEASE_MS = 60_000
const RENEW_MS = LEASE_MS / 3

const NAME = 'settlement'

export type HeldLease = {
  /** Takes the lease, or returns true if this instance holds it. Rejects with StoreError. */
  hold(): Promise<boolean>
  /** Aborts when another instance holds the lease, or may hold it. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Prolongs a lease by monotonic time. A holder that cannot prolong it stops before another takes over. */
export const createHeldLease = (leases: LeaseStore, holder: string): HeldLease => {
  let lost = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let heldAt = Number.NEGATIVE_INFINITY
  let mayHold = false
  let taking: Promise<boolean> = Promise.resolve(false)

  const end = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  const take = async (): Promise<boolean> => {
    const askedAt = performance.now()
    mayHold = true
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
    // The store may recover in time.
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
      // Otherwise a pending take would win after the release.
      await taking
      if (!mayHold) return
      mayHold = false
      await leases.release(NAME, holder)
    },
  }
}
