import type { Payment } from '../../core/payment.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { createLifecycle } from '../lifecycle.ts'
import type { GatherPorts } from './gather.ts'
import { createReadEvidence, isRemembered } from './readEvidence.ts'

/** What an ended swap rests on: its delivery, or its refund. */
const isPayout = ({ kind }: Payment): boolean => kind === 'output' || kind === 'refund'

/**
 * Reads the payout of an ended swap again, until it is final. One that the chain took back puts the swap back to
 * `processing`; what cannot be read unsays nothing.
 */
export const createLookAgain = ({ store, evidence, clock }: GatherPorts & { readonly store: Store }) => {
  const { transition } = createLifecycle(store)

  return async (record: SwapRecord, { observe }: CallContext): Promise<SwapStatus> => {
    if (evidence === 'trustVenues' || !isRemembered(record.endedAt ?? record.createdAt, clock)) return record.status
    const read = createReadEvidence(observe)
    const isGone = async (payment: Payment): Promise<boolean> => {
      const { chainId, txHash } = payment
      const seen = await read(chainId, (signal) => evidence.transaction({ chainId, hash: txHash }, signal))
      if (seen === 'unreadable') return false
      if (seen?.isSuccess && seen.standing === 'final') await store.payments.setFinal(record.id, payment)
      return seen === null || !seen.isSuccess
    }
    return recordedOr(observe, record.status, async () => {
      const open = (await store.payments.ofSwap(record.id)).filter((payment) => isPayout(payment) && !payment.isFinal)
      for (const payment of open) {
        if (!(await isGone(payment))) continue
        await store.payments.drop(record.id, payment)
        const reopened: SwapStatus = { ...record.status, state: 'processing', deliveredAmount: null, txHash: null }
        return transition(record.id, reopened, record.ref, { takesBackEnd: true })
      }
      return record.status
    })
  }
}
