import type { Command } from 'commander'
import { type AccessPayment, accessPaymentOf } from '../../../engine/ledger/accessEntry.ts'
import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import type { AccessSearch } from '../../../engine/store/operatorReads.ts'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { age, ID_MAX, oneOf, PAGE_MAX, wholeNumber } from '../arguments.ts'
import type { CsvRow } from '../csv.ts'
import { exportCsv } from '../csvExport.ts'
import { listOf, type Streamed, type Told, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

/** By the name of the plain call. */
const OPERATIONS = {
  quote: 'x402Quote',
  execute: 'x402Execute',
  'submit-signature': 'x402SubmitSignature',
  'submit-transaction': 'x402SubmitTransaction',
  status: 'x402Status',
} as const

type Operation = keyof typeof OPERATIONS

type Wish = {
  readonly operation?: Operation
  readonly network?: string
  readonly olderThan?: number
  readonly youngerThan?: number
}

const searchOf = ({ operation, network, olderThan, youngerThan }: Wish, now: number): AccessSearch => ({
  ...(operation !== undefined && { operation: OPERATIONS[operation] }),
  ...(network !== undefined && { network }),
  ...(olderThan !== undefined && { until: now - olderThan }),
  ...(youngerThan !== undefined && { from: now - youngerThan }),
})

const nameOf = ({ operation }: AccessPayment): string =>
  Object.entries(OPERATIONS).find(([, id]) => id === operation)?.[0] ?? operation

const list = async (
  { store, clock }: Session,
  { limit, before, ...wish }: Wish & { readonly limit: number; readonly before?: number },
): Promise<Told> => {
  const page = { beforeId: before ?? null, limit: limit + 1 }
  const found = await store.operator.accessPayments(searchOf(wish, clock.now()), page)
  const payments = found
    .slice(0, limit)
    .map((entry) => ({ ...accessPaymentOf(entry), operation: nameOf(accessPaymentOf(entry)) }))
  const next = found.length > limit ? (payments.at(-1)?.id ?? null) : null
  const rows = payments.map((one) => [
    one.id,
    timeOf(one.bookedAt),
    one.operation,
    one.network,
    one.amount,
    one.asset,
    one.payer,
    one.transaction,
  ])
  return {
    data: { payments, before: next },
    lines: [
      ...listOf(
        tableOf(['PAYMENT', 'BOOKED', 'CALL', 'NETWORK', 'AMOUNT', 'ASSET', 'PAYER', 'TRANSACTION'], rows),
        'No payment matches.',
      ),
      ...(next === null ? [] : [`More: --before ${next}`]),
    ],
  }
}

const HEAD = ['payment', 'booked', 'call', 'network', 'asset', 'amount', 'transaction', 'pay_to', 'payer', 'request_id']

const rowOf = (one: AccessPayment): CsvRow => [
  one.id,
  new Date(one.bookedAt).toISOString(),
  nameOf(one),
  one.network,
  one.asset,
  one.amount,
  one.transaction,
  one.payTo,
  one.payer,
  one.requestId,
]

/** All of them, newest first. */
export async function* readPayments({ store }: Pick<Session, 'store'>, search: AccessSearch): AsyncGenerator<AccessPayment> {
  for (let beforeId: number | null = null; ; ) {
    const entries: readonly LedgerEntry[] = await store.operator.accessPayments(search, { beforeId, limit: PAGE_MAX })
    yield* entries.map(accessPaymentOf)
    const last = entries.at(-1)
    if (last === undefined || entries.length < PAGE_MAX) return
    beforeId = last.id
  }
}

async function* rowsOf(session: Session, search: AccessSearch): AsyncGenerator<CsvRow> {
  for await (const payment of readPayments(session, search)) yield rowOf(payment)
}

type ExportOptions = Wish & { readonly to?: string }

const exportPayments = (session: Session, { to, ...wish }: ExportOptions): Promise<Told | Streamed> =>
  exportCsv(session, { head: HEAD, rows: rowsOf(session, searchOf(wish, session.clock.now())), to, fields: {} })

const narrowed = (command: Command): Command =>
  command
    .option('--operation <call>', Object.keys(OPERATIONS).join(', '), oneOf(Object.keys(OPERATIONS)))
    .option('--network <id>', 'CAIP-2 id of the network', oneOf(PAYMENT_ASSETS.map(({ network }) => network)))
    .option('--older-than <age>', 'booked longer ago than this, such as 90m, 12h or 30d', age)
    .option('--younger-than <age>', 'booked within this time', age)

const EXAMPLES = `
Examples:
  operator payments list --operation quote --younger-than 24h
  operator payments export --network eip155:8453 --to payments.csv`

export const addPaymentCommands = (program: Command, { run }: Tool): void => {
  const payments = program
    .command('payments')
    .description('list calls that callers paid for (x402)')
    .addHelpText('after', EXAMPLES)
  narrowed(payments.command('list'))
    .description('list payments, newest first; a payment must match all filters')
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--before <payment>', 'continue below this one', wholeNumber(1, ID_MAX))
    .action((options: Parameters<typeof list>[1], command: Command) => run(command, (session) => list(session, options)))
  narrowed(payments.command('export'))
    .description('print payments as CSV, newest first')
    .option('--to <file>', 'write the CSV to this file')
    .action((options: ExportOptions, command: Command) => run(command, (session) => exportPayments(session, options)))
}
