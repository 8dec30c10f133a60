import type { Payment } from '../../engine/core/payment.ts'
import type { SwapHistory } from '../../engine/store/operatorReads.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { notFound } from './operatorError.ts'
import { fieldsOf, type Output, tableOf, timeOf } from './printing.ts'

/** The printed fields of a swap, without its payload. */
export const summaryOf = ({ swap: { order, offer, execution }, status, ...row }: SwapRecord) => ({
  id: row.id,
  quoteId: row.quoteId,
  venue: offer.venue,
  executionType: execution.payload.executionType,
  isSandbox: row.isSandbox,
  partnerId: row.partnerId,
  feeOf: row.feeOf,
  executedBy: row.executedBy,
  requestId: row.requestId,
  ref: row.ref,
  namedTx: row.namedTx,
  state: status.state,
  venueStatus: status.venueStatus,
  deliveredAmount: status.deliveredAmount,
  txHash: status.txHash,
  input: { chainId: order.input.chainId, token: order.input.address, amount: order.inputAmount },
  output: { chainId: order.output.chainId, token: order.output.address, amount: offer.outputAmount },
  fee: { bps: offer.fee.bps, amount: offer.fee.amount },
  tokenKey: row.tokenKey,
  submittedAt: row.submittedAt,
  endedAt: row.endedAt,
  createdAt: row.createdAt,
})

export const swapById = async ({ swaps }: Pick<Store, 'swaps'>, id: number): Promise<SwapRecord> => {
  const record = await swaps.byId(id)
  if (record === null) throw notFound(`There is no swap ${id}.`)
  return record
}

export const paymentLines = (payments: readonly Payment[]): readonly string[] =>
  tableOf(payments, ['kind', 'chainId', 'token', 'amount', 'recipient', 'txHash', 'paidAt', 'isFinal'], 'No payment was found.')

const queueText = ({ queue }: SwapHistory): string => {
  if (queue === null) return 'not tracked by settlement; a status request updates it'
  if (queue.abandonedAt !== null) return `abandoned ${timeOf(queue.abandonedAt)}, after ${queue.looks} checks`
  return `${queue.isPaid ? 'paid or signed' : 'unpaid'}, ${queue.looks} checks, next ${timeOf(queue.dueAt)}`
}

/** All records of one swap. */
export const showSwap = async (store: Store, record: SwapRecord): Promise<Output> => {
  const swap = summaryOf(record)
  const { id, quoteId: quote, ...fields } = swap
  const [payments, history] = [await store.payments.ofSwap(id), await store.operator.historyOf(id)]
  const entries = await store.ledger.ofSwap(id)
  const { recipient, refundTo } = record.swap.binding
  const booked = entries.flatMap(({ lines, ...entry }) => lines.map((line) => ({ ...entry, ...line })))
  return {
    data: { swap, recipient, refundTo, payments, entries, ...history },
    lines: [
      ...fieldsOf({ swap: id, quote, ...fields, recipient, refundTo, queue: queueText(history) }),
      '',
      ...paymentLines(payments),
      '',
      ...tableOf(
        history.events,
        ['event', 'partnerId', 'createdAt', 'delivery', 'answered', 'failure'],
        'No event was recorded.',
      ),
      '',
      ...tableOf(booked, ['id', 'kind', 'createdAt', 'account', 'side', 'chainId', 'token', 'amount'], 'Nothing was booked.'),
    ],
  }
}
