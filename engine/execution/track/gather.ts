import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import { readOr } from '../../chains/readOr.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { type VenueWord, wordless } from '../../core/swapStatus.ts'
import { SwapError } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { Broadcast } from '../../store/broadcasts.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { createReadFate } from '../broadcast/readFate.ts'
import { createFindSent, type FoundSent } from './findSent.ts'
import {
  type BroadcastWord,
  doubtShortDelivery,
  type Gathered,
  type InputSight,
  type Sighting,
  type Subject,
  showsPayment,
  type Word,
} from './judge.ts'
import { createLook } from './look.ts'
import { createReadHashes } from './readHashes.ts'
import { createSearchPause } from './searchPause.ts'

/** The parts of a venue that tracking uses. */
export type TrackedVenue = Pick<GuardedVenue, 'profile' | 'events' | 'unfilled' | 'tracker'>

export type GatherPorts = {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly store: Pick<Store, 'swaps' | 'broadcasts' | 'payments' | 'transaction'>
  readonly solana: SolanaTransactions
  readonly clock: Clock
  /** `trustVenues`: only venue reports are available. */
  readonly evidence: ChainEvidence | 'trustVenues'
}

/** The swap in question. `record` is null if the quote was never executed, or its record is lost. */
export type Question = {
  readonly venue: TrackedVenue
  readonly ref: string
  readonly quote: SealedOffer
  readonly record: SwapRecord | null
}

/** The question with the subject to judge and the context to log to. */
type Asked = Question & { readonly subject: Subject; readonly context: CallContext }

/** True if one transaction takes the input and pays the output. */
export const isMadeAtOnce = (
  { profile }: Pick<TrackedVenue, 'profile'>,
  { order, offer: { executionType } }: SealedOffer,
): boolean =>
  executionType === 'TRANSACTION' && order.input.chainId === order.output.chainId && !profile.holdsInput(order, executionType)

/** Replaces a venue's report on a swap of one transaction: the payment proves the delivery. */
const wordOfPayment = (ref: string, { kind }: InputSight): VenueWord =>
  kind === 'paid' ? { ...wordless('pending'), state: 'success', txHash: ref } : wordless('pending')

const NOT_LOOKED: Sighting = { input: { kind: 'notLooked' }, output: { kind: 'notLooked' }, refund: { kind: 'notLooked' } }

/** A wallet may have sent the payload twice. A record covers one payment; the other is extra. */
export const isRecordOf = (record: SwapRecord, ref: string): boolean => record.ref === null || record.ref === ref

const subjectOf = ({ ref, quote: { order, offer }, record }: Question): Subject => {
  const isOwn = record !== null && isRecordOf(record, ref)
  const own = isOwn ? { knownBy: record.ref, last: record.isFollowed ? record.status : null } : null
  return { ref, order, offer, isRecorded: record !== null, own }
}

/** The recorded inputs of a deposit swap, for a venue that may have forgotten them. */
const createPaidBefore =
  ({ store, evidence }: Pick<GatherPorts, 'store' | 'evidence'>) =>
  async ({ record, quote }: Asked) => {
    if (evidence === 'trustVenues' || record === null || quote.offer.executionType !== 'DEPOSIT') return []
    const kept = await store.payments.ofSwap(record.id)
    return kept.flatMap(({ kind, txHash }) => (kind === 'input' ? [txHash] : []))
  }

/** True if the transaction failed for good, or can no longer land. */
const createIsOver =
  ({ solana, store: { broadcasts } }: Pick<GatherPorts, 'solana' | 'store'>) =>
  async (swapId: number, broadcast: Broadcast, { observe, signal }: CallContext): Promise<boolean> => {
    const readFate = createReadFate({ solana, broadcasts, observe, signal })
    const fate = await readOr({ chainId: SOLANA, what: 'landing', observe }, null, () => readFate(swapId, broadcast))
    signal.throwIfAborted()
    return fate === 'failed' || fate === 'lapsed'
  }

/**
 * Replaces the report of a failing venue by the payment on chain, or the last status. Throws a retryable INTERNAL if neither is
 * known, since no fresh quote and no other field would help.
 */
const withoutVenue = async (error: VenueError, { subject }: Asked, readChain: () => Promise<Word | null>): Promise<Word> => {
  const last = subject.own?.last ?? null
  const shown = last === null || last.state === 'pending' ? await readChain() : null
  if (shown?.kind === 'said' && (shown.input.kind === 'paid' || shown.input.kind === 'extra')) return shown
  if (last !== null) return { kind: 'silent', last }
  const { venue } = subject.offer
  throw new SwapError('INTERNAL', `${venue} does not answer now. Repeat the request.`, {
    details: { venue, kind: error.kind, retryable: true },
    cause: error,
    isOutage: error.isOutage || error.kind === 'rejected',
  })
}

/**
 * Collects the evidence about a swap from venue, chains and broadcasts. Decides nothing. Writes only what others must not miss:
 * the final result of a transaction, and the payments of the swap.
 */
export const createGather = ({ venues, store, solana, clock, evidence }: GatherPorts) => {
  const { broadcasts } = store
  const [isOver, paidBefore] = [createIsOver({ solana, store }), createPaidBefore({ store, evidence })]
  const findSent = createFindSent({ store, clock, evidence, venues })
  const [pause, asks, reads] = [createSearchPause(clock), createSearchPause(clock), createReadHashes(clock)]

  /** Null if venues are trusted, or the payload is unknown. */
  const looked = ({ record, venue, context }: Asked) =>
    evidence === 'trustVenues' || record === null
      ? null
      : { swap: { record, venue }, look: createLook({ evidence, store, clock, pause, asks, reads, venues }, context) }

  /** The venue's report, or its error. */
  const askVenue = async (ref: string, asked: Asked): Promise<VenueWord | VenueError> => {
    const { venue, quote, record, subject, context } = asked
    const { order, offer } = quote
    try {
      const said = await venue.tracker?.track(
        ref,
        { order, offer, executed: record?.swap ?? null, paidBy: await paidBefore(asked) },
        subject.own?.last ? context : { ...context, isNeeded: true },
      )
      return doubtShortDelivery(said ?? wordless('unknown'), quote)
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      return error
    }
  }

  /** Reads the transaction first: if it failed or belongs to others, no venue call is needed. */
  const ask = async (ref: string, asked: Asked): Promise<Word> => {
    const eyes = looked(asked)
    const input = eyes && (await eyes.look.transaction(eyes.swap, ref))
    if (input?.kind === 'stranger' || input?.kind === 'reverted')
      return { kind: 'said', claimed: wordless('pending'), ...NOT_LOOKED, input }
    const isAtOnce = input !== undefined && input !== null && isMadeAtOnce(asked.venue, asked.quote)
    const word = isAtOnce ? wordOfPayment(ref, input) : await askVenue(ref, asked)
    const readChain = async (said: VenueWord | null): Promise<Word | null> =>
      eyes && { kind: 'said', claimed: said ?? wordless('pending'), ...(await eyes.look.word(eyes.swap, { said, ref, input })) }
    if (word instanceof VenueError) return withoutVenue(word, asked, () => readChain(null))
    return (await readChain(word)) ?? { kind: 'said', claimed: word, ...NOT_LOOKED }
  }

  const withLife = async (asked: Asked, word: Word | null, broadcast: BroadcastWord | null): Promise<Gathered> => {
    const eyes = word?.kind === 'said' ? looked(asked) : null
    const isDead = eyes !== null && word?.kind === 'said' && (await eyes.look.isDead(eyes.swap, word.input))
    return { subject: asked.subject, word, broadcast, isDead }
  }

  /** The wallet may have paid by itself: reads that payment, or else the venue's own ref. */
  const askOtherwise = async (found: FoundSent, record: SwapRecord, asked: Asked): Promise<Word | null> => {
    const ref = found === null || found === 'unreadable' ? record.swap.execution.venueRef : found
    return ref === null ? null : ask(ref, asked)
  }

  /** Calls the venue with the transaction once there is one: the returned ref may be known to the service only. */
  const gatherBroadcast = async (record: SwapRecord, asked: Asked): Promise<Gathered> => {
    const broadcast = await broadcasts.find(record.id)
    const findOther = () => findSent(record, asked.venue, asked.context)
    if (broadcast === null)
      return withLife(asked, await askOtherwise(await findOther(), record, asked), { state: 'unposted', otherwise: null })
    const word = await ask(broadcast.txHash, asked)
    const heard = await withLife(asked, word, { state: 'underWay', otherwise: null })
    // A payment on chain outranks the state of the transaction.
    if (showsPayment(word, heard)) return heard
    if (!(await isOver(record.id, broadcast, asked.context))) return heard
    const found = await findOther()
    const otherwise = await askOtherwise(found, record, asked)
    // The wallet may have paid in another way. While that cannot be read, the swap has not failed.
    const isKnown = found !== 'unreadable' || (otherwise !== null && showsPayment(otherwise, heard))
    return isKnown ? { ...heard, broadcast: { state: 'over', otherwise } } : heard
  }

  return async (question: Question, context: CallContext): Promise<Gathered> => {
    const { ref, record } = question
    const asked = { ...question, subject: subjectOf(question), context }
    return record?.ref === ref && broadcastable(record.swap.order, record.swap.execution) !== null
      ? gatherBroadcast(record, asked)
      : withLife(asked, await ask(ref, asked), null)
  }
}
