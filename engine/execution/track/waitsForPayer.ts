import { factsOf } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { createFindSent } from './findSent.ts'
import type { GatherPorts } from './gather.ts'
import { sharedBy } from './inputByDeposit.ts'
import { createReadEvidence, executedAtOf, isPast } from './readEvidence.ts'

/** `unreadable`: the chain cannot be read, so a venue report would prove nothing. */
export type Waiting = 'waits' | 'unreadable' | 'no'

/**
 * Returns `waits` while neither records nor chain show any event of the swap: its venue need not be called. After the deadline
 * the venue is called until the end is proved.
 */
export const createWaitsForPayer = ({ venues, store, evidence, clock }: GatherPorts) => {
  const findSent = createFindSent({ store, clock, evidence, venues })
  const hasPayments = async ({ id }: SwapRecord): Promise<boolean> => (await store.payments.ofSwap(id)).length > 0

  const atItsAddress = async (record: SwapRecord, context: CallContext): Promise<Waiting> => {
    const { payload } = record.swap.execution
    const venue = venues.get(record.swap.offer.venue)
    if (payload.executionType !== 'DEPOSIT' || evidence === 'trustVenues' || venue === undefined) return 'no'
    // Activity at a shared address may belong to other swaps.
    if (sharedBy(venue, record) !== null || (await hasPayments(record))) return 'no'
    const { chainId, address } = payload.deposit
    const query = { asset: record.swap.order.input, recipient: address, since: executedAtOf(record) }
    const until = await createReadEvidence(context)(chainId, (signal, budget) =>
      evidence.untouchedUntil({ ...query, budget }, signal),
    )
    if (until === 'unreadable') return until
    return until === null ? 'no' : 'waits'
  }

  /** The wallet may have sent the transaction without this service. */
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
