import type { Command } from 'commander'
import { type AccessPayment, accessPaymentOf } from '../../../engine/ledger/accessEntry.ts'
import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import type { AccessSearch } from '../../../engine/store/operatorReads.ts'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { type Add, age, type BeforeOptions, oneOf, pagedByRow } from '../commandLine.ts'
import { eachRow, exportCsv } from '../csvExport.ts'
import { type Output, pageOf, readPage, type Streamed } from '../printing.ts'
import type { Session } from '../session.ts'

/** By the name of the plain call. */
const OPERATIONS = {
  quote: 'x402Quote',
  execute: 'x402Execute',
  'submit-signature': 'x402SubmitSignature',
  'submit-transaction': 'x402SubmitTransaction',
  status: 'x402Status',
} as const

const OPERATION_NAMES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]

type Filters = {
  readonly operation?: keyof typeof OPERATIONS
  readonly network?: string
  readonly olderThan?: number
  readonly youngerThan?: number
}

const searchOf = ({ clock }: Session, { operation, network, olderThan, youngerThan }: Filters): AccessSearch => ({
  ...(operation !== undefined && { operation: OPERATIONS[operation] }),
  ...(network !== undefined && { network }),
  ...(olderThan !== undefined && { until: clock.now() - olderThan }),
  ...(youngerThan !== undefined && { from: clock.now() - youngerThan }),
})

const toPayment = (entry: LedgerEntry): AccessPayment => {
  const payment = accessPaymentOf(entry)
  const operation = OPERATION_NAMES.find((name) => OPERATIONS[name] === payment.operation) ?? payment.operation
  return { ...payment, operation }
}

const list = async (session: Session, { limit, before, ...filters }: Filters & BeforeOptions): Promise<Output> => {
  const search = searchOf(session, filters)
  const page = await readPage(limit, (most) =>
    session.store.operator.accessPayments(search, { beforeId: before ?? null, limit: most }),
  )
  const columns = ['id', 'bookedAt', 'operation', 'network', 'amount', 'asset', 'payer', 'transaction'] as const
  return pageOf('payments', page.rows.map(toPayment), { before: page.last?.id ?? null }, columns)
}

/** All of them, newest first. */
export async function* readPayments({ store }: Pick<Session, 'store'>, search: AccessSearch): AsyncGenerator<AccessPayment> {
  for await (const entry of eachRow((page) => store.operator.accessPayments(search, page))) yield toPayment(entry)
}

const exportPayments = (session: Session, { to, ...filters }: Filters & { readonly to?: string }): Promise<Output | Streamed> =>
  exportCsv(session, {
    rows: readPayments(session, searchOf(session, filters)),
    head: 'payment,booked,call,network,asset,amount,transaction,pay_to,payer,request_id',
    names: ['id', 'bookedAt', 'operation', 'network', 'asset', 'amount', 'transaction', 'payTo', 'payer', 'requestId'],
    to,
  })

const filtered = (command: Command): Command =>
  command
    .option('--operation <call>', OPERATION_NAMES.join(', '), oneOf(OPERATION_NAMES))
    .option('--network <id>', 'CAIP-2 id of the network', oneOf(PAYMENT_ASSETS.map(({ network }) => network)))
    .option('--older-than <age>', 'booked longer ago than this, such as 90m, 12h or 30d', age)
    .option('--younger-than <age>', 'booked within this time', age)

const EXAMPLES = `
Examples:
  operator payments list --operation quote --younger-than 24h
  operator payments export --network eip155:8453 --to payments.csv`

export const addPaymentCommands = (program: Command, { onRecords }: Add): void => {
  const payments = program.command('payments').description('list calls that callers paid for (x402)')
  payments.addHelpText('after', EXAMPLES)
  pagedByRow(filtered(onRecords(payments, 'list', 'list payments, newest first; a payment must match all filters', list)))
  filtered(onRecords(payments, 'export', 'print payments as CSV, newest first', exportPayments)).option(
    '--to <file>',
    'write the CSV to this file',
  )
}
