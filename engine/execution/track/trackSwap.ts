import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { parseAddress } from '../../core/address.ts'
import type { TrackedSwap } from '../../core/answers.ts'
import { ecosystemOf } from '../../core/chain.ts'
import { isTerminal, type SwapState, type SwapStatus } from '../../core/swapStatus.ts'
import { invalidRequest } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { QuoteSeal, SealedQuote } from '../../quoting/seal.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { sandboxStatus } from '../sandbox.ts'
import { createAskTracker } from './askTracker.ts'
import { createTrackBroadcast } from './trackBroadcast.ts'

export type TrackPorts = {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly seal: QuoteSeal
  readonly store: Store
  readonly solana: SolanaTransactions
  /** `trustVenues`: their word is all there is. */
  readonly evidence: ChainEvidence | 'trustVenues'
}

const NOT_FOUND: SwapStatus = { state: 'not_found', venueStatus: null, deliveredAmount: null, txHash: null }
const UNTRACKED: SwapStatus = { state: 'unknown', venueStatus: null, deliveredAmount: null, txHash: null }

/** No hash, address, order or statusRef is longer. */
const REF_LENGTH_MAX = 512

const requireRef = (ref: string): void => {
  if (ref === '') throw invalidRequest([{ path: 'ref', reason: 'must not be empty' }])
  if (ref.length > REF_LENGTH_MAX)
    throw invalidRequest([{ path: 'ref', reason: `must have at most ${REF_LENGTH_MAX} characters` }])
}

/** The spelling we keep: addresses canonical, EVM hashes in lower case. */
const canonicalRef = (raw: string, { order }: SealedQuote): string => {
  const address = parseAddress(ecosystemOf(order.input.chainId), raw)
  if (address) return address
  return /^0x[0-9a-fA-F]{64}$/.test(raw) ? raw.toLowerCase() : raw
}

/**
 * Which of our own swaps a ref means. A deposit address or an order was given out by us, so it must be one of ours; a
 * transaction hash is only known to the client, and until it is recognised may belong to any execution of the quote.
 */
const matchRecords = (records: readonly SwapRecord[], ref: string): readonly SwapRecord[] => {
  const known = records.filter((record) => record.ref === ref)
  return known.length > 0 ? known : records.filter(({ swap }) => swap.execution.payload.executionType === 'TRANSACTION')
}

/** A known swap never becomes unknown again, however forgetful its venue is. Back to pending it can go: chains reorganise. */
const keepKnown = (seen: SwapStatus, last: SwapStatus): SwapStatus => {
  const wasSeen = last.state === 'processing' || last.state === 'expired'
  const isForgotten = seen.state === 'not_found' || seen.state === 'unknown'
  return wasSeen && isForgotten ? { ...last, venueStatus: seen.venueStatus ?? last.venueStatus } : seen
}

/** States in which the venue has certainly recognised the ref as this swap. */
const RECOGNISED: ReadonlySet<SwapState> = new Set(['processing', 'success', 'expired', 'refunded', 'failed'])

type Tracker = NonNullable<GuardedVenue['tracker']>

/** Tells where a swap stands, by asking its venue. Works after the quote has expired, and after a restart. */
export const createTrackSwap = (ports: TrackPorts) => {
  const { venues, seal, store, solana, evidence } = ports
  const { swaps, broadcasts, payoutClaims } = store
  const askVenue = createAskTracker({ evidence, payoutClaims })
  const trackBroadcast = createTrackBroadcast({ broadcasts, solana })

  const remember = async (record: SwapRecord, ref: string, status: SwapStatus, { observe }: CallContext): Promise<void> => {
    await recordedOr(observe, undefined, () =>
      swaps.setStatus(record.id, status, RECOGNISED.has(status.state) ? ref : record.ref),
    )
  }

  /** What a swap of ours goes by, asked for by it or by the transaction the service sent for it. */
  const ownRef = async (records: readonly SwapRecord[], raw: string, quote: SealedQuote): Promise<string> => {
    // What was handed out is taken as it was; only what a client may have respelled is put into our spelling.
    const ref = records.some((record) => record.ref === raw) ? raw : canonicalRef(raw, quote)
    for (const { id, ref: known, swap } of records) {
      if (known === null || broadcastable(swap.order, swap.execution) === null) continue
      if ((await broadcasts.find(id))?.txHash === ref) return known
    }
    return ref
  }

  const trackRecord = async (
    tracker: Tracker,
    ref: string,
    quote: SealedQuote,
    record: SwapRecord,
    context: CallContext,
  ): Promise<SwapStatus> => {
    // A wallet may have sent the same transaction twice. Our memory is of one of the two; the other is the venue's to tell.
    if (record.ref !== null && record.ref !== ref)
      return (await askVenue(tracker, ref, { quote, record: { ...record, status: NOT_FOUND, isFollowed: false }, context }))
        .status
    if (isTerminal(record.status.state)) return record.status
    const isBroadcast = record.ref === ref && broadcastable(record.swap.order, record.swap.execution) !== null
    let isHearsay = false
    const ask = async (asked: string): Promise<SwapStatus> => {
      const told = await askVenue(tracker, asked, { quote, record, context })
      isHearsay = told.isHearsay
      return told.status
    }
    const asked = isBroadcast ? await trackBroadcast(record, ask, context.observe) : await ask(ref)
    const status = keepKnown(asked, record.status)
    const isKept = status.state !== 'not_found' && !(isHearsay && isTerminal(status.state))
    if (isKept) await remember(record, ref, status, context)
    return status
  }

  const track = async (tracker: Tracker, quote: SealedQuote, rawRef: string, context: CallContext): Promise<SwapStatus> => {
    const records = await swaps.ofQuote(quote.id)
    const ref = await ownRef(records, rawRef, quote)
    if (records.length === 0) {
      // A quote that was never executed, or whose record is lost. What belongs to another swap proves nothing of this one.
      if (await swaps.isOfAnotherQuote(ref, quote.id)) return NOT_FOUND
      return (await askVenue(tracker, ref, { quote, record: null, context })).status
    }
    let best = NOT_FOUND
    for (const record of matchRecords(records, ref)) {
      const status = await trackRecord(tracker, ref, quote, record, context)
      // Of several executions a venue may be waiting for one, and have seen the transaction for another.
      if (RECOGNISED.has(status.state)) return status
      if (best.state === 'not_found') best = status
    }
    return best
  }

  return async (
    { quoteToken, ref }: { readonly quoteToken: string; readonly ref: string },
    context: CallContext,
  ): Promise<TrackedSwap> => {
    const quote = await seal.open(quoteToken)
    const { venue } = quote.offer
    if (quote.order.sandbox) return { venue, isTracked: true, ...sandboxStatus(quote) }
    requireRef(ref)
    const tracker = venues.get(venue)?.tracker ?? null
    if (tracker === null) return { venue, isTracked: false, ...UNTRACKED }
    const status = await track(tracker, quote, ref, context)
    context.observe({ event: 'swap.tracked', venue, state: status.state, venueStatus: status.venueStatus })
    return { venue, isTracked: true, ...status }
  }
}
