import { type Kysely, sql } from 'kysely'

/** What an operator pages through without reading all of it: payouts, of which there are few among the fees, and partners by age. */
export const lists = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('ledger_entries_kind').on('ledger_entries').columns(['kind', 'id']).execute()
  await db.schema.createIndex('partners_created').on('partners').columns(['created_at', 'id']).execute()
}

/** What has not ended is counted often, and is little beside what has. Read by the same words, or the index is not used. */
export const swapsOpen = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    CREATE INDEX swaps_open ON swaps (state, created_at)
    WHERE is_sandbox = 0 AND state NOT IN ('success', 'refunded', 'failed')`.execute(db)
}

/** By what an operator asks after a swap, and what one was told of: all that is kept was read for it. */
export const searched = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('swaps_request').on('swaps').columns(['request_id', 'id']).execute()
  await db.schema.createIndex('payments_tx').on('payments').column('tx_hash').execute()
  await db.schema.createIndex('broadcasts_tx').on('broadcasts').column('tx_hash').execute()
  await db.schema.createIndex('partner_events_swap').on('partner_events').columns(['swap_id', 'id']).execute()
}
