import { randomBytes } from 'node:crypto'
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Words } from './words.ts'

type Db = Kysely<unknown>

/** A column's type, then what else holds for it. A type alone: the column may be null. */
type Type = 'text' | 'bigint' | 'integer'
type Column = Type | readonly [Type, (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder]

const TEXT: Column = ['text', (column) => column.notNull()]
const BIGINT: Column = ['bigint', (column) => column.notNull()]
const INTEGER: Column = ['integer', (column) => column.notNull()]
const KEY: Column = ['text', (column) => column.primaryKey()]
const OF_SWAP: Column = ['bigint', (column) => column.notNull().references('swaps.id')]
const OF_SWAP_OR_NONE: Column = ['bigint', (column) => column.references('swaps.id')]
const OF_PARTNER: Column = ['text', (column) => column.notNull().references('partners.id')]
const KEY_OF_PARTNER: Column = ['text', (column) => column.primaryKey().references('partners.id')]

/** Columns whose type depends on the database. */
const keysOf = ({ keyType, identity }: Words) => ({
  id: [keyType, identity] as Column,
  swapKey: [keyType, (column) => column.primaryKey().references('swaps.id')] as Column,
})

const table = (db: Db, name: string, columns: { readonly [column: string]: Column }): CreateTableBuilder<string, string> =>
  Object.entries(columns).reduce<CreateTableBuilder<string, string>>(
    (made, [column, what]) => (typeof what === 'string' ? made.addColumn(column, what) : made.addColumn(column, ...what)),
    db.schema.createTable(name),
  )

const index = (db: Db, name: string, on: string, columns: readonly string[]): Promise<void> =>
  db.schema
    .createIndex(name)
    .on(on)
    .columns([...columns])
    .execute()

const swaps = async (db: Db, words: Words): Promise<void> => {
  await table(db, 'swaps', {
    id: keysOf(words).id,
    quote_id: TEXT,
    binding_key: TEXT,
    venue: TEXT,
    partner_id: 'text',
    fee_of: TEXT,
    executed_by: 'text',
    request_id: TEXT,
    token_key: 'text',
    execution_type: TEXT,
    is_sandbox: INTEGER,
    ref: 'text',
    document: TEXT,
    state: TEXT,
    venue_status: 'text',
    delivered_amount: 'text',
    tx_hash: 'text',
    submitted_at: 'bigint',
    posting_at: 'bigint',
    followed_at: 'bigint',
    ended_at: 'bigint',
    created_at: BIGINT,
    updated_at: BIGINT,
    race: 'text',
    archived_at: 'bigint',
  })
    .addUniqueConstraint('swaps_quote_binding', ['quote_id', 'binding_key'])
    .execute()
  await index(db, 'swaps_ref', 'swaps', ['ref'])
  await index(db, 'swaps_request', 'swaps', ['request_id', 'id'])
  // A query uses this index only when it repeats the condition word for word.
  await sql`
    CREATE INDEX swaps_open ON swaps (state, created_at)
    WHERE is_sandbox = 0 AND state NOT IN ('success', 'refunded', 'failed')`.execute(db)
}

/** What belongs to single swaps: claims, payments, broadcasts, and who follows them. */
const partsOfSwaps = async (db: Db, words: Words): Promise<void> => {
  const { id, swapKey } = keysOf(words)
  const broadcast = { tx_hash: TEXT, until_height: BIGINT, accepted_at: 'bigint', posts: INTEGER, fate: 'text' } as const
  await table(db, 'broadcasts', { swap_id: swapKey, ...broadcast, created_at: BIGINT }).execute()
  await index(db, 'broadcasts_tx', 'broadcasts', ['tx_hash'])
  await table(db, 'builds', { quote_id: TEXT, binding_key: TEXT, owner: TEXT, until: BIGINT })
    .addPrimaryKeyConstraint('builds_quote_binding', ['quote_id', 'binding_key'])
    .execute()
  const place = { chain_id: BIGINT, tx_hash: TEXT, place: TEXT, token: TEXT, recipient: TEXT } as const
  const paid = { amount: 'text', order_id: 'text', paid_at: 'bigint', is_final: INTEGER } as const
  await table(db, 'payments', { id, swap_id: OF_SWAP, kind: TEXT, ...place, ...paid, created_at: BIGINT })
    .addUniqueConstraint('payments_place', ['chain_id', 'place'])
    .execute()
  await index(db, 'payments_swap', 'payments', ['swap_id'])
  await index(db, 'payments_tx', 'payments', ['tx_hash'])
  await table(db, 'swap_keys', { venue: TEXT, kind: TEXT, value: TEXT, swap_id: OF_SWAP, until: 'bigint', created_at: BIGINT })
    .addPrimaryKeyConstraint('swap_keys_key', ['venue', 'kind', 'value'])
    .execute()
  const due = { venue: TEXT, is_paid: INTEGER, due_at: BIGINT, looks: INTEGER, since: BIGINT, changed_at: BIGINT } as const
  await table(db, 'settlement', { swap_id: swapKey, ...due, abandoned_at: 'bigint' }).execute()
  await index(db, 'settlement_due', 'settlement', ['venue', 'abandoned_at', 'is_paid', 'due_at', 'swap_id'])
  await index(db, 'settlement_since', 'settlement', ['abandoned_at', 'since'])
  await table(db, 'leases', { name: KEY, holder: TEXT, until: BIGINT }).execute()
}

const partners = async (db: Db, words: Words): Promise<void> => {
  const { id } = keysOf(words)
  const limits = { fee_bps: 'integer', requests_per_minute: 'integer' } as const
  await table(db, 'partners', { id: KEY, kind: TEXT, ...limits, created_at: BIGINT }).execute()
  await index(db, 'partners_created', 'partners', ['created_at', 'id'])
  await table(db, 'partner_contacts', { partner_id: KEY_OF_PARTNER, document: TEXT, created_at: BIGINT }).execute()
  const dates = { created_at: BIGINT, revoked_at: 'bigint' } as const
  await table(db, 'api_keys', { hash: KEY, partner_id: OF_PARTNER, hint: TEXT, ...dates }).execute()
  await index(db, 'api_keys_partner', 'api_keys', ['partner_id'])
  const payTo = { ecosystem: TEXT, address: TEXT, counts_from: BIGINT, replaced_at: 'bigint' } as const
  await table(db, 'payout_addresses', { id, partner_id: OF_PARTNER, ...payTo, created_at: BIGINT }).execute()
  await index(db, 'payout_addresses_partner', 'payout_addresses', ['partner_id', 'replaced_at'])
  const target = { url: TEXT, sealed_secret: TEXT, created_at: BIGINT, updated_at: BIGINT } as const
  await table(db, 'webhooks', { partner_id: KEY_OF_PARTNER, ...target }).execute()
}

/** What each partner was sent, counted one by one per partner, and the result of each delivery. */
const partnerEvents = async (db: Db, words: Words): Promise<void> => {
  const { id } = keysOf(words)
  await table(db, 'partner_feeds', { partner_id: KEY_OF_PARTNER, last_place: BIGINT }).execute()
  const event = { place: BIGINT, swap_id: OF_SWAP_OR_NONE, event: TEXT, document: TEXT } as const
  const delivery = { delivery: TEXT, attempted_at: 'bigint', answered: 'integer', failure: 'text' } as const
  await table(db, 'partner_events', { id, partner_id: OF_PARTNER, ...event, ...delivery, created_at: BIGINT })
    .addUniqueConstraint('partner_events_place', ['partner_id', 'place'])
    .execute()
  await index(db, 'partner_events_due', 'partner_events', ['delivery', 'partner_id', 'place'])
  await index(db, 'partner_events_created', 'partner_events', ['created_at'])
  await index(db, 'partner_events_swap', 'partner_events', ['swap_id', 'id'])
  // Every change of settings counts the earlier ones.
  await sql`CREATE INDEX partner_events_changes ON partner_events (partner_id, created_at) WHERE swap_id IS NULL`.execute(db)
}

/** Entries and lines are never changed or deleted. Balances are their sums. */
const ledger = async (db: Db, words: Words): Promise<void> => {
  const { id } = keysOf(words)
  const entry = { kind: TEXT, swap_id: OF_SWAP_OR_NONE, document: TEXT, created_at: BIGINT } as const
  await table(db, 'ledger_entries', { id, key: ['text', (column) => column.notNull().unique()], ...entry }).execute()
  await index(db, 'ledger_entries_swap', 'ledger_entries', ['swap_id'])
  await index(db, 'ledger_entries_kind', 'ledger_entries', ['kind', 'id'])
  const asset = { ecosystem: TEXT, chain_id: BIGINT, token: TEXT } as const
  const ofEntry: Column = ['bigint', (column) => column.notNull().references('ledger_entries.id')]
  await table(db, 'ledger_lines', { id, entry_id: ofEntry, account: TEXT, side: TEXT, ...asset, amount: TEXT }).execute()
  await index(db, 'ledger_lines_entry', 'ledger_lines', ['entry_id'])
  await index(db, 'ledger_lines_account', 'ledger_lines', ['account', 'id'])
  await table(db, 'ledger_balances', { partner_id: TEXT, ...asset, earned: TEXT, paid: TEXT, last_line: BIGINT })
    .addPrimaryKeyConstraint('ledger_balances_token', ['partner_id', 'ecosystem', 'chain_id', 'token'])
    .execute()
}

/** Calls that are paid one by one. A settled payment is never forgotten. */
const paidCalls = async (db: Db): Promise<void> => {
  await table(db, 'paid_calls', {
    payment_key: KEY,
    request_key: TEXT,
    request_id: TEXT,
    operation: TEXT,
    network: TEXT,
    asset: TEXT,
    amount: TEXT,
    pay_to: TEXT,
    payer: TEXT,
    payment: 'text',
    state: TEXT,
    holder: TEXT,
    until: BIGINT,
    answer: 'text',
    tx_hash: 'text',
    created_at: BIGINT,
    settled_at: 'bigint',
  }).execute()
  // Nearly all are settled and have no answer any more. Searches are for the others.
  await index(db, 'paid_calls_open', 'paid_calls', ['state', 'until'])
  await index(db, 'paid_calls_settled', 'paid_calls', ['settled_at'])
}

/** One row for each fact about the records as a whole. The id distinguishes them from all other records. */
const storeFacts = async (db: Db): Promise<void> => {
  await table(db, 'store_facts', { name: KEY, value: TEXT }).execute()
  await sql`INSERT INTO store_facts (name, value) VALUES ('id', ${randomBytes(16).toString('hex')})`.execute(db)
}

/** The schema of the first release. Times are epoch ms; times and block heights have 64 bits. */
export const initial = async (db: Db, words: Words): Promise<void> => {
  for (const part of [swaps, partsOfSwaps, partners, partnerEvents, ledger, paidCalls, storeFacts]) await part(db, words)
}
