import { type Amount, toAmount } from '../../core/amount.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { factsOf, isTerminal, type SwapStatus, type VenueWord, wordless } from '../../core/swapStatus.ts'
import type { TransactionId } from '../../core/transactionId.ts'

/** The record of a ref that belongs to the swap. */
export type OwnRecord = {
  /** The ref of the swap; null until a payment was recognised. */
  readonly knownBy: string | null
  /** The last known status; null before the first. */
  readonly last: SwapStatus | null
}

/** The question: a quote's swap, by one of the refs of its payment. */
export type Subject = SealedOffer & {
  readonly ref: string
  /** True if this service executed the swap. Without a record nothing is terminal. */
  readonly isRecorded: boolean
  /** Null if the record is lost, and for a transaction other than the swap's own. */
  readonly own: OwnRecord | null
}

/** The evidence of the chain about the input. */
export type InputSight =
  /** The chain was not read: only the venue's report exists. */
  | { readonly kind: 'notLooked' }
  | { readonly kind: 'unreadable' }
  /** The order is signed. The venue may fill it at any time, and nothing leaves the wallet before. */
  | { readonly kind: 'signed' }
  /** Not there yet, or unknown. */
  | { readonly kind: 'absent' }
  /** Nothing was ever paid to the deposit address or placed in the venue's order contract. */
  | { readonly kind: 'unpaid' }
  /** The transaction in question belongs to this swap, and failed. */
  | { readonly kind: 'reverted' }
  /** The transaction in question paid nothing of this swap. */
  | { readonly kind: 'stranger' }
  /** The transaction in question paid this swap again, beside its own payment. */
  | { readonly kind: 'extra' }
  /** `amount`: smallest units that the venue took; null if the chain no longer shows the amount. */
  | { readonly kind: 'paid'; readonly amount: bigint | null }

/** The evidence of the chain about a delivery or refund that a venue reports. */
export type PayoutSight =
  /** The venue reports none, or the chain was not read. */
  | { readonly kind: 'notLooked' }
  | { readonly kind: 'unreadable' }
  /** The venue names no transaction, or the chain does not show it as a payment of this swap. */
  | { readonly kind: 'none' }
  /** In a block, but not confirmed. */
  | { readonly kind: 'fresh'; readonly txHash: TransactionId }
  /** Confirmed, and part of this swap only. `isWhole`: all that was owed. */
  | { readonly kind: 'paid'; readonly txHash: TransactionId; readonly amount: bigint; readonly isWhole: boolean }

/** The venue's report on a swap, with the evidence of the chains. */
export type Sighting = { readonly input: InputSight; readonly output: PayoutSight; readonly refund: PayoutSight }

/** A venue's answer with the evidence. `silent`: the venue did not answer, and this was last known. */
export type Word =
  | ({ readonly kind: 'said'; readonly claimed: VenueWord } & Sighting)
  | { readonly kind: 'silent'; readonly last: SwapStatus }

/** The state of the transaction that the service broadcasts. */
export type BroadcastWord = {
  /** `over`: failed for good, or can no longer land. `underWay`: may have landed, or still can. */
  readonly state: 'unposted' | 'underWay' | 'over'
  /** The answer for another payment by the wallet, which is read once the transaction is over. */
  readonly otherwise: Word | null
}

/** All evidence about a swap at one moment. */
export type Gathered = {
  readonly subject: Subject
  /** Null if the venue cannot be called yet. */
  readonly word: Word | null
  /** True if the payload can no longer have an effect, by the chain's time and state. */
  readonly isDead: boolean
  /** Null if the wallet sends its payment itself. */
  readonly broadcast: BroadcastWord | null
}

export type Verdict = {
  readonly told: SwapStatus
  /** The status to record; null leaves the record unchanged. */
  readonly kept: SwapStatus | null
  /** The ref to record for the swap. */
  readonly ref: string | null
}

/** `isKept`: true beyond this answer. `isPaid`: the venue or the chain showed the payment. */
type Belief = { readonly status: SwapStatus; readonly isKept: boolean; readonly isPaid: boolean }

/** The smallest amount that counts as delivery, smallest units. */
export const leastOf = ({ slippage }: SealedOffer['offer']): bigint => slippage?.guaranteedMin ?? 1n

/**
 * A reported success below the quote's guarantee is not a success. The swap stays open with the venue's own report, since the
 * location of the money is unknown.
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

/** The venue's raw status under `state`, without a delivered amount. */
const openAs = (claimed: SwapStatus, state: SwapStatus['state'], txHash: string | null = null): SwapStatus => ({
  state,
  venueStatus: claimed.venueStatus,
  deliveredAmount: null,
  txHash,
})

const delivered = (told: Amount | null, seen: bigint): Amount => (told !== null && told <= seen ? told : toAmount(seen))

/** True if the venue reports that it never saw a payment. */
const sawNothing = ({ state }: SwapStatus): boolean => state === 'pending' || factsOf(state).isForgotten

/** True if the payload is dead and nothing shows a payment of the swap. */
const hasFailed = (claimed: SwapStatus, { input }: Sighting, { subject, isDead }: Gathered): boolean => {
  if (!isDead || input.kind === 'paid' || input.kind === 'unreadable') return false
  // For a transaction that no chain shows, only the swap's recorded ref indicates that it was ever sent.
  const isNobodys =
    input.kind === 'absent' && subject.offer.executionType === 'TRANSACTION' && subject.own?.knownBy !== subject.ref
  if (isNobodys) return false
  // The venue reports a payment that the chain does not show: one of them lags or has forgotten. For a signed order the contract
  // shows whether it was filled.
  return input.kind !== 'absent' || subject.offer.executionType === 'SIGNATURE' || sawNothing(claimed)
}

const deliveredBy = (claimed: SwapStatus, { amount, txHash }: Extract<PayoutSight, { readonly kind: 'paid' }>): SwapStatus => ({
  state: 'success',
  venueStatus: claimed.venueStatus,
  deliveredAmount: delivered(claimed.deliveredAmount, amount),
  txHash,
})

/** Confirms `success` if the delivery of this swap is on its chain and confirmed. Reports nothing beyond the evidence. */
const proveDelivery = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  const { output, refund } = sighting
  if (output.kind === 'paid' && output.isWhole) return deliveredBy(claimed, output)
  // Venues have reported success after they returned the whole input.
  if (refund.kind === 'paid' && refund.isWhole) return openAs(claimed, 'refunded', refund.txHash)
  // Nothing will ever be delivered.
  if (output.kind === 'none' && hasFailed(claimed, sighting, gathered)) return openAs(claimed, 'failed')
  return openAs(claimed, 'processing', output.kind === 'fresh' ? output.txHash : null)
}

/** The result of an extra payment. */
const endOfExtra = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  if (claimed.state === 'success') return proveDelivery(claimed, sighting, gathered)
  const { output, refund } = sighting
  if (output.kind === 'paid' && output.isWhole) return deliveredBy(claimed, output)
  return refund.kind === 'paid' && refund.isWhole ? openAs(claimed, 'refunded', refund.txHash) : openAs(claimed, 'processing')
}

/**
 * Decides about a reported end without delivery: `refunded` if the amount due came back on chain, `expired` if it is still due.
 * Without a payment: `failed` if none can arrive, else `pending`. An unreadable chain keeps the last open status.
 */
const proveEnd = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  const { input, output, refund } = sighting
  // Venues may call a delivery in the bought token to its recipient a refund.
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

/** Decides about a swap reported as open or unknown. The money on chain outranks the report. */
const follow = (claimed: SwapStatus, sighting: Sighting, gathered: Gathered): SwapStatus => {
  if (sighting.input.kind === 'paid' && !factsOf(claimed.state).isPaid) return openAs(claimed, 'processing')
  if (hasFailed(claimed, sighting, gathered)) return openAs(claimed, 'failed')
  return statusOf(claimed)
}

/** Compares a venue's report with the quote and the chains. A venue that does not answer changes nothing. */
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
      // Only the result of its own order is the result of this payment.
      return { status: endOfExtra(claimed, word, gathered), isKept: false, isPaid: true }
    case 'reverted':
      // While the payload can still land, the wallet may send it again: only this transaction failed.
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

/** True if the venue or the chain showed the payment. */
export const showsPayment = (word: Word, gathered: Gathered): boolean => believe(word, gathered).isPaid

const isUnread = (word: Word | null): boolean => word?.kind === 'said' && word.input.kind === 'unreadable'

/** The last known status of a swap that its venue had recognised. */
const recognisedBefore = ({ own }: Subject): SwapStatus | null => {
  const last = own?.last ?? null
  return last !== null && factsOf(last.state).isRecognised ? last : null
}

/**
 * The swap of a broadcast transaction stays pending until the venue recognises it. It ends if the transaction failed or can no
 * longer land. Exception: the wallet paid with another transaction, which its chain or a ref of the venue shows.
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
  // Nothing was posted, so no refund is owed after the expiry.
  if (broadcast.state === 'unposted' && state === 'expired') return rejudged('pending')
  return state === 'not_found' && recognisedBefore(subject) === null ? rejudged('pending') : belief
}

/**
 * A known swap never becomes unknown, even if its venue forgets it. After a reorganisation it can return to pending and keeps its
 * ref.
 */
const keepKnown = (status: SwapStatus, subject: Subject): SwapStatus => {
  if (!factsOf(status.state).isForgotten) return status
  const last = recognisedBefore(subject)
  if (last !== null) return { ...last, venueStatus: status.venueStatus ?? last.venueStatus }
  const isOwnRef = subject.own?.knownBy === subject.ref
  return isOwnRef && status.state === 'not_found' ? { ...status, state: 'pending' } : status
}

/** Without a record nothing can be compared with the chain, so no status is terminal. */
const withoutRecord = (status: SwapStatus): SwapStatus => (isTerminal(status.state) ? openAs(status, 'processing') : status)

/** True if the ref belongs to this swap for good: if the chain was read, by a payment there. */
const isBound = (word: Word | null, told: SwapStatus): boolean => {
  if (word?.kind === 'said' && word.input.kind !== 'notLooked' && word.input.kind !== 'signed') return word.input.kind === 'paid'
  return factsOf(told.state).isRecognised
}

/** Decides the status of a swap, what to record, and its ref. */
export const judge = (gathered: Gathered): Verdict => {
  const { subject, word } = gathered
  const { ref, own, isRecorded } = subject
  const heard: Belief = word === null ? { status: wordless('pending'), isKept: true, isPaid: false } : believe(word, gathered)
  const { status, isKept } = followBroadcast(heard, gathered)
  // The last status of the swap does not apply to an unrelated transaction.
  const isStranger = word?.kind === 'said' && word.input.kind === 'stranger'
  const known = isStranger ? status : keepKnown(status, subject)
  const told = isRecorded ? known : withoutRecord(status)
  const isToKeep = own !== null && isKept && told.state !== 'not_found'
  return { told, kept: isToKeep ? told : null, ref: isBound(word, told) ? ref : (own?.knownBy ?? null) }
}
