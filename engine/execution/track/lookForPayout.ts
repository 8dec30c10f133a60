import { blockOf, COINS_BY_CALLS, type Movement, paymentsTo, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Payment, PaymentKind } from '../../core/payment.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { PaymentStore, Taken } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { PayoutEvent } from '../../venues/venue.ts'
import { chooseShares, type Measure, type Share, sumOf } from './chooseShares.ts'
import { coinsByCalls } from './coinsByCalls.ts'
import { claimWithFee, feeEvidenceIn } from './feeEvidence.ts'
import { type NamingVenues, placesOfOthers } from './placesOfOthers.ts'
import { type EvidencePorts, executedAtOf, isOlderThan } from './readEvidence.ts'
import { findAttempt } from './recognise.ts'

export type PayoutPorts = EvidencePorts & { readonly payments: PaymentStore; readonly venues: NamingVenues }

/** A delivery or refund that a swap is owed. */
export type Payout = {
  readonly kind: Extract<PaymentKind, 'output' | 'refund'>
  readonly asset: Asset
  readonly recipient: Address
  /** The order of an extra payment, recorded with its payouts; null for the swap itself. */
  readonly orderId: string | null
  /** The venue's events of the payout in a transaction; null if they name no order, so transfers must show it. */
  eventsIn(seen: SeenTransaction): Promise<readonly PayoutEvent[] | null>
}

/** The parts of a payout in a transaction that belong to no other swap. */
export type Found = {
  readonly seen: SeenTransaction
  /** Empty if all parts belong to other swaps. */
  readonly shares: readonly Share[]
  /** True if an event of the venue shows the payout; false if only transfers or balances do. */
  readonly isNamed: boolean
}

/** The sum of the claimed parts, in smallest units, and the last transaction. */
export type Kept = { readonly txHash: TransactionId; readonly amount: bigint }

/** `absent`: no node shows the transaction. Null: the transaction pays nothing of the payout. */
export type Look = Found | 'unreadable' | 'absent' | null

/** A payout to claim for a swap. */
type Take = {
  readonly found: readonly Found[]
  readonly payout: Payout
  readonly measure: Measure
  /** Inputs that the same transaction took; claimed together. */
  readonly paid?: readonly Payment[]
  readonly beside?: readonly Payment[]
}

const isSame = (one: Taken, { asset, recipient }: Payout): boolean => one.token === asset.address && one.recipient === recipient

/**
 * True if no other swap has the payment. An event or the balances of the block show coins from contract calls. Balances show them
 * all together, so a claim by one kind of evidence excludes the other.
 */
const isFree = (taken: readonly Taken[], payout: Payout, seen: SeenTransaction, place: string): boolean => {
  const own = placeIn(payout, seen, place)
  const whole = placeOf(seen, `balance:${payout.recipient}`)
  return !taken.some((one) => {
    const isOfBlock = one.place.startsWith(blockOf(seen)) && isSame(one, payout)
    return one.place === own || (isOfBlock && (own === whole || one.place === whole) && own.startsWith(blockOf(seen)))
  })
}

/** The place of a payment. Places of coins from contract calls start with their block. */
const placeIn = ({ asset }: Payout, seen: SeenTransaction, place: string): string => {
  const isByCall = isNative(asset) && isEvmChainId(asset.chainId) && place !== 'value' && !place.startsWith('balance:')
  return isByCall ? `${blockOf(seen)}${placeOf(seen, place)}` : placeOf(seen, place)
}

type Delivered = { readonly record: SwapRecord; readonly payout: Payout; readonly own: readonly Payment[] }

/** The evidence of the integrator fee in the delivery. The delivery of a signed order also takes its input. */
const feeOf = async (
  { record, payout, own }: Delivered,
  chosen: readonly Share[],
  { payments, venues }: PayoutPorts,
): Promise<readonly Payment[]> => {
  const seen = chosen.at(-1)?.seen
  if (payout.kind !== 'output' || seen === undefined) return []
  const { offer, execution } = record.swap
  const payloadIn = async (): Promise<string | null> => {
    if (execution.payload.executionType !== 'SIGNATURE')
      return (await findAttempt(seen, record.swap)) === 'topLevel' ? 'call' : null
    const told = await venues.get(offer.venue)?.events?.inputs(seen, record.swap)
    const whole = told?.find(({ isWhole }) => isWhole === true)
    return whole ? `order:${whole.place}` : null
  }
  const isChosen = ({ place }: PayoutEvent) => chosen.some((share) => share.seen === seen && share.place === place)
  const paid = ((await payout.eventsIn(seen)) ?? []).filter(isChosen).flatMap((event) => (event.paid ? [event.paid] : []))
  const query = { record, orderId: payout.orderId, in: 'output', seen, payloadIn, own } as const
  return feeEvidenceIn({ ...query, ...(paid.length > 0 && { paid: paid.flat() }) }, { payments, venues })
}

/** Finds deliveries and refunds in transactions, and claims those of a swap. */
export const createLookForPayout = (ports: PayoutPorts) => {
  const { evidence, read, payments, venues } = ports
  /** Transfers to the recipient, except those of other venues. For coins from contract calls: the gain of the balance. */
  const movementsIn = async (
    seen: SeenTransaction,
    { asset, recipient }: Payout,
    venueId: string,
  ): Promise<readonly Pick<Movement, 'place' | 'amount'>[] | 'unreadable'> => {
    const others = await placesOfOthers(venues, seen, venueId)
    const movements = seen.movements.filter(({ place }) => !others.has(place))
    const moved = paymentsTo({ movements }, { asset, recipient })
    if (moved.length > 0 || !isNative(asset) || !isEvmChainId(asset.chainId) || others.has(COINS_BY_CALLS)) return moved
    const gained = await coinsByCalls({ evidence, read }, seen, recipient)
    // A pruned balance proves nothing about the claim.
    if (gained === 'unreadable' || gained === null) return 'unreadable'
    return gained > 0n ? [{ place: `balance:${recipient}`, amount: gained }] : []
  }

  /** The venue's events, without those of coins that the recipient's balance does not confirm. */
  const seenOf = async (
    named: readonly PayoutEvent[],
    seen: SeenTransaction,
    { recipient }: Payout,
  ): Promise<readonly PayoutEvent[] | 'unreadable'> => {
    const told = named.filter(({ isToBeSeen }) => isToBeSeen).reduce((sum, { amount }) => sum + amount, 0n)
    if (told === 0n) return named
    const gained = await coinsByCalls({ evidence, read }, seen, recipient)
    if (gained === 'unreadable' || gained === null) return 'unreadable'
    return gained >= told ? named : named.filter(({ isToBeSeen }) => !isToBeSeen)
  }

  const look = async (record: SwapRecord, txHash: TransactionId, payout: Payout): Promise<Look> => {
    const { chainId } = payout.asset
    const seen = await read(chainId, (signal) => evidence.transaction({ chainId, hash: txHash }, signal))
    if (seen === 'unreadable') return seen
    if (seen === null) return 'absent'
    if (!seen.isSuccess || isOlderThan(seen, executedAtOf(record))) return null
    const named = await payout.eventsIn(seen)
    const paid = await (named ? seenOf(named, seen, payout) : movementsIn(seen, payout, record.swap.offer.venue))
    if (paid === 'unreadable') return paid
    const taken = await payments.takenFrom(record.id, { chainId, txHash }, blockOf(seen))
    const free = paid.filter(({ place, amount }) => amount > 0n && isFree(taken, payout, seen, place))
    const shares = free.map(({ place, amount }) => ({ seen, place, amount }))
    return paid.length > 0 ? { seen, shares, isNamed: named !== null } : null
  }

  const toPayments = (shares: readonly Share[], payout: Payout): readonly Payment[] =>
    shares.map(({ seen, place, amount }) => ({
      kind: payout.kind,
      chainId: seen.chainId,
      txHash: seen.hash,
      place: placeIn(payout, seen, place),
      token: payout.asset.address,
      recipient: payout.recipient,
      amount,
      orderId: payout.orderId,
      paidAt: seen.at,
      isFinal: seen.standing === 'final',
    }))

  /**
   * Claims confirmed parts that are sufficient together and returns their sum. Null without such parts, or if another swap has
   * one. `beside`: payments that make the parts sufficient, and are claimed too.
   */
  const take = async (record: SwapRecord, { found, payout, measure, paid = [], beside = [] }: Take): Promise<Kept | null> => {
    const confirmed = found.filter(({ seen }) => seen.standing !== 'fresh').flatMap(({ shares }) => shares)
    const chosen = chooseShares(confirmed, measure)
    const txHash = chosen.at(-1)?.seen.hash
    if (txHash === undefined) return null
    const own = [...paid, ...toPayments(chosen, payout), ...beside]
    const fee = await feeOf({ record, payout, own }, chosen, ports)
    const isTaken = await claimWithFee(record.id, { own, fee }, payments)
    return isTaken ? { txHash, amount: sumOf(chosen) } : null
  }

  return { look, take, toPayments }
}
