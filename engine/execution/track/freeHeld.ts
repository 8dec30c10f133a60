import { blockOf, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { factsOf, type VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { takeBackEnd } from '../lifecycle.ts'
import type { Payout } from './lookForPayout.ts'
import { deliveryOf } from './payouts.ts'
import { type EvidencePorts, readTransaction } from './readEvidence.ts'
import type { SearchPause } from './searchPause.ts'

export type FreePorts = EvidencePorts & {
  readonly store: Pick<Store, 'swaps' | 'payments' | 'broadcasts' | 'transaction'>
  readonly venues: ReadonlyMap<string, Pick<GuardedVenue, 'events' | 'tracker'>>
  /** Keeps the asks about holders apart. */
  readonly asks: SearchPause
}

/** A delivery that a swap was told, and holds. */
type Held = { readonly holder: SwapRecord; readonly payment: Payment }

/** What a swap misses, and where the venue says that it is. */
export type Missed = {
  readonly record: SwapRecord
  readonly seen: SeenTransaction
  readonly payout: Payout
  readonly least: bigint
}

/** Whether the venue still says that a payment is the end of the swap which holds it. */
const isNamedBy = (
  { state, txHash, refundTx = null, paidBy = [] }: VenueWord,
  { kind, chainId, txHash: held }: Payment,
): boolean => {
  const isDelivery = kind === 'output'
  const named = isDelivery ? [txHash] : [txHash, refundTx, ...paidBy]
  return state === (isDelivery ? 'success' : 'refunded') && named.some((hash) => parseTransactionId(chainId, hash ?? '') === held)
}

/** About how many holders a venue is asked in one go. */
const HOLDERS_MAX = 4

/**
 * Of a payout that names no order its venue's word alone tells whose it is. Where that now names it for another of its swaps
 * than the one that holds it, it is asked about the holder again: what it no longer names for that one is free.
 */
export const createFreeHeld = (ports: FreePorts, context: CallContext) => {
  const { store, venues, asks } = ports

  /** Asked as for the holder itself. Null where the venue says nothing of it, which takes nothing from it. */
  const wordOn = async ({ id, ref, swap }: SwapRecord): Promise<VenueWord | null> => {
    const asked = (await store.broadcasts.find(id))?.txHash ?? ref
    const { order, offer } = swap
    const tracker = venues.get(offer.venue)?.tracker ?? null
    if (asked === null || tracker === null) return null
    try {
      const word = await tracker.track(asked, { order, offer, executed: swap }, context)
      return factsOf(word.state).isForgotten ? null : word
    } catch (error) {
      if (error instanceof VenueError) return null
      throw error
    }
  }

  const isUnnamed = async ({ holder, payment }: Held): Promise<boolean> => {
    const events = venues.get(holder.swap.offer.venue)?.events ?? null
    const seen = await readTransaction(ports, payment)
    if (seen === 'unreadable' || seen === null) return false
    const kept = await store.payments.ofSwap(holder.id)
    return (await deliveryOf({ record: holder, events, kept, orderId: payment.orderId }).eventsIn(seen)) === null
  }

  /** What other swaps of the same venue hold of it that would be enough. */
  const heldOf = async ({ record, seen, payout, least }: Missed): Promise<readonly Held[]> => {
    const taken = await store.payments.takenFrom(record.id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
    const held: Held[] = []
    for (const swapId of new Set(taken.map((one) => one.swapId))) {
      const holder = await store.swaps.byId(swapId)
      if (holder?.swap.offer.venue !== record.swap.offer.venue) continue
      const places = taken.filter((one) => one.swapId === swapId).map(({ place }) => place)
      const payment = (await store.payments.ofSwap(swapId)).find(
        ({ kind, place, token, recipient, amount }) =>
          kind === payout.kind &&
          places.includes(place) &&
          token === payout.asset.address &&
          recipient === payout.recipient &&
          (amount ?? 0n) >= least,
      )
      if (payment) held.push({ holder, payment })
    }
    return held.slice(0, HOLDERS_MAX)
  }

  const free = async (one: Held): Promise<boolean> => {
    const { holder, payment } = one
    if (payment.kind === 'output' && !(await isUnnamed(one))) return false
    const word = await wordOn(holder)
    if (word === null || isNamedBy(word, payment)) return false
    await takeBackEnd(store, holder, payment)
    return true
  }

  /**
   * Balances show all coins that came by calls in a block, whosoever they are: those that the venue's contract names an order of
   * are that order's.
   */
  const freeOfBlock = async ({ record, seen, payout }: Missed): Promise<boolean> => {
    if (seen.standing === 'fresh') return false
    const whole = placeOf(seen, `balance:${payout.recipient}`)
    const taken = await store.payments.takenFrom(record.id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
    const one = taken.find(({ place, token }) => place === whole && token === payout.asset.address)
    const holder = one && (await store.swaps.byId(one.swapId))
    const payment =
      holder && (await store.payments.ofSwap(holder.id)).find(({ kind, place }) => kind === 'output' && place === whole)
    if (!payment) return false
    await takeBackEnd(store, holder, payment)
    return true
  }

  /** True where something that was held is free now. */
  return async (missed: Missed): Promise<boolean> => {
    const named = await missed.payout.eventsIn(missed.seen)
    // Contracts that name an order name it in their refunds too: those are nobody else's.
    if (named !== null && missed.payout.kind === 'output') return named.length > 0 && freeOfBlock(missed)
    const held = await heldOf(missed)
    if (held.length === 0 || !asks.isDue(missed.record.id)) return false
    for (const one of held) if (await free(one)) return true
    return false
  }
}
