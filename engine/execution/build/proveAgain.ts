import { type ChainClock, requireRightClock } from '../../chains/endpoints/chainClock.ts'
import type { Clock } from '../../core/clock.ts'
import { SwapError } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { areByClock, judgePayload, type Verdict } from '../payloadProof.ts'
import { quoteGone } from '../venueFailure.ts'

export type ProveAgainPorts = { readonly clock: Clock; readonly chainClock: ChainClock } & Pick<CallContext, 'observe'>

/** A caller that already paid can follow the swap by its ref, the only detail that is returned. */
const refused = (venue: string, { ref }: SwapRecord, { proved }: Verdict): SwapError => {
  const statusRef = ref === null ? {} : { statusRef: ref }
  // A read that decoding needs failed: the payload is neither proved nor disproved.
  if (proved instanceof VenueError && !['badResponse', 'rejected'].includes(proved.kind))
    return new SwapError('INTERNAL', `What ${venue} built could not be checked now. Repeat the same request.`, {
      details: { venue, kind: proved.kind, retryable: true, ...statusRef },
      cause: proved,
    })
  const text = `What ${venue} built for this quote no longer proves to be what was quoted. Sign and send nothing of it.`
  return new SwapError('INTERNAL', text, { details: { venue, reason: 'payloadMismatch', ...statusRef } })
}

/**
 * Proves a stored payload again before it is returned once more, with the stored evidence and today's pinned values. Throws
 * QUOTE_EXPIRED after its deadline, INTERNAL if it is not proved, OVERLOADED if only its deadline differs, by a wrong clock.
 */
export const proveAgain = async (venue: GuardedVenue, record: SwapRecord, ports: ProveAgainPorts): Promise<void> => {
  const { clock, chainClock, observe } = ports
  const { id } = venue.profile
  const { swap } = record
  const now = clock.now()
  const verdict = await judgePayload(venue, swap.execution, { sealed: swap, binding: swap.binding, now })
  const { mismatches, proved } = verdict
  if (mismatches.length === 0) return
  if (areByClock(mismatches)) requireRightClock(chainClock, record.ref)
  const deadlineAt = proved instanceof VenueError || chainClock.wrongByMs() !== null ? null : proved.deadlineAt
  if (deadlineAt !== null && deadlineAt <= now) throw quoteGone(id, 'deadlinePassed')
  observe({ event: 'payload.refused', venue: id, mismatches })
  throw refused(id, record, verdict)
}
