import type { Clock } from '../../core/clock.ts'
import { SwapError } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { judgePayload, type Verdict } from '../payloadProof.ts'
import { quoteGone } from '../venueFailure.ts'

export type ProveAgainPorts = { readonly clock: Clock } & Pick<CallContext, 'observe'>

/** Whoever has paid already can follow the swap by its ref, and by nothing else that is shown here. */
const refused = (venue: string, { ref }: SwapRecord, { proved }: Verdict): SwapError => {
  const statusRef = ref === null ? {} : { statusRef: ref }
  // What decoding has to read besides could not be read: that says nothing of the payload.
  if (proved instanceof VenueError && !['badResponse', 'rejected'].includes(proved.kind))
    return new SwapError('INTERNAL', `What ${venue} built could not be checked now. Repeat the same request.`, {
      details: { venue, kind: proved.kind, retryable: true, ...statusRef },
      cause: proved,
    })
  const text = `What ${venue} built for this quote no longer proves to be what was quoted. Sign and send nothing of it.`
  return new SwapError('INTERNAL', text, { details: { venue, reason: 'payloadMismatch', ...statusRef } })
}

/**
 * Holds a stored payload to its quote again before it is handed out once more: by the evidence stored with it, and by what
 * is pinned today. QUOTE_EXPIRED once its deadline has passed, INTERNAL when it is not proved.
 */
export const proveAgain = async (venue: GuardedVenue, record: SwapRecord, { clock, observe }: ProveAgainPorts): Promise<void> => {
  const { id } = venue.profile
  const { swap } = record
  const now = clock.now()
  const verdict = await judgePayload(venue, swap.execution, { sealed: swap, binding: swap.binding, now })
  const { mismatches, proved } = verdict
  if (mismatches.length === 0) return
  const deadlineAt = proved instanceof VenueError ? null : proved.deadlineAt
  if (deadlineAt !== null && deadlineAt <= now) throw quoteGone(id, 'deadlinePassed')
  observe({ event: 'payload.refused', venue: id, mismatches })
  throw refused(id, record, verdict)
}
