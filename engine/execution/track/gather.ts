import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { PaymentQuery } from '../../chains/payments.ts'
import { readOr } from '../../chains/readOr.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { Broadcast } from '../../store/broadcasts.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { createReadFate } from '../broadcast/readFate.ts'
import {
  type BroadcastWord,
  doubtShortDelivery,
  type Gathered,
  isDelivery,
  leastOf,
  type Sighting,
  type Subject,
  showsPayment,
  type Word,
} from './judge.ts'

export type Tracker = NonNullable<GuardedVenue['tracker']>

export type GatherPorts = {
  readonly store: Pick<Store, 'broadcasts' | 'payoutClaims'>
  readonly solana: SolanaTransactions
  /** `trustVenues`: their word is all there is. */
  readonly evidence: ChainEvidence | 'trustVenues'
}

/** Whose status is asked for. `record` is null where the quote was never executed, or its record is lost. */
export type Question = {
  readonly tracker: Tracker
  readonly ref: string
  readonly quote: SealedOffer
  readonly record: SwapRecord | null
}

/** The question, in the judge's terms, with where trouble is told. */
type Asked = Question & { readonly subject: Subject; readonly context: CallContext }

const EVIDENCE_DEADLINE_MS = 4_000

/** A wallet may have sent the same transaction twice. A record is of one of the two; the other is the venue's to tell. */
export const isRecordOf = (record: SwapRecord, ref: string): boolean => record.ref === null || record.ref === ref

const subjectOf = ({ ref, quote: { order, offer }, record }: Question): Subject => {
  const isOwn = record !== null && isRecordOf(record, ref)
  const own = isOwn ? { knownBy: record.ref, last: record.isFollowed ? record.status : null } : null
  return { ref, order, offer, executedAt: record?.createdAt ?? 0, own }
}

/** The payment that proves a claim; null for a claim of none. */
const paymentOf = (claimed: SwapStatus, { quote: { order }, record }: Question): Omit<PaymentQuery, 'txHash'> | null => {
  if (claimed.state === 'success') {
    // Without our own record nobody knows who was bound last: only a recipient named with the quote can be looked for.
    if (record === null && order.unnamed.includes('recipient')) return null
    return { asset: order.output, recipient: record?.swap.binding.recipient ?? order.recipient }
  }
  // Some venues never name the transaction of a refund.
  if (claimed.state !== 'refunded' || record === null || claimed.txHash === null) return null
  return { asset: order.input, recipient: record.swap.binding.refundTo }
}

/**
 * Asks the venue, the chains and the broadcasts what they know of a swap. Decides nothing, and writes nothing but what
 * others must not miss: the fate of a transaction that is final, and that a payout is claimed by this swap.
 */
export const createGather = ({ store: { broadcasts, payoutClaims }, solana, evidence }: GatherPorts) => {
  const owedToOthers = ({ txHash, asset, recipient }: PaymentQuery, { quote, record, context }: Asked): Promise<bigint> => {
    const payee = `${asset.chainId}:${asset.address}:${recipient}`
    return recordedOr(context.observe, 0n, () =>
      record
        ? payoutClaims.claim({ swapId: record.id, txHash, payee, least: leastOf(quote.offer) })
        : payoutClaims.owed(txHash, payee),
    )
  }

  const look = async (claimed: SwapStatus, asked: Asked): Promise<Sighting> => {
    const payment = paymentOf(claimed, asked)
    if (evidence === 'trustVenues' || payment === null) return { kind: 'notLooked' }
    const { chainId } = payment.asset
    const txHash = parseTransactionId(chainId, claimed.txHash ?? '')
    if (txHash === null) return { kind: 'unnamed' }
    const query = { ...payment, txHash }
    const { observe, signal: left } = asked.context
    const payments = await readOr({ chainId, what: 'evidence', observe }, 'unreadable' as const, () =>
      withDeadline(EVIDENCE_DEADLINE_MS, (signal) => evidence.payments(query, signal), left),
    )
    // Nothing can be concluded from what nobody waited for.
    left.throwIfAborted()
    if (payments === 'unreadable') return { kind: 'unreadable', txHash }
    if (payments === null) return { kind: 'absent' }
    const isToClaim = claimed.state === 'success' && isDelivery(payments, asked.subject)
    return { kind: 'seen', txHash, payments, owedToOthers: isToClaim ? await owedToOthers(query, asked) : 0n }
  }

  /** What was last seen answers for a venue out of reach; where nothing was, the venue's trouble is thrown. */
  const askVenue = async (ref: string, asked: Asked): Promise<Word> => {
    const { tracker, quote, record, subject, context } = asked
    const { order, offer } = quote
    try {
      const claimed = await tracker.track(ref, { order, offer, executed: record?.swap ?? null }, context)
      return { kind: 'said', claimed, sighting: await look(doubtShortDelivery(claimed, quote), asked) }
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      const last = subject.own?.last ?? null
      if (last !== null) return { kind: 'silent', last }
      // Whatever the venue says, the swap is what it is: neither a fresh quote nor another field would help.
      throw new SwapError('INTERNAL', `${offer.venue} could not tell now. Ask again.`, {
        details: { venue: offer.venue, kind: error.kind, retryable: true },
        cause: error,
      })
    }
  }

  const isOver = async (swapId: number, broadcast: Broadcast, { observe, signal }: CallContext): Promise<boolean> => {
    const readFate = createReadFate({ solana, broadcasts, observe, signal })
    const fate = await readOr({ chainId: SOLANA, what: 'landing', observe }, null, () => readFate(swapId, broadcast))
    signal.throwIfAborted()
    return fate === 'failed' || fate === 'lapsed'
  }

  /** The venue is asked by the transaction, once there is one: the ref that was handed out may be ours alone. */
  const gatherBroadcast = async ({ id, swap }: SwapRecord, asked: Asked): Promise<Gathered> => {
    const { subject, context } = asked
    const { venueRef } = swap.execution
    const ask = async (ref: string | null): Promise<Word | null> => (ref === null ? null : askVenue(ref, asked))
    const broadcast = await broadcasts.find(id)
    const word = await ask(broadcast?.txHash ?? venueRef)
    const gathered = (state: BroadcastWord['state'], byVenueRef: Word | null = null): Gathered => ({
      subject,
      word,
      broadcast: { state, byVenueRef },
    })
    if (broadcast === null) return gathered('unposted')
    // A payment that the venue has seen says more than what became of the transaction.
    if (word !== null && showsPayment(word, subject)) return gathered('underWay')
    return (await isOver(id, broadcast, context)) ? gathered('over', await ask(venueRef)) : gathered('underWay')
  }

  return async (question: Question, context: CallContext): Promise<Gathered> => {
    const { ref, record } = question
    const asked = { ...question, subject: subjectOf(question), context }
    const isBroadcast = record?.ref === ref && broadcastable(record.swap.order, record.swap.execution) !== null
    if (isBroadcast) return gatherBroadcast(record, asked)
    return { subject: asked.subject, word: await askVenue(ref, asked), broadcast: null }
  }
}
