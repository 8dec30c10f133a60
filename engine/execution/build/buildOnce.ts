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
  /** What stands in the store already. */
  find(): Promise<Standing>
  build(bindingKey: string): Promise<Built>
  /** What a caller is told whose turn did not come. */
  tooLong(): Error
  readonly observe: ObserveRequest
}

/** `repeated`: it was built by a call before, or beside. */
export type BuiltOnce = { readonly record: SwapRecord; readonly repeated: boolean }

/** The venue has 10 s and the trial of a Solana payment 4 s; the rest is for a busy process and a clock that is behind. */
const LEASE_MS = 20_000

/** How long a call waits for another process that builds the same, and between two looks: at first, and at most. */
const WAIT_MS = 10_000
const PAUSE_MS = 5
const PAUSE_MS_MAX = 100

/**
 * Builds a swap once, however many processes over the same store are asked to: one reserves it, the others wait for
 * what it stores. Where it fails the next one builds; where it crashes that is when its lease is over.
 */
export const createBuildOnce = ({ store, newId }: BuildOncePorts) => {
  const { swaps, builds } = store

  /** Only where the quote has room for one more pair of addresses, before anything is asked of the venue. */
  const reserve = (own: Build): Promise<boolean> =>
    store.transaction(async (parts) => {
      await requireRoom(parts, own.quoteId, own.bindingKey)
      return parts.builds.reserve(own, LEASE_MS)
    })

  /** With the end of the reservation: two writes that wait for the disk once. */
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
        // Looked for after the reservation: another's may have ended, with what it built in the store.
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
