import type { LeaseStore } from '../store/leases.ts'

/** Another instance takes over this long after the holder died. */
export const LEASE_MS = 60_000
const RENEW_MS = LEASE_MS / 3

const NAME = 'settlement'

/** `taken`: another instance may have held it since this one did. `other`: another instance holds it. */
export type LeaseStanding = 'kept' | 'taken' | 'other'

export type HeldLease = {
  /** Takes the lease, or keeps it. Rejects with StoreError. */
  hold(): Promise<LeaseStanding>
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
  /** Found by a renewal during a pass. */
  let wasTaken = false
  let taking: Promise<LeaseStanding> = Promise.resolve('other')

  const end = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  const take = async (): Promise<LeaseStanding> => {
    const askedAt = performance.now()
    mayHold = true
    const isKept = await leases.isHeldBy(NAME, holder)
    if (!(await leases.take(NAME, holder, LEASE_MS))) return 'other'
    heldAt = askedAt
    return isKept ? 'kept' : 'taken'
  }

  const renew = (): Promise<LeaseStanding> => {
    const answer = take()
    taking = answer.catch(() => 'other')
    return answer
  }

  const lose = (): void => {
    end()
    lost.abort(new Error('another instance does the settlement'))
  }

  const keep = async (): Promise<void> => {
    // The store may recover in time.
    const found = await renew().catch(() => (performance.now() - heldAt < LEASE_MS - RENEW_MS ? 'kept' : 'other'))
    if (timer === null) return
    if (found === 'other') return lose()
    wasTaken ||= found === 'taken'
    timer = later()
  }

  const later = (): NodeJS.Timeout => setTimeout(() => void keep(), RENEW_MS).unref()

  return {
    hold: async () => {
      const found = await renew()
      if (found === 'other') return found
      const isTaken = found === 'taken' || wasTaken || timer === null
      wasTaken = false
      if (timer === null) {
        lost = new AbortController()
        timer = later()
      }
      return isTaken ? 'taken' : 'kept'
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
