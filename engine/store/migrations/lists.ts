import type { Kysely } from 'kysely'

/** What an operator pages through without reading all of it: payouts, of which there are few among the fees, and partners by age. */
export const lists = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('ledger_entries_kind').on('ledger_entries').columns(['kind', 'id']).execute()
  await db.schema.createIndex('partners_created').on('partners').columns(['created_at', 'id']).execute()
}
