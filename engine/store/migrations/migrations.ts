import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { initial } from './initial.ts'
import { POSTGRESQL, SQLITE, type Words } from './words.ts'

export type DatabaseKind = 'sqlite' | 'postgresql'

/** The first step. Every version that has it can use the records. */
export const INITIAL = '0001-initial'

/**
 * Metadata of tokens on which two sources agreed. `read_at`: epoch ms. Some builds of 2026-11 created the same table in the first
 * step: such a table stays unchanged.
 */
const tokens = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('tokens')
    .ifNotExists()
    .addColumn('chain_id', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('decimals', 'integer', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('tokens_asset', ['chain_id', 'address'])
    .execute()
  await db.schema.createIndex('tokens_read').ifNotExists().on('tokens').columns(['read_at']).execute()
}

/** The transaction that `/status` was first asked for while no chain showed it, and when; epoch ms. */
const namedTransactions = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('named_tx', 'text').execute()
  await db.schema.alterTable('swaps').addColumn('named_at', 'bigint').execute()
  await db.schema.createIndex('swaps_named').on('swaps').columns(['state', 'named_at']).execute()
}

/**
 * In order of name. Forward only and additive: a later step adds only tables, plain indexes, or optional columns. So the version
 * before can run beside this one and can be started again.
 */
const STEPS: { readonly [name: string]: (db: Kysely<unknown>, words: Words) => Promise<void> } = {
  [INITIAL]: initial,
  '0002-tokens': tokens,
  '0003-named-transactions': namedTransactions,
}

export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => {
  const words = kind === 'sqlite' ? SQLITE : POSTGRESQL
  return Object.fromEntries(Object.entries(STEPS).map(([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, words) }]))
}
