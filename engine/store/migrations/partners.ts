import { type Kysely, sql } from 'kysely'
import { required, type Words } from './words.ts'

type Db = Kysely<unknown>

/** Who brought a swap, and who is told of it. What the version before adds has neither. */
export const swapsAttribution = async (db: Db): Promise<void> => {
  await db.schema
    .alterTable('swaps')
    .addColumn('fee_of', 'text', (column) => column.notNull().defaultTo('partner'))
    .execute()
  await db.schema.alterTable('swaps').addColumn('executed_by', 'text').execute()
  await db.schema
    .alterTable('swaps')
    .addColumn('request_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('swaps').addColumn('token_key', 'text').execute()
}

export const partners = async (db: Db, { keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('partners')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', required)
    .addColumn('fee_bps', 'integer')
    .addColumn('requests_per_minute', 'integer')
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('partner_contacts')
    .addColumn('partner_id', 'text', (column) => column.primaryKey().references('partners.id'))
    .addColumn('document', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('partner_id', 'text', (column) => column.notNull().references('partners.id'))
    .addColumn('hint', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_partner').on('api_keys').column('partner_id').execute()
  await db.schema
    .createTable('payout_addresses')
    .addColumn('id', keyType, identity)
    .addColumn('partner_id', 'text', (column) => column.notNull().references('partners.id'))
    .addColumn('ecosystem', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('counts_from', 'bigint', required)
    .addColumn('replaced_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('payout_addresses_partner').on('payout_addresses').columns(['partner_id', 'replaced_at']).execute()
  await db.schema
    .createTable('webhooks')
    .addColumn('partner_id', 'text', (column) => column.primaryKey().references('partners.id'))
    .addColumn('url', 'text', required)
    .addColumn('sealed_secret', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
}

/** The feed of what a partner was told, and what became of each delivery. The places of a feed are counted one by one. */
export const partnerEvents = async (db: Db, { keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('partner_feeds')
    .addColumn('partner_id', 'text', (column) => column.primaryKey().references('partners.id'))
    .addColumn('last_place', 'bigint', required)
    .execute()
  await db.schema
    .createTable('partner_events')
    .addColumn('id', keyType, identity)
    .addColumn('partner_id', 'text', (column) => column.notNull().references('partners.id'))
    .addColumn('place', 'bigint', required)
    .addColumn('swap_id', 'bigint', (column) => column.references('swaps.id'))
    .addColumn('event', 'text', required)
    .addColumn('document', 'text', required)
    .addColumn('delivery', 'text', required)
    .addColumn('attempted_at', 'bigint')
    .addColumn('answered', 'integer')
    .addColumn('failure', 'text')
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('partner_events_place', ['partner_id', 'place'])
    .execute()
  await db.schema.createIndex('partner_events_due').on('partner_events').columns(['delivery', 'partner_id', 'place']).execute()
  await db.schema.createIndex('partner_events_created').on('partner_events').column('created_at').execute()
}

/** How often settings were changed is counted with every change of them. */
export const settingChanges = async (db: Db): Promise<void> => {
  await sql`CREATE INDEX partner_events_changes ON partner_events (partner_id, created_at) WHERE swap_id IS NULL`.execute(db)
}

/** Entries and their lines: never changed, and never deleted. */
export const ledger = async (db: Db, { keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('ledger_entries')
    .addColumn('id', keyType, identity)
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', required)
    .addColumn('swap_id', 'bigint', (column) => column.references('swaps.id'))
    .addColumn('document', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('ledger_entries_swap').on('ledger_entries').column('swap_id').execute()
  await db.schema
    .createTable('ledger_lines')
    .addColumn('id', keyType, identity)
    .addColumn('entry_id', 'bigint', (column) => column.notNull().references('ledger_entries.id'))
    .addColumn('account', 'text', required)
    .addColumn('side', 'text', required)
    .addColumn('ecosystem', 'text', required)
    .addColumn('chain_id', 'bigint', required)
    .addColumn('token', 'text', required)
    .addColumn('amount', 'text', required)
    .execute()
  await db.schema.createIndex('ledger_lines_entry').on('ledger_lines').column('entry_id').execute()
  await db.schema.createIndex('ledger_lines_account').on('ledger_lines').columns(['account', 'id']).execute()
}

/** The open swaps that are looked after without being asked for, and who looks after them now. */
export const settlement = async (db: Db, { keyType }: Words): Promise<void> => {
  await db.schema
    .createTable('settlement')
    .addColumn('swap_id', keyType, (column) => column.primaryKey().references('swaps.id'))
    .addColumn('venue', 'text', required)
    .addColumn('is_paid', 'integer', required)
    .addColumn('due_at', 'bigint', required)
    .addColumn('looks', 'integer', required)
    .addColumn('since', 'bigint', required)
    .addColumn('changed_at', 'bigint', required)
    .addColumn('abandoned_at', 'bigint')
    .execute()
  const due = ['venue', 'abandoned_at', 'is_paid', 'due_at', 'swap_id']
  await db.schema.createIndex('settlement_due').on('settlement').columns(due).execute()
  await db.schema.createIndex('settlement_since').on('settlement').columns(['abandoned_at', 'since']).execute()
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', required)
    .addColumn('until', 'bigint', required)
    .execute()
}
