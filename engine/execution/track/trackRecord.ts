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

/** The venue of a swap, if it can be tracked there. */
export const trackedVenue = (venues: TrackRecordPorts['venues'], quote: SealedOffer): TrackedVenue | null => {
  const venue = venues.get(quote.offer.venue)
  return venue && (venue.tracker || isMadeAtOnce(venue, quote)) ? venue : null
}

/** True for a delivered extra payment, which leaves the status of the swap unchanged. */
const isDeliveredExtra = ({ word }: Gathered): boolean =>
  word?.kind === 'said' && word.input.kind === 'extra' && word.output.kind === 'paid'

/**
 * True if the status must be recorded before it is returned. A partner waits for it or earns by it, and no later request may
 * come.
 */
const mustBeKept = (record: SwapRecord, { state }: SwapStatus, ref: string | null): boolean =>
  isLookedAfter(record) && (isTerminal(state) || record.ref !== ref)

/**
 * Reports the status of a recorded swap and stores new facts. Rejects with StoreError if it cannot store what it must. `ref` is
 * the swap's own, or a transaction that its wallet names; without one, the payment is searched. Needs no quote token. Without
 * evidence, returns the last status.
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
    // Nothing was paid, or no refund was found yet: a later payment or refund may still appear.
    if (status.state === 'failed') return follow(venue, record, ref, context)
    return lookAgain(record, context)
  }
}
