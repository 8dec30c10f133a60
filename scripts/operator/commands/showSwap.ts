import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import type { SwapHistory } from '../../../engine/store/operatorReads.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { fieldsOf, listOf, type Told, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import { paymentLines, shown, swapById } from '../shownSwap.ts'

const queueText = ({ queue }: SwapHistory): string => {
  if (queue === null) return 'not tracked by settlement; a status request updates it'
  if (queue.abandonedAt !== null) return `abandoned ${timeOf(queue.abandonedAt)}, after ${queue.looks} checks`
  return `${queue.isPaid ? 'paid or signed' : 'unpaid'}, ${queue.looks} checks, next ${timeOf(queue.dueAt)}`
}

const historyLines = ({ events }: SwapHistory, entries: readonly LedgerEntry[]): readonly string[] => [
  ...listOf(
    tableOf(
      ['EVENT', 'PARTNER', 'AT', 'DELIVERY', 'ANSWERED', 'FAILURE'],
      events.map((one) => [one.event, one.partnerId, timeOf(one.createdAt), one.delivery, one.answered, one.failure]),
    ),
    'No event was recorded.',
  ),
  '',
  ...listOf(
    tableOf(
      ['LEDGER', 'KIND', 'AT', 'ACCOUNT', 'SIDE', 'CHAIN', 'TOKEN', 'AMOUNT'],
      entries.flatMap((entry) =>
        entry.lines.map((line) => [
          entry.id,
          entry.kind,
          timeOf(entry.createdAt),
          line.account,
          line.side,
          line.chainId,
          line.token,
          line.amount,
        ]),
      ),
    ),
    'Nothing was booked.',
  ),
]

/** All that is kept of one swap. */
export const tellSwap = async (store: Store, record: SwapRecord): Promise<Told> => {
  const { id } = record
  const swap = shown(record)
  const [payments, history] = [await store.payments.ofSwap(id), await store.operator.historyOf(id)]
  const entries = await store.ledger.ofSwap(id)
  const { recipient, refundTo } = record.swap.binding
  return {
    data: { swap, recipient, refundTo, payments, entries, ...history },
    lines: [
      ...fieldsOf([
        ['swap', id],
        ['quote', swap.quoteId],
        ['executed', `${timeOf(swap.createdAt)} by request ${swap.requestId === '' ? '-' : swap.requestId}`],
        ['venue', `${swap.venue}, ${swap.executionType}${swap.isSandbox ? ', sandbox' : ''}`],
        ['state', swap.venueStatus === null ? swap.state : `${swap.state} (${swap.venueStatus})`],
        ['ref', swap.ref],
        ['named hash', swap.namedTx],
        ['input', `${swap.input.amount} of ${swap.input.token} on ${swap.input.chainId}`],
        ['output', `${swap.output.amount} of ${swap.output.token} on ${swap.output.chainId}`],
        ['delivered', swap.deliveredAmount],
        ['transaction', swap.txHash],
        ['recipient', recipient],
        ['refund to', refundTo],
        ['partner', swap.partnerId],
        ['executed by', swap.executedBy],
        ['fee', `${swap.fee.bps} bps, ${swap.fee.amount}, the ${swap.feeOf}'s`],
        ['ended', timeOf(swap.endedAt)],
        ['token key', swap.tokenKey],
        ['queue', queueText(history)],
      ]),
      '',
      ...paymentLines(payments),
      '',
      ...historyLines(history, entries),
    ],
  }
}

export const showSwap = async ({ store }: Session, id: number): Promise<Told> => tellSwap(store, await swapById(store, id))
