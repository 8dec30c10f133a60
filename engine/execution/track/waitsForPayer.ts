import { factsOf } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { createFindSent } from './findSent.ts'
import type { GatherPorts } from './gather.ts'
import { sharedBy } from './inputByDeposit.ts'
import { createReadEvidence, executedAtOf, isPast } from './readEvidence.ts'

/** `unreadable`: its chain cannot be read, so its venue's word would prove nothing. */
export type Waiting = 'waits' | 'unreadable' | 'no'

/**
 * Whether nothing of a swap has happened, as far as we and its chain know: its venue then has nothing to tell, and need not be
 * asked. Once its time is over the venue is asked, until the end is proved.
 */
export const createWaitsForPayer = ({ venues, store, evidence, clock }: GatherPorts) => {
  const findSent = createFindSent({ store, clock, evidence, venues })
  const hasPayments = async ({ id }: SwapRecord): Promise<boolean> => (await store.payments.ofSwap(id)).length > 0

  const atItsAddress = async (record: SwapRecord, context: CallContext): Promise<Waiting> => {
    const { payload } = record.swap.execution
    const venue = venues.get(record.swap.offer.venue)
    if (payload.executionType !== 'DEPOSIT' || evidence === 'trustVenues' || venue === undefined) return 'no'
    // An address that others are paid at, too, tells nothing by itself.
    if (sharedBy(venue, record) !== null || (await hasPayments(record))) return 'no'
    const { chainId, address } = payload.deposit
    const query = { asset: record.swap.order.input, recipient: address, since: executedAtOf(record) }
    const until = await createReadEvidence(context)(chainId, (signal, budget) =>
      evidence.untouchedUntil({ ...query, budget }, signal),
    )
    if (until === 'unreadable') return until
    return until === null ? 'no' : 'waits'
  }

  /** Its wallet may have sent it itself, against the rules. */
  const atItsSender = async (record: SwapRecord, context: CallContext): Promise<Waiting> => {
    if ((await store.broadcasts.find(record.id)) !== null) return 'no'
    const venue = venues.get(record.swap.offer.venue)
    const found = venue === undefined ? null : await findSent(record, venue, context)
    if (found === 'unreadable') return 'unreadable'
    return found === null ? 'waits' : 'no'
  }

  return async (record: SwapRecord, context: CallContext): Promise<Waiting> => {
    const { status, swap, postingAt, submittedAt } = record
    const hasFailed = status.state === 'failed'
    if (!hasFailed && (factsOf(status.state).isRecognised || isPast(swap, clock.now()))) return 'no'
    switch (swap.execution.payload.executionType) {
      case 'DEPOSIT':
        return atItsAddress(record, context)
      case 'SIGNATURE':
        return !hasFailed && postingAt === null && submittedAt === null ? 'waits' : 'no'
      case 'TRANSACTION': {
        const isSentByUs = !hasFailed && broadcastable(swap.order, swap.execution) !== null
        return isSentByUs ? atItsSender(record, context) : 'no'
      }
    }
  }
}
