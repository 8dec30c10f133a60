import type { SealedOffer } from '../../core/swap.ts'
import { isTerminal, type SwapStatus } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { createLifecycle } from '../lifecycle.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { createFindSent } from './findSent.ts'
import { createGather, type GatherPorts, isMadeAtOnce, isRecordOf, type TrackedVenue } from './gather.ts'
import { type Gathered, judge } from './judge.ts'
import { createLookAgain } from './lookAgain.ts'

export type TrackRecordPorts = GatherPorts & { readonly store: Store }

/** The venue of a swap, if it can be followed there. */
export const trackedVenue = (venues: TrackRecordPorts['venues'], quote: SealedOffer): TrackedVenue | null => {
  const venue = venues.get(quote.offer.venue)
  return venue && (venue.tracker || isMadeAtOnce(venue, quote)) ? venue : null
}

/** A payment beside the swap's own that has its own delivery, which is no word on the swap. */
const isDeliveredExtra = ({ word }: Gathered): boolean =>
  word?.kind === 'said' && word.input.kind === 'extra' && word.output.kind === 'paid'

/**
 * Whether a status is told only once it is written: somebody is to be told of the swap or earns by it, and nobody may ever ask
 * again, neither a client that knows the end, nor the job, which has the hash of a transaction from the first who asks with it.
 */
const mustBeKept = (record: SwapRecord, { state }: SwapStatus, ref: string | null): boolean =>
  isLookedAfter(record) && (isTerminal(state) || record.ref !== ref)

/**
 * Tells where a swap of ours stands, and keeps what was learned; rejects with StoreError where that must be kept and cannot.
 * `ref` is what the swap goes by, or a transaction that its wallet says it sent; one that nobody told of is looked for. Needs no
 * quote token. What cannot be followed is as it was last seen.
 */
export const createTrackRecord = (ports: TrackRecordPorts) => {
  const gather = createGather(ports)
  const lookAgain = createLookAgain(ports)
  const findSent = createFindSent(ports)
  const { transition, settleExtras } = createLifecycle(ports.store)
  const { evidence } = ports

  const follow = async (venue: TrackedVenue, record: SwapRecord, ref: string, context: CallContext): Promise<SwapStatus> => {
    const gathered = await gather({ venue, ref, quote: record.swap, record }, context)
    const verdict = judge(gathered)
    const { told, kept } = verdict
    if (isDeliveredExtra(gathered)) await recordedOr(context.observe, undefined, () => settleExtras(record.id))
    if (kept === null) return told
    const onFirstEnd = ({ swap, createdAt }: SwapRecord) => {
      const elapsedMs = ports.clock.now() - createdAt
      context.observe({ event: 'swap.ended', venue: swap.offer.venue, state: kept.state, elapsedMs })
    }
    const keep = () => transition(record.id, kept, verdict.ref, { onFirstEnd })
    return mustBeKept(record, kept, verdict.ref) ? keep() : recordedOr(context.observe, told, keep)
  }

  return async (record: SwapRecord, context: CallContext, told = record.ref): Promise<SwapStatus> => {
    const venue = trackedVenue(ports.venues, record.swap)
    const { status } = record
    const ref = venue && (told ?? (await findSent(record, venue, context)))
    if (venue === null || ref === null || ref === 'unreadable') return status
    const hasEnded = isTerminal(status.state) && isRecordOf(record, ref)
    if (!hasEnded) return follow(venue, record, ref, context)
    if (evidence === 'trustVenues') return status
    // Nothing was paid, or nothing was seen to come back: a later payment, or a late refund, tells more.
    if (status.state === 'failed') return follow(venue, record, ref, context)
    return lookAgain(record, context)
  }
}
