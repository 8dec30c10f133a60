import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Forward only; each must work while the version before it is still running. */
export const migrations: Record<string, Migration> = {
  '0001-swaps': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('swaps')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('quote_id', 'text', (column) => column.notNull())
        .addColumn('binding_key', 'text', (column) => column.notNull())
        .addColumn('venue', 'text', (column) => column.notNull())
        .addColumn('partner_id', 'text')
        .addColumn('execution_type', 'text', (column) => column.notNull())
        .addColumn('is_sandbox', 'integer', (column) => column.notNull())
        .addColumn('ref', 'text')
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('venue_status', 'text')
        .addColumn('delivered_amount', 'text')
        .addColumn('tx_hash', 'text')
        .addColumn('submitted_at', 'integer')
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addColumn('updated_at', 'integer', (column) => column.notNull())
        .addUniqueConstraint('swaps_quote_binding', ['quote_id', 'binding_key'])
        .execute()
    },
  },
  '0002-broadcasts': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('broadcasts')
        .addColumn('swap_id', 'integer', (column) => column.primaryKey().references('swaps.id'))
        .addColumn('tx_hash', 'text', (column) => column.notNull())
        .addColumn('until_height', 'integer', (column) => column.notNull())
        .addColumn('accepted_at', 'integer')
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .execute()
    },
  },
  '0003-deliveries': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('deliveries')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('swap_id', 'integer', (column) => column.notNull().references('swaps.id'))
        .addColumn('tx_hash', 'text', (column) => column.notNull())
        .addColumn('payee', 'text', (column) => column.notNull())
        .addColumn('least', 'text', (column) => column.notNull())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addUniqueConstraint('deliveries_tx_swap', ['tx_hash', 'swap_id'])
        .execute()
    },
  },
  '0004-broadcast-fate': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('broadcasts')
        .addColumn('posts', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
      await db.schema.alterTable('broadcasts').addColumn('fate', 'text').execute()
    },
  },
  '0005-swaps-ref': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.createIndex('swaps_ref').on('swaps').column('ref').execute()
    },
  },
  '0006-swaps-posting': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('swaps').addColumn('posting_at', 'integer').execute()
    },
  },
}
