import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { required } from './words.ts'

/** What is known of the records as a whole, a line each. Their id tells them from all others, also from what they are restored as. */
export const storeFacts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('store_facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .execute()
  await sql`INSERT INTO store_facts (name, value) VALUES ('id', ${randomBytes(16).toString('hex')})`.execute(db)
}

/** When all but the bones of a swap was given up. */
export const swapsArchived = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('archived_at', 'bigint').execute()
}
