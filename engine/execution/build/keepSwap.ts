import { type ExecutedSwap, PAYMENT_LATE_MS, type SwapKey, type SwapKeyKind } from '../../core/swap.ts'
import type { StoreParts } from '../../store/store.ts'
import type { NewSwap, SwapRecord } from '../../store/swaps.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { keyOf, requireRoom } from './bindings.ts'

type KindFacts = {
  /** False: what is told by it can be paid only for a time, and the venue may use it again. */
  readonly isForEver: boolean
  /** Whether the venue made it, and is at fault where two swaps have the same. */
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

/** A key of a swap is another swap's: nothing of it was stored, and it must be handed to nobody. */
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

/** What was built, and what tells it from every other swap of its venue. */
export type Built = { readonly swap: NewSwap; readonly keys: readonly SwapKey[] }

const untilOf = ({ kind }: SwapKey, { deadlineAt = null }: ExecutedSwap): number | null =>
  KINDS[kind].isForEver || deadlineAt === null ? null : deadlineAt + PAYMENT_LATE_MS

/** What takes the place of an execution that can no longer be paid may be told by the same. */
const isSucceeded = (by: SwapRecord | null, { quoteId, swap }: NewSwap): boolean =>
  by !== null && by.quoteId === quoteId && keyOf(by.swap.binding) === keyOf(swap.binding)

/**
 * Stores what was built, in a transaction; what stands for the same quote and addresses stays, and is the answer. Throws
 * SwapKeyTaken where its payment could be taken for that of another swap.
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
