import type { TrackedSwap } from '../../core/answers.ts'
import { hideKeys } from '../../core/hideKeys.ts'
import type { VenueId } from '../../core/offer.ts'
import { isOfSwap } from '../../core/payment.ts'
import { parseRef } from '../../core/ref.ts'
import { factsOf, isTerminal, type SwapState, type SwapStatus, wordless } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { invalidRequest } from '../../errors.ts'
import { bindSwap, type CallContext, markOf } from '../../observe/callContext.ts'
import { toldPayment } from '../../observe/toldPayment.ts'
import type { QuoteSeal, SealedQuote } from '../../quoting/seal.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { SwapRecord, SwapStore } from '../../store/swaps.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { sandboxStatus } from '../sandbox.ts'
import { createGather, type TrackedVenue } from './gather.ts'
import { judge } from './judge.ts'
import { createTrackRecord, type TrackRecordPorts, trackedVenue } from './trackRecord.ts'

export type TrackPorts = TrackRecordPorts & { readonly seal: QuoteSeal }

type Followed = SwapStatus & Pick<TrackedSwap, 'payments'>

/** The longest hash, address, order or statusRef. */
const REF_LENGTH_MAX = 512

const requireRef = (ref: string): void => {
  if (ref === '') throw invalidRequest([{ path: 'ref', reason: 'must not be empty' }])
  if (ref.length > REF_LENGTH_MAX)
    throw invalidRequest([{ path: 'ref', reason: `must have at most ${REF_LENGTH_MAX} characters` }])
}

/**
 * The swaps that a ref means. A deposit address or order comes from us, so it must be in the records. A transaction hash may
 * belong to any execution of the quote until it is recognised, and to several if the chain separates their payments.
 */
const matchRecords = (records: readonly SwapRecord[], ref: string, isTrusted: boolean): readonly SwapRecord[] => {
  const known = records.filter((record) => record.ref === ref)
  const unknown = records.filter(
    (record) =>
      !known.includes(record) &&
      record.swap.execution.payload.executionType === 'TRANSACTION' &&
      (known.length === 0 ||
        (!isTrusted && record.ref === null && parseTransactionId(record.swap.order.input.chainId, ref) !== null)),
  )
  return [...known, ...unknown]
}

/** For several executions that one transaction paid: the least advanced one, with the payments of all. */
const tellTogether = (followed: readonly Followed[]): Followed | null => {
  const isOpen = ({ state }: Followed): boolean => !isTerminal(state)
  const told = followed.find(isOpen) ?? followed.find(({ state }) => state !== 'success') ?? followed[0] ?? null
  return told && { ...told, payments: followed.flatMap(({ payments }) => payments) }
}

/** One status of a swap, with the payments that were read. */
const tell = (
  record: SwapRecord | null,
  { state, venueStatus, payments }: SwapStatus & Partial<Pick<Followed, 'payments'>>,
  venue: VenueId,
  { observe }: CallContext,
): void => {
  const before = record?.status.state ?? null
  const money = payments && { payments: payments.map(toldPayment) }
  observe({ event: 'swap.tracked', by: 'status', venue, before, state, venueStatus, ...money })
}

/** Records the first named transaction that no chain shows, for the alert on unseen payments. */
const recordNamed = (
  swaps: SwapStore,
  { id, swap, ref: known, namedTx }: SwapRecord,
  { state, ref }: { readonly state: SwapState; readonly ref: string },
  { observe }: CallContext,
): Promise<void> =>
  recordedOr(observe, undefined, async () => {
    if (known !== null || namedTx !== null || swap.execution.payload.executionType !== 'TRANSACTION') return
    const hash = parseTransactionId(swap.order.input.chainId, ref)
    if (hash === null) return
    // A transaction on its chain that pays another swap does not change the record.
    const isAbsent = state === 'pending' || (state === 'not_found' && (await swaps.byId(id))?.status.state === 'not_found')
    if (isAbsent) await swaps.setNamed(id, hash)
  })

/** Reports the status of a swap. Works after the quote expired, and after a restart. */
export const createTrackSwap = (ports: TrackPorts) => {
  const { venues, seal } = ports
  const { swaps, broadcasts, payments, settlement } = ports.store
  const trackRecord = createTrackRecord(ports)
  const gather = createGather(ports)

  /** The ref of a swap, given that ref or the transaction that the service broadcast for it. */
  const ownRef = async (records: readonly SwapRecord[], raw: string, quote: SealedQuote): Promise<string> => {
    // Only refs that clients may respell are normalised.
    const ref = records.some((record) => record.ref === raw) ? raw : parseRef(quote.order.input.chainId, raw)
    for (const { id, ref: known, swap } of records) {
      if (known === null || broadcastable(swap.order, swap.execution) === null) continue
      if ((await broadcasts.find(id))?.txHash === ref) return known
    }
    return ref
  }

  /**
   * The status without a record: the payload is unknown, so nothing can be compared with the chain. A payment of another swap
   * proves nothing.
   */
  const trackUnrecorded = async (
    venue: TrackedVenue,
    quote: SealedQuote,
    ref: string,
    context: CallContext,
  ): Promise<SwapStatus> => {
    const isStrangers = quote.offer.executionType === 'TRANSACTION' || (await swaps.isOfAnotherQuote(ref, quote.id))
    if (isStrangers) return wordless('not_found')
    return judge(await gather({ venue, ref, quote, record: null }, context)).told
  }

  /** The payments of the swap; null if they cannot be read. */
  const readPayments = ({ id }: SwapRecord, { observe }: CallContext) =>
    recordedOr(observe, null, async () => (await payments.ofSwap(id)).filter(isOfSwap))

  /** A request makes settlement follow an abandoned swap again. */
  const revive = async (record: SwapRecord, { observe }: CallContext): Promise<void> => {
    if (isLookedAfter(record)) await recordedOr(observe, undefined, () => settlement.revive(record.id))
  }

  const track = async (venue: TrackedVenue, quote: SealedQuote, rawRef: string, context: CallContext): Promise<Followed> => {
    const records = await swaps.ofQuote(quote.id)
    const ref = await ownRef(records, rawRef, quote)
    if (records.length === 0) {
      const status = await trackUnrecorded(venue, quote, ref, context)
      tell(null, status, venue.profile.id, context)
      return { ...status, payments: [] }
    }
    let best: Followed = { ...wordless('not_found'), payments: [] }
    const recognised: Followed[] = []
    const isTrusted = ports.evidence === 'trustVenues'
    for (const record of matchRecords(records, ref, isTrusted)) {
      const own = bindSwap(context, { ...markOf(record), ref: record.ref ?? hideKeys(ref) })
      const status = await trackRecord(record, own, ref)
      await recordNamed(swaps, record, { state: status.state, ref }, own)
      await revive(record, own)
      // A venue may wait for one execution and have the transaction of another.
      const { isRecognised } = factsOf(status.state)
      const isBetter = !isRecognised && best.state === 'not_found' && status.state !== 'not_found'
      const seen = isRecognised || isBetter ? await readPayments(record, own) : null
      tell(record, { ...status, ...(seen && { payments: seen }) }, venue.profile.id, own)
      const followed = { ...status, payments: seen ?? [] }
      if (isRecognised) recognised.push(followed)
      if (isBetter) best = followed
      if (isTrusted && recognised.length > 0) break
    }
    return tellTogether(recognised) ?? best
  }

  return async (
    { quoteToken, ref }: { readonly quoteToken: string; readonly ref: string },
    context: CallContext,
  ): Promise<TrackedSwap> => {
    const quote = seal.open(quoteToken)
    const { venue } = quote.offer
    if (quote.order.sandbox) return { venue, isTracked: true, ...sandboxStatus(quote), payments: [] }
    requireRef(ref)
    const tracked = trackedVenue(venues, quote)
    if (tracked === null) return { venue, isTracked: false, ...wordless('unknown'), payments: [] }
    const status = await track(tracked, quote, ref, bindSwap(context, { quoteId: quote.id, ref: hideKeys(ref) }))
    return { venue, isTracked: true, ...status }
  }
}
