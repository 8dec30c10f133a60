import { type ExecutedSwap, PAYMENT_LATE_MS, type SwapKey, type SwapKeyKind } from '../../core/swap.ts'
import type { StoreParts } from '../../store/store.ts'
import type { NewSwap, SwapRecord } from '../../store/swaps.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { keyOf, requireRoom } from './bindings.ts'

type KindFacts = {
  /** False if the key identifies a payment only for a time, and the venue may use it again. */
  readonly isForEver: boolean
  /** True if the venue made the key, and is at fault if two swaps share it. */
  readonly isVenues: boolean
}

const KINDS: { readonly [K in SwapKeyKind]: KindFacts } = {
  address: { isForEver: false, isVenues: true },
  'address+channel': { isForEver: false, isVenues: true },
  'address+amount': { isForEver: false, isVenues: true },
  orderId: { isForEver: true, isVenues: true },
  signedQuote: { isForEver: true, isVenues: true },
  payload: { isForEver: true, isVenues: false },
}

/** Another swap has a key of this one. Nothing was stored, and the payload must not be returned. */
export class SwapKeyTaken extends Error {
  override readonly name = 'SwapKeyTaken'
  readonly kind: SwapKeyKind
  constructor(kind: SwapKeyKind) {
    super(`another swap has the same ${kind}`)
    this.kind = kind
  }
  get isVenuesFault(): boolean {
    return KINDS[this.kind].isVenues
  }
}

/** A built swap, with the keys that distinguish it from all others of its venue. */
export type Built = { readonly swap: NewSwap; readonly keys: readonly SwapKey[] }

const untilOf = ({ kind }: SwapKey, { deadlineAt = null }: ExecutedSwap): number | null =>
  KINDS[kind].isForEver || deadlineAt === null ? null : deadlineAt + PAYMENT_LATE_MS

/** A replacement of an execution that can no longer be paid may share its keys. */
const isSucceeded = (by: SwapRecord | null, { quoteId, swap }: NewSwap): boolean =>
  by !== null && by.quoteId === quoteId && keyOf(by.swap.binding) === keyOf(swap.binding)

/**
 * Stores a built swap, in a transaction. Returns the earlier one of the same quote and addresses if it exists. Throws
 * SwapKeyTaken if its payment could be mistaken for that of another swap.
 */
export const keepSwap = async (parts: StoreParts, { swap, keys }: Built): Promise<SwapRecord> => {
  const standing = await parts.swaps.find(swap.quoteId, swap.bindingKey)
  if (standing) return standing
  await requireRoom(parts, swap.quoteId, swap.bindingKey)
  const record = await parts.swaps.add(swap)
  if (isLookedAfter(swap)) await parts.settlement.add({ swapId: record.id, isPaid: false, dueAt: record.createdAt })
  const { venue } = swap.swap.offer
  for (const key of keys) {
    const holder = await parts.swapKeys.claim({ ...key, swapId: record.id, venue, until: untilOf(key, swap.swap) })
    if (holder !== record.id && !isSucceeded(await parts.swaps.byId(holder), swap)) throw new SwapKeyTaken(key.kind)
  }
  return record
}
