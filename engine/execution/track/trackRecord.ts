import { isTerminal, type SwapStatus } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { createLifecycle } from '../lifecycle.ts'
import { createGather, type GatherPorts, isRecordOf } from './gather.ts'
import { judge } from './judge.ts'

export type TrackRecordPorts = GatherPorts & {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly store: Store
}

/**
 * Tells where a swap of ours stands, and keeps what was learned. `ref` is what the swap goes by, or a transaction that
 * its wallet says it sent. Needs no quote token. What cannot be followed is as it was last seen.
 */
export const createTrackRecord = (ports: TrackRecordPorts) => {
  const gather = createGather(ports)
  const { transition } = createLifecycle(ports.store)

  return async (record: SwapRecord, context: CallContext, ref = record.ref): Promise<SwapStatus> => {
    const tracker = ports.venues.get(record.swap.offer.venue)?.tracker ?? null
    if (tracker === null || ref === null) return record.status
    if (isTerminal(record.status.state) && isRecordOf(record, ref)) return record.status
    const verdict = judge(await gather({ tracker, ref, quote: record.swap, record }, context))
    const { told, kept } = verdict
    if (kept === null) return told
    return recordedOr(context.observe, told, () => transition(record.id, kept, verdict.ref))
  }
}
