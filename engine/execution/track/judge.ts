import type { Payments } from '../../chains/payments.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { isNative, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId, chainOf } from '../../core/chain.ts'
import type { Order } from '../../core/order.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { factsOf, type SwapStatus, wordless } from '../../core/swapStatus.ts'
import type { TransactionId } from '../../core/transactionId.ts'

/** What our record says of a ref that is its own. */
export type OwnRecord = {
  /** What the venue knows the swap by; null until it recognised a ref. */
  readonly knownBy: string | null
  /** What was last seen; null until anything was. */
  readonly last: SwapStatus | null
}

/** What is asked about: a quote's swap, by one of the refs its payment may go by. */
export type Subject = SealedOffer & {
  readonly ref: string
  /** Epoch ms: no payment of the swap can be older. 0 where our record is gone. */
  readonly executedAt: number
  /** Null where our record is gone, and for another transaction than the one the swap is known by. */
  readonly own: OwnRecord | null
}

/** What the chain shows of the payment that a claim names. */
export type Sighting =
  /** The claim is of no payment, or nobody can look for it: the venue's word is all there is. */
  | { readonly kind: 'notLooked' }
  /** The claim should name a transaction, and names none that the chain could know. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unreadable'; readonly txHash: TransactionId }
  /** The chain has no such transaction yet. */
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'seen'
      readonly txHash: TransactionId
      readonly payments: Payments
      /** What the transaction owes the recipient for other swaps that it delivered before, smallest units. */
      readonly owedToOthers: bigint
    }

/** A venue's answer, with what the chain shows of it; `silent`: it was out of reach, and this was last seen. */
export type Word =
  | { readonly kind: 'said'; readonly claimed: SwapStatus; readonly sighting: Sighting }
  | { readonly kind: 'silent'; readonly last: SwapStatus }

/** What has become of the transaction that the service sends for the caller. */
export type BroadcastWord = {
  /** `over`: it failed for good, or can no longer land. `underWay`: it may have landed, or still can. */
  readonly state: 'unposted' | 'underWay' | 'over'
  /** The venue asked by its own ref, which is done once the transaction is over. */
  readonly byVenueRef: Word | null
}

/** All that can be known of a swap at one moment. */
export type Gathered = {
  readonly subject: Subject
  /** Null: there is nothing yet to ask the venue by. */
  readonly word: Word | null
  /** Null: the wallet sends its payment itself. */
  readonly broadcast: BroadcastWord | null
}

export type Verdict = {
  readonly told: SwapStatus
  /** What the record is to say from now on; null: it stays as it is. */
  readonly kept: SwapStatus | null
  /** What the record is to know the swap by from now on. */
  readonly ref: string | null
}

/** `isKept`: true beyond this answer. */
type Belief = { readonly status: SwapStatus; readonly isKept: boolean }

/** How far a block's time and ours may be apart. Miners of Bitcoin may be hours off. */
const CLOCKS_APART_MS = { bitcoin: 2 * 3_600_000, others: 300_000 }

/** The least that counts as the delivery of a swap, smallest units. */
export const leastOf = ({ slippage }: SealedOffer['offer']): bigint => slippage?.guaranteedMin ?? 1n

const isOlder = ({ paidAt }: Payments, chainId: ChainId, { executedAt }: Subject): boolean =>
  paidAt !== null && paidAt < executedAt - (chainId === BITCOIN ? CLOCKS_APART_MS.bitcoin : CLOCKS_APART_MS.others)

/** True when the payment could be the swap's delivery, if no other swap claims it. */
export const isDelivery = (payments: Payments, subject: Subject): boolean =>
  payments.amount >= leastOf(subject.offer) && !isOlder(payments, subject.order.output.chainId, subject)

/**
 * A claim of success that falls short of what the quote guaranteed is no success: the money's place is then unknown,
 * and the swap stays open with the venue's own words beside it.
 */
export const doubtShortDelivery = (claimed: SwapStatus, { offer }: SealedOffer): SwapStatus => {
  const isShort = claimed.state === 'success' && claimed.deliveredAmount !== null && claimed.deliveredAmount < leastOf(offer)
  return isShort ? { ...claimed, state: 'processing' } : claimed
}

/** What counts as a refund. Not any token: a contract that anybody made can say it paid somebody. */
const refundTokens = ({ input }: Order, { refundedIn }: SwapStatus): readonly string[] => {
  const { wrappedNative } = chainOf(input.chainId)
  const isCoin = isNative(input) || input.address === wrappedNative
  const paidIn = isCoin ? [nativeAsset(input.chainId).address, wrappedNative] : [input.address]
  return [...paidIn, refundedIn?.address].filter((address) => address !== undefined && address !== null)
}

const delivered = (told: Amount | null, seen: bigint): Amount => (told !== null && told <= seen ? told : toAmount(seen))

type Proof = Exclude<Sighting, { kind: 'notLooked' | 'unreadable' }>

/**
 * `success` stands only when the named transaction paid the recipient at least the guaranteed minimum, beside what it
 * owes for other swaps it delivered, and is not older than the swap. Never more is told than was seen.
 */
const proveDelivery = (claimed: SwapStatus, proof: Proof, subject: Subject): SwapStatus => {
  const unseen: SwapStatus = { ...claimed, state: 'processing', deliveredAmount: null, txHash: null }
  if (proof.kind !== 'seen' || !isDelivery(proof.payments, subject)) return unseen
  const left = proof.payments.amount - proof.owedToOthers
  if (left < leastOf(subject.offer)) return unseen
  return { ...claimed, txHash: proof.txHash, deliveredAmount: delivered(claimed.deliveredAmount, left) }
}

/**
 * `refunded` stands only when the named transaction paid the refund address some of what was paid in, of its wrapped
 * form, or of what the venue bridged, and is not older than the swap. Else the refund is still owed.
 */
const proveRefund = (claimed: SwapStatus, proof: Proof, subject: Subject): SwapStatus => {
  const { order } = subject
  const isPaidBack =
    proof.kind === 'seen' &&
    !isOlder(proof.payments, order.input.chainId, subject) &&
    proof.payments.paidIn.some((token) => refundTokens(order, claimed).includes(token))
  return isPaidBack ? { ...claimed, txHash: proof.txHash } : { ...claimed, state: 'expired', txHash: null }
}

/** A success that was claimed before, and the chain did not bear out, is not true because the chain cannot be read now. */
const refutedBefore = (claimed: SwapStatus, { own }: Subject): SwapStatus | null => {
  const last = own?.last ?? null
  return last?.state === 'processing' && last.venueStatus === claimed.venueStatus ? last : null
}

/**
 * What a venue's word is worth, held against the quote and the chain. Where the chain cannot be read the word stands,
 * for one answer. A venue out of reach unsays nothing.
 */
const believe = (word: Word, subject: Subject): Belief => {
  if (word.kind === 'silent') return { status: word.last, isKept: false }
  const { sighting } = word
  const claimed = doubtShortDelivery(word.claimed, subject)
  if (sighting.kind === 'notLooked') return { status: claimed, isKept: true }
  switch (claimed.state) {
    case 'success':
      if (sighting.kind !== 'unreadable') return { status: proveDelivery(claimed, sighting, subject), isKept: true }
      return { status: refutedBefore(claimed, subject) ?? { ...claimed, txHash: sighting.txHash }, isKept: false }
    case 'refunded':
      if (sighting.kind !== 'unreadable') return { status: proveRefund(claimed, sighting, subject), isKept: true }
      return { status: { ...claimed, txHash: sighting.txHash }, isKept: false }
    default:
      return { status: claimed, isKept: true }
  }
}

/** Whether a venue's word shows that it has seen the payment. */
export const showsPayment = (word: Word, subject: Subject): boolean => factsOf(believe(word, subject).status.state).isPaid

/** What was last seen of a swap that its venue had recognised by then. */
const recognisedBefore = ({ own }: Subject): SwapStatus | null => {
  const last = own?.last ?? null
  return last !== null && factsOf(last.state).isRecognised ? last : null
}

/**
 * A swap whose transaction the service sends is ours to know: a venue that has not heard of it yet leaves it pending,
 * and a transaction that failed for good or can no longer land, of which no venue ever hears, ends it. Unless the wallet
 * has paid by another one, against the rules: the venue then knows by a ref of its own.
 */
const followBroadcast = (belief: Belief, { subject, broadcast }: Gathered): Belief => {
  const { state } = belief.status
  if (broadcast === null || factsOf(state).isPaid) return belief
  const rejudged = (to: 'pending' | 'failed'): Belief => ({ status: { ...belief.status, state: to }, isKept: true })
  if (broadcast.state === 'over') {
    const other = broadcast.byVenueRef && believe(broadcast.byVenueRef, subject)
    return other && factsOf(other.status.state).isPaid ? other : rejudged('failed')
  }
  // Nothing was posted: whatever the venue says of the time, no refund is owed.
  if (broadcast.state === 'unposted' && state === 'expired') return rejudged('pending')
  return state === 'not_found' && recognisedBefore(subject) === null ? rejudged('pending') : belief
}

/** A known swap never becomes unknown again, however forgetful its venue is. Back to pending it can go: chains reorganise. */
const keepKnown = (status: SwapStatus, subject: Subject): SwapStatus => {
  const last = recognisedBefore(subject)
  const isForgotten = last !== null && factsOf(status.state).isForgotten
  return isForgotten ? { ...last, venueStatus: status.venueStatus ?? last.venueStatus } : status
}

/** Decides where a swap stands, what of it is kept, and what the swap is known by from now on. */
export const judge = (gathered: Gathered): Verdict => {
  const { subject, word } = gathered
  const { ref, own } = subject
  const heard: Belief = word === null ? { status: wordless('pending'), isKept: true } : believe(word, subject)
  const { status, isKept } = followBroadcast(heard, gathered)
  const told = keepKnown(status, subject)
  const isToKeep = own !== null && isKept && told.state !== 'not_found'
  return { told, kept: isToKeep ? told : null, ref: factsOf(told.state).isRecognised ? ref : (own?.knownBy ?? null) }
}
