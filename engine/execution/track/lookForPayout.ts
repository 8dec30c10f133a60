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

/** A payment to somebody that a swap has a right to. */
export type Payout = {
  readonly kind: Extract<PaymentKind, 'output' | 'refund'>
  readonly asset: Asset
  readonly recipient: Address
  /** What it is kept under; null for what the swap itself has a right to. */
  readonly orderId: string | null
  /** The venue's own events of it in a transaction; null where they name no order, so that the money itself must show it. */
  eventsIn(seen: SeenTransaction): Promise<readonly PayoutEvent[] | null>
}

/** What a transaction pays of it that is no other swap's. */
export type Found = {
  readonly seen: SeenTransaction
  /** None where all that it pays is other swaps'. */
  readonly shares: readonly Share[]
  /** An event of the venue's says so, and not the money alone. */
  readonly isNamed: boolean
}

/** What the payments of a swap came to, and the last of them. */
export type Kept = { readonly txHash: TransactionId; readonly amount: bigint }

/** `absent`: no such transaction is to be seen. Null: it pays nothing of it. */
export type Look = Found | 'unreadable' | 'absent' | null

/** What is to be taken as a swap's own. */
type Take = {
  readonly found: readonly Found[]
  readonly payout: Payout
  readonly measure: Measure
  /** What was paid in for it, by the same transaction. */
  readonly paid?: readonly Payment[]
  readonly beside?: readonly Payment[]
}

const isSame = (one: Taken, { asset, recipient }: Payout): boolean => one.token === asset.address && one.recipient === recipient

/**
 * Whether a payment is no other swap's. Coins that came by calls of contracts are told by an event or by the balances of
 * their block, which show all such coins together: there one of the two ways of telling shuts out the other.
 */
const isFree = (taken: readonly Taken[], payout: Payout, seen: SeenTransaction, place: string): boolean => {
  const own = placeIn(payout, seen, place)
  const whole = placeOf(seen, `balance:${payout.recipient}`)
  return !taken.some((one) => {
    const isOfBlock = one.place.startsWith(blockOf(seen)) && isSame(one, payout)
    return one.place === own || (isOfBlock && (own === whole || one.place === whole) && own.startsWith(blockOf(seen)))
  })
}

/** Coins come by the value of a transaction, or by calls, which are numbered under their block. */
const placeIn = ({ asset }: Payout, seen: SeenTransaction, place: string): string => {
  const isByCall = isNative(asset) && isEvmChainId(asset.chainId) && place !== 'value' && !place.startsWith('balance:')
  return isByCall ? `${blockOf(seen)}${placeOf(seen, place)}` : placeOf(seen, place)
}

type Delivered = { readonly record: SwapRecord; readonly payout: Payout; readonly own: readonly Payment[] }

/** What the delivering transaction shows of the integrator fee. A signed order is paid in by its delivery. */
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

/** Looks for deliveries and refunds in transactions, and keeps what is a swap's own. */
export const createLookForPayout = (ports: PayoutPorts) => {
  const { evidence, read, payments, venues } = ports
  /** What the money itself shows, unless another venue paid it; where coins came by calls of contracts, what balances show. */
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
    // Where the node has forgotten, nobody knows: that is no word on the claim.
    if (gained === 'unreadable' || gained === null) return 'unreadable'
    return gained > 0n ? [{ place: `balance:${recipient}`, amount: gained }] : []
  }

  /** What the venue's events tell, but for coins that the recipient's balance does not bear out. */
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
   * Takes of what was found as much as is enough and confirmed, and tells it; null where nothing is. `beside`: what makes it
   * enough, which must be the swap's as well.
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
