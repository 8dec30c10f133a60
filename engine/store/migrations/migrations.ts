import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ledgerBalances } from './ledgerBalances.ts'
import { lists, searched, swapsOpen } from './lists.ts'
import { ledger, partnerEvents, partners, settingChanges, settlement, swapsAttribution } from './partners.ts'
import { storeFacts, swapsArchived } from './storeFacts.ts'
import { swapsRace } from './swapsRace.ts'
import { besideEnded, besideFollowed, besidePayments, besidePayoutClaims, besideSwapKeys } from './versionBefore.ts'
import { ofSwap, POSTGRESQL, required, SQLITE, type Words } from './words.ts'
import { x402PaidCalls } from './x402.ts'

export type DatabaseKind = 'sqlite' | 'postgresql'

type Database = Kysely<unknown>

const swaps = async (db: Database, { keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('swaps')
    .addColumn('id', keyType, identity)
    .addColumn('quote_id', 'text', required)
    .addColumn('binding_key', 'text', required)
    .addColumn('venue', 'text', required)
    .addColumn('partner_id', 'text')
    .addColumn('execution_type', 'text', required)
    .addColumn('is_sandbox', 'integer', required)
    .addColumn('ref', 'text')
    .addColumn('document', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('venue_status', 'text')
    .addColumn('delivered_amount', 'text')
    .addColumn('tx_hash', 'text')
    .addColumn('submitted_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addUniqueConstraint('swaps_quote_binding', ['quote_id', 'binding_key'])
    .execute()
}

const broadcasts = async (db: Database, { keyType }: Words): Promise<void> => {
  await db.schema
    .createTable('broadcasts')
    .addColumn('swap_id', keyType, (column) => column.primaryKey().references('swaps.id'))
    .addColumn('tx_hash', 'text', required)
    .addColumn('until_height', 'bigint', required)
    .addColumn('accepted_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .execute()
}

const deliveries = async (db: Database, { keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', keyType, identity)
    .addColumn('swap_id', 'bigint', ofSwap)
    .addColumn('tx_hash', 'text', required)
    .addColumn('payee', 'text', required)
    .addColumn('least', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('deliveries_tx_swap', ['tx_hash', 'swap_id'])
    .execute()
}

const broadcastFate = async (db: Database): Promise<void> => {
  await db.schema
    .alterTable('broadcasts')
    .addColumn('posts', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('broadcasts').addColumn('fate', 'text').execute()
}

const swapsRef = async (db: Database): Promise<void> => {
  await db.schema.createIndex('swaps_ref').on('swaps').column('ref').execute()
}

const swapsPosting = async (db: Database): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('posting_at', 'bigint').execute()
}

/** Takes the place of `deliveries`, whose order was that of writing: a claim that is committed later may have come first. */
const payoutClaims = async (db: Database, { isSqlite, keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('payout_claims')
    .addColumn('id', keyType, identity)
    .addColumn('swap_id', 'bigint', ofSwap)
    .addColumn('tx_hash', 'text', required)
    .addColumn('payee', 'text', required)
    .addColumn('least', 'text', required)
    .addColumn('place', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('payout_claims_swap', ['tx_hash', 'payee', 'swap_id'])
    .addUniqueConstraint('payout_claims_place', ['tx_hash', 'payee', 'place'])
    .execute()
  await sql`
    INSERT INTO payout_claims (swap_id, tx_hash, payee, least, place, created_at)
    SELECT swap_id, tx_hash, payee, least, row_number() OVER (PARTITION BY tx_hash, payee ORDER BY id) - 1, created_at
    FROM deliveries ORDER BY id`.execute(db)
  if (isSqlite) await besidePayoutClaims(db)
}

const swapsFollowed = async (db: Database, { isSqlite }: Words): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('followed_at', 'bigint').execute()
  await sql`UPDATE swaps SET followed_at = updated_at WHERE updated_at > created_at`.execute(db)
  if (isSqlite) await besideFollowed(db)
}

const builds = async (db: Database): Promise<void> => {
  await db.schema
    .createTable('builds')
    .addColumn('quote_id', 'text', required)
    .addColumn('binding_key', 'text', required)
    .addColumn('owner', 'text', required)
    .addColumn('until', 'bigint', required)
    .addPrimaryKeyConstraint('builds_quote_binding', ['quote_id', 'binding_key'])
    .execute()
}

/** Takes the place of `payout_claims`, which knew no place in a transaction: what is there was claimed as a whole. */
const payments = async (db: Database, { isSqlite, keyType, identity }: Words): Promise<void> => {
  await db.schema
    .createTable('payments')
    .addColumn('id', keyType, identity)
    .addColumn('swap_id', 'bigint', ofSwap)
    .addColumn('kind', 'text', required)
    .addColumn('chain_id', 'bigint', required)
    .addColumn('tx_hash', 'text', required)
    .addColumn('place', 'text', required)
    .addColumn('token', 'text', required)
    .addColumn('recipient', 'text', required)
    .addColumn('amount', 'text')
    .addColumn('order_id', 'text')
    .addColumn('paid_at', 'bigint')
    .addColumn('is_final', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('payments_place', ['chain_id', 'place'])
    .execute()
  await db.schema.createIndex('payments_swap').on('payments').column('swap_id').execute()
  if (isSqlite) await besidePayments(db)
}

const swapsEnded = async (db: Database, { isSqlite }: Words): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('ended_at', 'bigint').execute()
  await sql`UPDATE swaps SET ended_at = updated_at WHERE state IN ('success', 'refunded', 'failed')`.execute(db)
  if (isSqlite) await besideEnded(db)
}

/** What earlier versions handed out has its key, too, for ever: until when it may be paid they did not keep. */
const swapKeys = async (db: Database, { isSqlite }: Words): Promise<void> => {
  await db.schema
    .createTable('swap_keys')
    .addColumn('venue', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('swap_id', 'bigint', ofSwap)
    .addColumn('until', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('swap_keys_key', ['venue', 'kind', 'value'])
    .execute()
  await sql`
    INSERT INTO swap_keys (venue, kind, value, swap_id, created_at)
    SELECT venue, 'address', ref, min(id), min(created_at) FROM swaps
    WHERE execution_type = 'DEPOSIT' AND is_sandbox = 0 AND ref IS NOT NULL GROUP BY venue, ref`.execute(db)
  if (isSqlite) await besideSwapKeys(db)
}

/**
 * By name, in order of both lists. Forward only; each must work while the version before it is still running. Times and heights
 * have 64 bits. After one of these a version that does not know it cannot be started any more.
 */
const STEPS = {
  '0001-swaps': swaps,
  '0002-broadcasts': broadcasts,
  '0003-deliveries': deliveries,
  '0004-broadcast-fate': broadcastFate,
  '0005-swaps-ref': swapsRef,
  '0006-swaps-posting': swapsPosting,
  '0007-payout-claims': payoutClaims,
  '0008-swaps-followed': swapsFollowed,
  '0009-builds': builds,
  '0010-payments': payments,
  '0011-swaps-ended': swapsEnded,
  '0012-swap-keys': swapKeys,
  '0013-swaps-attribution': swapsAttribution,
  '0014-partners': partners,
  '0015-partner-events': partnerEvents,
  '0016-ledger': ledger,
  '0017-settlement': settlement,
  '0018-ledger-balances': ledgerBalances,
  '0019-lists': lists,
  '0020-x402-paid-calls': x402PaidCalls,
  '0021-setting-changes': settingChanges,
} as const

/**
 * What an older version can live with, and be started over: new tables, plain indexes, and columns that may be left out of a row.
 */
const ADDITIVE_STEPS = {
  '0022-swaps-race': swapsRace,
  '0023-store-facts': storeFacts,
  '0024-swaps-open': swapsOpen,
  '0025-swaps-archived': swapsArchived,
  '0026-searched': searched,
} as const

/** The oldest version that may use the records is one that knows this. */
export const READABLE_FROM: string = Object.keys(STEPS).at(-1) ?? ''

export const isAdditive = (name: string): boolean => name in ADDITIVE_STEPS

export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => {
  const words = kind === 'sqlite' ? SQLITE : POSTGRESQL
  return Object.fromEntries(
    Object.entries({ ...STEPS, ...ADDITIVE_STEPS }).map(([name, step]) => [name, { up: (db: Database) => step(db, words) }]),
  )
}
