import { blockOf, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { factsOf, isTerminal, type VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { takeBackEnd } from '../lifecycle.ts'
import { isPayout } from './keptInputs.ts'
import type { Payout } from './lookForPayout.ts'
import { deliveryOf, owedOf } from './payouts.ts'
import { type EvidencePorts, readTransaction } from './readEvidence.ts'
import type { SearchPause } from './searchPause.ts'

export type FreePorts = EvidencePorts & {
  readonly store: Pick<Store, 'swaps' | 'payments' | 'broadcasts' | 'transaction'>
  readonly venues: ReadonlyMap<string, Pick<GuardedVenue, 'profile' | 'events' | 'tracker'>>
  /** Separate pauses for reports on other swaps. */
  readonly asks: SearchPause
}

/** A delivery or refund that is recorded for another swap, the holder. */
type Held = { readonly holder: SwapRecord; readonly payment: Payment; readonly missed: Missed }

/** What a swap misses, and where it may be. */
export type Missed = {
  readonly record: SwapRecord
  readonly seen: SeenTransaction
  readonly payout: Payout
  readonly least: bigint
  /** Null if there is no upper bound. */
  readonly most: bigint | null
  /** The amount that the venue reports; null if it reports none. */
  readonly told: bigint | null
  /** True if the venue names the transaction for the swap; otherwise a search found it. */
  readonly isNamed: boolean
  /** Other payments to the same address that belong to no swap. */
  readonly spare: readonly Payment[]
}

/** True if the report names an end, or a refund that is due. */
const isEnd = ({ state }: VenueWord): boolean => isTerminal(state) || state === 'expired'

/** The maximum number of other swaps for which one request calls their venue. */
const HOLDERS_MAX = 4

/**
 * If the venue names one transaction for both swaps, the amount decides. The payment is not the holder's if it equals the amount
 * reported for the other swap and differs from the holder's.
 */
const isOfOther = ({ amount }: Payment, word: VenueWord, { told }: Missed): boolean =>
  told !== null && told === amount && word.deliveredAmount !== null && word.deliveredAmount !== amount

/** True if the report names the payment's transaction as a refund or as a payment in. */
const isNamedBack = ({ state, txHash, refundTx, paidBy = [] }: VenueWord, { chainId, txHash: held }: Payment): boolean =>
  [state === 'refunded' ? txHash : null, refundTx ?? null, ...paidBy].some(
    (hash) => parseTransactionId(chainId, hash ?? '') === held,
  )

/** True if the report on the holder still supports its payment. */
const isStillNamed = ({ payment, missed }: Held, word: VenueWord): boolean => {
  const { state, txHash, refundTx } = word
  if (payment.kind === 'output') {
    const isNamed = state === 'success' && parseTransactionId(payment.chainId, txHash ?? '') === payment.txHash
    return isNamed && !isOfOther(payment, word, missed)
  }
  const isGivenBack = state === 'success' ? refundTx !== undefined : isEnd(word)
  return isGivenBack && (!missed.isNamed || isNamedBack(word, payment))
}

/**
 * A balance shows all coins that a recipient gained by contract calls in a block. Coins for which the venue's contract names an
 * order belong to that order, so another swap's claim by balance is released.
 */
const freeOfBlock = async ({ store }: Pick<FreePorts, 'store'>, { record, seen, payout }: Missed): Promise<boolean> => {
  const named = payout.kind === 'output' ? await payout.eventsIn(seen) : null
  if (seen.standing === 'fresh' || named === null || named.length === 0) return false
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

/** For a refund without an order the holder may take another one that belongs to no swap, so that each swap has its own. */
const exchange = async ({ store, venues }: FreePorts, { holder, payment, missed: { spare } }: Held): Promise<boolean> => {
  const { profile } = venues.get(holder.swap.offer.venue) ?? {}
  const kept = (await store.payments.ofSwap(holder.id)).filter(({ orderId, kind }) => kind === 'input' || orderId === null)
  const paid = kept.find(({ kind }) => kind === 'input')
  const isOnly = payment.kind === 'refund' && kept.filter(({ kind }) => kind === 'refund').length === 1
  if (!profile || !paid || !isOnly) return false
  const input = { kind: 'paid', amount: paid.amount } as const
  const owed = owedOf({ record: holder, input, keeps: profile.refundKeeps(holder.swap) })
  const other = spare.find(
    ({ amount, paidAt }) =>
      amount !== null &&
      amount >= owed &&
      (paid.amount === null || amount <= paid.amount) &&
      paidAt !== null &&
      paid.paidAt !== null &&
      paidAt > paid.paidAt,
  )
  if (!other) return false
  await takeBackEnd(store, holder, payment)
  await store.payments.claim(holder.id, [other])
  return true
}

/**
 * Reassigns payouts that name no order. If a swap misses a payout of a holder, the holder's venue reports again: a payout that it
 * no longer names is free. For a holder of another venue, only a report of another end frees a payment.
 */
export const createFreeHeld = (ports: FreePorts, context: CallContext) => {
  const { store, venues, asks } = ports

  /** The venue's report on the holder. Null if the venue fails or has forgotten the swap. */
  const wordOn = async ({ id, ref, swap }: SwapRecord): Promise<VenueWord | null> => {
    const asked = (await store.broadcasts.find(id))?.txHash ?? ref
    const { order, offer } = swap
    const tracker = venues.get(offer.venue)?.tracker ?? null
    if (asked === null || tracker === null) return null
    try {
      const kept = await store.payments.ofSwap(id)
      const paidBy = kept.flatMap(({ kind, txHash }) => (kind === 'input' ? [txHash] : []))
      const word = await tracker.track(asked, { order, offer, executed: swap, paidBy }, context)
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
    const query = { record: holder, events, kept, orderId: payment.orderId }
    // Contracts that name orders also name them in refunds, so those belong to no other swap.
    return payment.kind === 'refund' || (await deliveryOf(query).eventsIn(seen)) === null
  }

  /** Sufficient payments that other swaps have. */
  const heldOf = async (missed: Missed): Promise<readonly Held[]> => {
    const { record, seen, payout, least, most } = missed
    const named = await payout.eventsIn(seen)
    if (named?.length === 0) return []
    const taken = await store.payments.takenFrom(record.id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
    const held: Held[] = []
    for (const swapId of new Set(taken.map((one) => one.swapId))) {
      const holder = await store.swaps.byId(swapId)
      if (holder === null) continue
      const places = taken.filter((one) => one.swapId === swapId).map(({ place }) => place)
      const payment = (await store.payments.ofSwap(swapId)).find(
        (one) =>
          isPayout(one) &&
          places.includes(one.place) &&
          one.token === payout.asset.address &&
          one.recipient === payout.recipient &&
          (one.amount ?? 0n) >= least &&
          (most === null || (one.amount ?? 0n) <= most),
      )
      if (payment) held.push({ holder, payment, missed })
    }
    return held
  }

  const free = async (one: Held): Promise<boolean> => {
    const { holder, payment, missed } = one
    if (!(await isUnnamed(one))) return false
    const word = await wordOn(holder)
    if (word === null) return false
    if (isStillNamed(one, word)) return !isNamedBack(word, payment) && exchange(ports, one)
    const isOwnVenue = holder.swap.offer.venue === missed.record.swap.offer.venue
    if (!isOwnVenue && !isEnd(word)) return false
    await takeBackEnd(store, holder, payment)
    return true
  }

  /** For everything that one swap misses; true if a payment was freed. */
  return async (misses: readonly Missed[]): Promise<boolean> => {
    for (const missed of misses) if (await freeOfBlock(ports, missed)) return true
    const held = (await Promise.all(misses.map(heldOf))).flat()
    const [first] = held
    const turn = first ? asks.turn(first.missed.record.id) : null
    if (turn === null) return false
    const from = (turn % Math.ceil(held.length / HOLDERS_MAX)) * HOLDERS_MAX
    for (const one of held.slice(from, from + HOLDERS_MAX)) if (await free(one)) return true
    return false
  }
}
