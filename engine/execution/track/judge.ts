import { type Amount, toAmount } from '../../core/amount.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { factsOf, isTerminal, type SwapStatus, type VenueWord, wordless } from '../../core/swapStatus.ts'
import type { TransactionId } from '../../core/transactionId.ts'

/** What our record says of a ref that is its own. */
export type OwnRecord = {
  /** What the swap is known by; null until a payment was recognised. */
  readonly knownBy: string | null
  /** What was last seen; null until anything was. */
  readonly last: SwapStatus | null
}

/** What is asked about: a quote's swap, by one of the refs its payment may go by. */
export type Subject = SealedOffer & {
  readonly ref: string
  /** Whether this swap was executed here. Nothing is terminal without a record. */
  readonly isRecorded: boolean
  /** Null where our record is gone, and for another transaction than the one the swap is known by. */
  readonly own: OwnRecord | null
}

/** What the chain shows of what was paid in. */
export type InputSight =
  /** Nobody looked: the venue's word is all there is. */
  | { readonly kind: 'notLooked' }
  | { readonly kind: 'unreadable' }
  /** The order is signed: the venue may fill it at any time, and nothing leaves the wallet before. */
  | { readonly kind: 'signed' }
  /** It is not there yet, or cannot be told. */
  | { readonly kind: 'absent' }
  /** Nothing was ever paid to the deposit address, or placed in the contract that keeps the venue's orders. */
  | { readonly kind: 'unpaid' }
  /** The transaction asked about is this swap's, and failed. */
  | { readonly kind: 'reverted' }
  /** The transaction asked about paid nothing of this swap. */
  | { readonly kind: 'stranger' }
  /** The transaction asked about paid this swap once more, beside the payment that it goes by. */
  | { readonly kind: 'extra' }
  /** `amount`: smallest units of what the venue took; null where the chain no longer shows how much. */
  | { readonly kind: 'paid'; readonly amount: bigint | null }

/** What the chain shows of a payment that a venue claims: a delivery, or a refund. */
export type PayoutSight =
  /** The claim is of none, or nobody looked. */
  | { readonly kind: 'notLooked' }
  | { readonly kind: 'unreadable' }
  /** There is no such transaction, or it pays nothing of this swap. */
  | { readonly kind: 'none' }
  /** It is in a block, and not confirmed by the chain's own measure. */
  | { readonly kind: 'fresh'; readonly txHash: TransactionId }
  /** It is confirmed, and is this swap's alone. `isWhole`: all that was owed. */
  | { readonly kind: 'paid'; readonly txHash: TransactionId; readonly amount: bigint; readonly isWhole: boolean }

/** All that is known of a swap by a venue's word and what the chains show of it. */
export type Sighting = { readonly input: InputSight; readonly output: PayoutSight; readonly refund: PayoutSight }

/** A venue's answer, with what the chains show of it; `silent`: it was out of reach, and this was last seen. */
export type Word =
  | ({ readonly kind: 'said'; readonly claimed: VenueWord } & Sighting)
  | { readonly kind: 'silent'; readonly last: SwapStatus }

/** What has become of the transaction that the service sends for the caller. */
export type BroadcastWord = {
  /** `over`: it failed for good, or can no longer land. `underWay`: it may have landed, or still can. */
  readonly state: 'unposted' | 'underWay' | 'over'
  /** Asked by what the wallet may have paid otherwise, which is done once the transaction is over. */
  readonly otherwise: Word | null
}

/** All that can be known of a swap at one moment. */
export type Gathered = {
  readonly subject: Subject
  /** Null: there is nothing yet to ask the venue by. */
  readonly word: Word | null
  /** Whether the payload can no longer do anything, by the chain's own time and books. */
  readonly isDead: boolean
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

/** `isKept`: true beyond this answer. `isPaid`: the payment was seen, by the venue or on its chain. */
type Belief = { readonly status: SwapStatus; readonly isKept: boolean; readonly isPaid: boolean }

/** The least that counts as the delivery of a swap, smallest units. */
export const leastOf = ({ slippage }: SealedOffer['offer']): bigint => slippage?.guaranteedMin ?? 1n

/**
 * A claim of success that falls short of what the quote guaranteed is no success: the money's place is then unknown,
 * and the swap stays open with the venue's own words beside it.
 */
export const doubtShortDelivery = <W extends SwapStatus>(claimed: W, { offer }: SealedOffer): W => {
  const isShort = claimed.state === 'success' && claimed.deliveredAmount !== null && claimed.deliveredAmount < leastOf(offer)
  return isShort ? { ...claimed, state: 'processing' } : claimed
}

const statusOf = ({ state, venueStatus, deliveredAmount, txHash }: SwapStatus): SwapStatus => ({
  state,
  venueStatus,
  deliveredAmount,
  txHash,
})

/** As the venue tells it, with nothing of a payment that is not to be believed. */
const openAs = (claimed: SwapStatus, state: SwapStatus['state'], txHash: string | null = null): SwapStatus => ({
  state,
  venueStatus: claimed.venueStatus,
  deliveredAmount: null,
  txHash,
})

const delivered = (told: Amount | null, seen: bigint): Amount => (told !== null && told <= seen ? told : toAmount(seen))

/** What a venue says of a swap whose payment it never saw. */
const sawNothing = ({ state }: SwapStatus): boolean => state === 'pending' || factsOf(state).isForgotten

/** Nothing was paid, and nothing can be any more. */
const hasFailed = (claimed: SwapStatus, { input }: Sighting, { subject, isDead }: Gathered): boolean => {
  if (!isDead || input.kind === 'paid' || input.kind === 'unreadable') return false
  // Nothing tells that a transaction which no chain shows was ever sent, but that the swap goes by it.
  const isNobodys =
    input.kind === 'absent' && subject.offer.executionType === 'TRANSACTION' && subject.own?.knownBy !== subject.ref
  if (isNobodys) return false
  // A venue has seen a payment that the chain does not show: one of the two has not caught up, or forgets. That a signed
  // order was not filled its contract tells.
  return input.kind !== 'absent' || subject.offer.executionType === 'SIGNATURE' || sawNothing(claimed)
}

const deliveredBy = (claimed: SwapStatus, { amount, txHash }: Extract<PayoutSight, { readonly kind: 'paid' }>): SwapStatus => ({
  state: 'success',
  venueStatus: claimed.venueStatus,
  deliveredAmount: delivered(claimed.deliveredAmount, amount),
  txHash,
})

/** `success` stands when this swap's delivery is seen and confirmed. Never more is told than was seen. */
const proveDelivery = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  const { output, refund } = sighting
  if (output.kind === 'paid' && output.isWhole) return deliveredBy(claimed, output)
  // Venues have told of a success whose whole input they had sent back.
  if (refund.kind === 'paid' && refund.isWhole) return openAs(claimed, 'refunded', refund.txHash)
  // There is nothing to deliver, and never will be.
  if (output.kind === 'none' && hasFailed(claimed, sighting, gathered)) return openAs(claimed, 'failed')
  return openAs(claimed, 'processing', output.kind === 'fresh' ? output.txHash : null)
}

/** What became of a payment beside the one that the swap goes by. */
const endOfExtra = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  if (claimed.state === 'success') return proveDelivery(claimed, sighting, gathered)
  const { output, refund } = sighting
  if (output.kind === 'paid' && output.isWhole) return deliveredBy(claimed, output)
  return refund.kind === 'paid' && refund.isWhole ? openAs(claimed, 'refunded', refund.txHash) : openAs(claimed, 'processing')
}

/**
 * A claim that the swap came to nothing: told as the end it is once the chain shows what the user holds. `refunded` when
 * what is owed is seen to have come back, `failed` when nothing was paid and nothing can be any more; until then a refund
 * is owed where something was paid, and nothing has happened where nothing was.
 */
const proveEnd = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  const { input, output, refund } = sighting
  // What venues call a refund may be what was bought, and where it was to go.
  if (output.kind === 'paid' && output.isWhole) return deliveredBy(claimed, output)
  if (refund.kind === 'paid' && refund.isWhole) return openAs(claimed, 'refunded', refund.txHash)
  switch (input.kind) {
    case 'paid':
      return openAs(claimed, 'expired')
    case 'unreadable': {
      const last = gathered.subject.own?.last ?? null
      return openAs(claimed, last !== null && !isTerminal(last.state) ? last.state : 'pending')
    }
    default:
      return openAs(claimed, hasFailed(claimed, sighting, gathered) ? 'failed' : 'pending')
  }
}

/** A claim that the swap is under way, or unknown: the money that the chain shows says more. */
const follow = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  if (sighting.input.kind === 'paid' && !factsOf(claimed.state).isPaid) return openAs(claimed, 'processing')
  if (hasFailed(claimed, sighting, gathered)) return openAs(claimed, 'failed')
  return statusOf(claimed)
}

/** What a venue's word is worth, held against the quote and the chains. A venue out of reach unsays nothing. */
const believe = (word: Word, gathered: Gathered): Belief => {
  if (word.kind === 'silent') return { status: word.last, isKept: false, isPaid: factsOf(word.last.state).isPaid }
  const { subject } = gathered
  const claimed = doubtShortDelivery(word.claimed, subject)
  const isSeen = word.input.kind === 'paid'
  const keep = (status: SwapStatus): Belief => ({ status, isKept: true, isPaid: isSeen || factsOf(status.state).isPaid })
  switch (word.input.kind) {
    case 'notLooked':
      return keep(statusOf(claimed))
    case 'stranger':
      return { status: wordless('not_found'), isKept: false, isPaid: false }
    case 'extra':
      // Only what its own order ended with is what became of this money.
      return { status: endOfExtra(claimed, word, gathered), isKept: false, isPaid: true }
    case 'reverted':
      // The wallet may send the payload again, for as long as it can still land: then only this transaction has failed.
      return { status: openAs(claimed, 'failed'), isKept: gathered.isDead, isPaid: false }
  }
  switch (claimed.state) {
    case 'success':
      return keep(proveDelivery(claimed, word, gathered))
    case 'refunded':
    case 'expired':
    case 'failed':
      return keep(proveEnd(claimed, word, gathered))
    default:
      return keep(follow(claimed, word, gathered))
  }
}

/** Whether the payment was seen, by the venue or on its chain. */
export const showsPayment = (word: Word, gathered: Gathered): boolean => believe(word, gathered).isPaid

const isUnread = (word: Word | null): boolean => word?.kind === 'said' && word.input.kind === 'unreadable'

/** What was last seen of a swap that its venue had recognised by then. */
const recognisedBefore = ({ own }: Subject): SwapStatus | null => {
  const last = own?.last ?? null
  return last !== null && factsOf(last.state).isRecognised ? last : null
}

/**
 * A swap whose transaction the service sends is ours to know: a venue that has not heard of it yet leaves it pending,
 * and a transaction that failed for good or can no longer land, of which no venue ever hears, ends it. Unless the wallet
 * has paid by another one, against the rules: its chain shows it then, or the venue knows by a ref of its own.
 */
const followBroadcast = (belief: Belief, gathered: Gathered): Belief => {
  const { subject, broadcast, word } = gathered
  const { state } = belief.status
  if (broadcast === null || belief.isPaid || isUnread(word)) return belief
  const rejudged = (to: 'pending' | 'failed'): Belief => ({ ...belief, status: { ...belief.status, state: to }, isKept: true })
  if (broadcast.state === 'over') {
    const other = broadcast.otherwise && believe(broadcast.otherwise, gathered)
    return other && (other.isPaid || isUnread(broadcast.otherwise)) ? other : rejudged('failed')
  }
  // Nothing was posted: whatever the venue says of the time, no refund is owed.
  if (broadcast.state === 'unposted' && state === 'expired') return rejudged('pending')
  return state === 'not_found' && recognisedBefore(subject) === null ? rejudged('pending') : belief
}

/**
 * A known swap never becomes unknown again, however forgetful its venue is. Back to pending it can go, as chains reorganise:
 * then its ref still is the swap's.
 */
const keepKnown = (status: SwapStatus, subject: Subject): SwapStatus => {
  if (!factsOf(status.state).isForgotten) return status
  const last = recognisedBefore(subject)
  if (last !== null) return { ...last, venueStatus: status.venueStatus ?? last.venueStatus }
  const isOwnRef = subject.own?.knownBy === subject.ref
  return isOwnRef && status.state === 'not_found' ? { ...status, state: 'pending' } : status
}

/** Whatever its venue says: nobody here knows what was handed out, so nothing can be held against the chain. */
const withoutRecord = (status: SwapStatus): SwapStatus => (isTerminal(status.state) ? openAs(status, 'processing') : status)

/** Whether the ref asked about is this swap's for good: where the chain was asked, by a payment it shows. */
const isBound = (word: Word | null, told: SwapStatus): boolean => {
  if (word?.kind === 'said' && word.input.kind !== 'notLooked' && word.input.kind !== 'signed') return word.input.kind === 'paid'
  return factsOf(told.state).isRecognised
}

/** Decides where a swap stands, what of it is kept, and what the swap is known by from now on. */
export const judge = (gathered: Gathered): Verdict => {
  const { subject, word } = gathered
  const { ref, own, isRecorded } = subject
  const heard: Belief = word === null ? { status: wordless('pending'), isKept: true, isPaid: false } : believe(word, gathered)
  const { status, isKept } = followBroadcast(heard, gathered)
  // What was seen of the swap is no word on a transaction that is not its own.
  const isStranger = word?.kind === 'said' && word.input.kind === 'stranger'
  const known = isStranger ? status : keepKnown(status, subject)
  const told = isRecorded ? known : withoutRecord(status)
  const isToKeep = own !== null && isKept && told.state !== 'not_found'
  return { told, kept: isToKeep ? told : null, ref: isBound(word, told) ? ref : (own?.knownBy ?? null) }
}
