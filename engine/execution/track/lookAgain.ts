import type { Payment } from '../../core/payment.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import type { CallContext } from '../../observe/callContext.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { createLifecycle, takeBackEnd } from '../lifecycle.ts'
import type { GatherPorts } from './gather.ts'
import { inputByDeposit, sharedBy } from './inputByDeposit.ts'
import { amountOf, isOfExtra, isPayout } from './keptInputs.ts'
import { keptAs, owedOf, refundsIn } from './payouts.ts'
import { createReadEvidence, type EvidencePorts, isRemembered, readTransaction } from './readEvidence.ts'
import { createReadHashes } from './readHashes.ts'
import { createSearchPause } from './searchPause.ts'

/** The delivery or refund on which the end of a swap rests. */
const isOwnPayout = (payment: Payment): boolean => isPayout(payment) && !isOfExtra(payment)

const paidOf = (kept: readonly Payment[]): bigint | null => amountOf(kept.filter(({ kind }) => kind === 'input'))

/** Anyone can send a small amount to a deposit address, and it is refunded before the real payment. */
const isRefundOfPart = ({ status, swap }: SwapRecord, kept: readonly Payment[]): boolean => {
  const { payload } = swap.execution
  const paid = paidOf(kept)
  return status.state === 'refunded' && payload.executionType === 'DEPOSIT' && paid !== null && paid < payload.deposit.amount
}

/**
 * Reads the payments of an ended swap again until they are final. A reorganisation of the payout resets the swap to `processing`;
 * unreadable or forgotten payments change nothing. Also searches now and then for extra payments. They are no second end, but a
 * refunded part does not end a later payment to the address.
 */
export const createLookAgain = ({ store, venues, evidence, clock }: GatherPorts & { readonly store: Store }) => {
  const { payments } = store
  const { setFinal, dropExtra } = createLifecycle(store)
  const [pause, reads] = [createSearchPause(clock), createReadHashes(clock)]

  const keepExtra = async (record: SwapRecord, ports: EvidencePorts): Promise<void> => {
    const { payload } = record.swap.execution
    const venue = venues.get(record.swap.offer.venue)
    if (payload.executionType !== 'DEPOSIT' || venue === undefined || !pause.isDue(record.id)) return
    const awaited = { record, deposit: payload.deposit, shared: sharedBy(venue, record), word: record.status, isSearched: true }
    await inputByDeposit(awaited, { ...ports, payments, reads, clock, venues })
  }

  /** True if more was paid since than the refund covers, beyond what the venue may keep. */
  const owesMore = async (record: SwapRecord): Promise<boolean> => {
    const kept = await payments.ofSwap(record.id)
    const amount = paidOf(kept)
    const keeps = venues.get(record.swap.offer.venue)?.profile.refundKeeps(record.swap)
    if (keeps === undefined || amount === null) return false
    const owed = owedOf({ record, input: { kind: 'paid', amount }, keeps }, refundsIn(kept) + 1)
    return keptAs(kept, 'refund', owed)?.isWhole === false
  }

  const isGone = async ({ id }: SwapRecord, payment: Payment, ports: EvidencePorts): Promise<boolean> => {
    const seen = await readTransaction(ports, payment)
    if (seen === 'unreadable') return false
    if (seen?.isSuccess && seen.standing === 'final') await setFinal(id, payment)
    return seen === null || !seen.isSuccess
  }

  const look = async (record: SwapRecord, ports: EvidencePorts): Promise<SwapStatus> => {
    const { id, status, endedAt, createdAt } = record
    const kept = await payments.ofSwap(id)
    const lastAt = Math.max(endedAt ?? createdAt, ...kept.filter(isOwnPayout).map(({ paidAt }) => paidAt ?? 0))
    const isFresh = isRemembered(lastAt, clock)
    const open = kept.filter(({ isFinal }) => !isFinal)
    const isShort = isRefundOfPart(record, kept)
    if (isFresh || isShort) await keepExtra(record, ports)
    if (isShort && (await owesMore(record))) return takeBackEnd(store, record, null)
    if (!isFresh && (open.length === 0 || !pause.isDue(id))) return status
    for (const payment of open) {
      if (!(await isGone(record, payment, ports)) || !isPayout(payment) || !isFresh) continue
      if (isOfExtra(payment)) {
        await dropExtra(id, payment)
        continue
      }
      return takeBackEnd(store, record, payment)
    }
    return status
  }

  return async (record: SwapRecord, context: CallContext): Promise<SwapStatus> => {
    if (evidence === 'trustVenues') return record.status
    const observe: CallContext['observe'] = (event) => {
      if (event.event === 'search.unfinished') pause.unfinished(record.id)
      context.observe(event)
    }
    const read = createReadEvidence({ ...context, signal: context.signal, observe })
    return recordedOr(context.observe, record.status, async () => {
      try {
        return await look(record, { evidence, read })
      } catch (error) {
        if (!context.signal.aborted) throw error
        return record.status
      }
    })
  }
}
