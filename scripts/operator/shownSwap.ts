import type { Payment } from '../../engine/core/payment.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { notFound } from './operatorError.ts'
import { listOf, tableOf, timeOf } from './printing.ts'

/** The printed fields of a swap, without its payload. */
export const shown = ({ swap: { order, offer, execution }, status, ...row }: SwapRecord) => ({
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
  listOf(
    tableOf(
      ['PAYMENT', 'CHAIN', 'TOKEN', 'AMOUNT', 'TO', 'TRANSACTION', 'PAID', 'FINAL'],
      payments.map((one) => [
        one.kind,
        one.chainId,
        one.token,
        one.amount,
        one.recipient,
        one.txHash,
        timeOf(one.paidAt),
        one.isFinal ? 'yes' : 'no',
      ]),
    ),
    'No payment was seen.',
  )
