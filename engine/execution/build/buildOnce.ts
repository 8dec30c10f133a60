import { pause } from '../../net/pause.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Build } from '../../store/builds.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { requireRoom } from './bindings.ts'
import type { Standing } from './findStanding.ts'
import { type Built, keepSwap } from './keepSwap.ts'

export type BuildOncePorts = { readonly store: Store; readonly newId: () => string }

export type BuildWork = {
  /** Finds the stored execution. */
  find(): Promise<Standing>
  build(bindingKey: string): Promise<Built>
  /** The error of a caller that waited in vain. */
  tooLong(): Error
  readonly observe: ObserveRequest
}

/** `repeated`: an earlier or concurrent call built it. */
export type BuiltOnce = { readonly record: SwapRecord; readonly repeated: boolean }

/** 10 s for the venue, 4 s to simulate a Solana payment, and a margin for a busy process and clock skew. */
const LEASE_MS = 20_000

/** How long a call waits for another process that builds the same, and the first and longest pause between two reads. */
const WAIT_MS = 10_000
const PAUSE_MS = 5
const PAUSE_MS_MAX = 100

/**
 * Builds a swap once, however many processes of one store are asked: one reserves it, the others wait for its result. After a
 * failure the next one builds; after a crash, when the lease expires.
 */
export const createBuildOnce = ({ store, newId }: BuildOncePorts) => {
  const { swaps, builds } = store

  /** Reserves only if the quote has room for one more address pair, before any call of the venue. */
  const reserve = (own: Build): Promise<boolean> =>
    store.transaction(async (parts) => {
      await requireRoom(parts, own.quoteId, own.bindingKey)
      return parts.builds.reserve(own, LEASE_MS)
    })

  /** Stores the swap and ends the reservation in one write. */
  const keep = (own: Build, built: Built): Promise<SwapRecord> =>
    store.transaction(async (parts) => {
      await parts.builds.release(own)
      return keepSwap(parts, built)
    })

  return async (quoteId: string, { find, build, tooLong, observe }: BuildWork): Promise<BuiltOnce> => {
    const { record: standing, bindingKey } = await find()
    if (standing) return { record: standing, repeated: true }
    const own = { quoteId, bindingKey, owner: newId() }
    const until = performance.now() + WAIT_MS
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const isOurs = await reserve(own)
      try {
        // After the reservation: another build may have ended and stored its result.
        const record = await swaps.find(quoteId, bindingKey)
        if (record) return { record, repeated: true }
        if (isOurs) return { record: await keep(own, await build(bindingKey)), repeated: false }
      } finally {
        if (isOurs) await recordedOr(observe, undefined, () => builds.release(own))
      }
      if (performance.now() >= until) throw tooLong()
      await pause(pauseMs)
    }
  }
}
