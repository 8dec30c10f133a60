import { SwapError } from '../errors.ts'
import type { NewPartnerEvent, PartnerEventStore } from '../store/partnerEvents.ts'

/** By partner, over 24 hours: a key that leaked from a browser must not fill its owner's feed and history. */
export const SETTING_CHANGES_PER_DAY = 50
const DAY_MS = 86_400_000

/** Adds a change to the feed. `isUndone`: it undoes a change that is not effective yet, which no limit rejects. */
export type TellChange = (event: NewPartnerEvent, isUndone?: boolean) => Promise<void>

/** Throws RATE_LIMITED after too many changes of settings. */
export const tellChanges = (events: PartnerEventStore, partnerId: string, now: number): TellChange => {
  const requireRoom = async (): Promise<void> => {
    const before = await events.changesSince(partnerId, now - DAY_MS)
    const leaves = before.at(-SETTING_CHANGES_PER_DAY)
    if (leaves === undefined) return
    throw new SwapError(
      'RATE_LIMITED',
      `Too many changes of settings: the limit is ${SETTING_CHANGES_PER_DAY} in 24 hours. Wait details.retryAfterSec seconds.`,
      {
        details: { retryAfterSec: Math.max(1, Math.ceil((leaves + DAY_MS - now) / 1_000)) },
      },
    )
  }

  return async (event, isUndone = false) => {
    if (!isUndone) await requireRoom()
    await events.add(event)
  }
}
