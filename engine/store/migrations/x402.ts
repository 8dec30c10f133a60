import type { Kysely } from 'kysely'
import { required } from './words.ts'

/** Calls that are paid one by one: each payment stands for one request, and is never forgotten once it is settled. */
export const x402PaidCalls = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('paid_calls')
    .addColumn('payment_key', 'text', (column) => column.primaryKey())
    .addColumn('request_key', 'text', required)
    .addColumn('request_id', 'text', required)
    .addColumn('operation', 'text', required)
    .addColumn('network', 'text', required)
    .addColumn('asset', 'text', required)
    .addColumn('amount', 'text', required)
    .addColumn('pay_to', 'text', required)
    .addColumn('payer', 'text', required)
    .addColumn('payment', 'text')
    .addColumn('state', 'text', required)
    .addColumn('holder', 'text', required)
    .addColumn('until', 'bigint', required)
    .addColumn('answer', 'text')
    .addColumn('tx_hash', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('settled_at', 'bigint')
    .execute()
  // Nearly all are settled, and their answers given up: what is looked for is what is left.
  await db.schema.createIndex('paid_calls_open').on('paid_calls').columns(['state', 'until']).execute()
  await db.schema.createIndex('paid_calls_settled').on('paid_calls').column('settled_at').execute()
}
