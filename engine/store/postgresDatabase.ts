import {
  type ColumnDefinitionNode,
  DataTypeNode,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  RawNode,
  sql,
} from 'kysely'
import pg from 'pg'
import type { NetworkName } from '../core/networkName.ts'
import type { Secret } from '../core/secret.ts'
import type { Observe } from '../observe/observe.ts'
import { migrate, type Recorded, readRecorded } from './migrations/migrate.ts'
import { createMigrations } from './migrations/migrations.ts'
import { type CheckRecords, PooledDialect } from './postgresDriver.ts'
import type { Database, Schema } from './schema.ts'
import { StoreError } from './storeError.ts'
import { timedDialect } from './timedDialect.ts'

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  readonly url: Secret
  /** Null opens records of any network and writes none. */
  readonly network: NetworkName | null
  /** The maximum of connections at once. */
  readonly poolMax: number
  /** The limit for getting a connection, and again for each statement. */
  readonly deadlineMs?: number
}

export const DEADLINE_MS = 3_000

/** How long the start waits for another instance that migrates. */
const MIGRATION_LOCK_MS = 120_000

/** The advisory lock of migrations in this database: "swap" in ASCII. */
const MIGRATION_LOCK = 0x73_77_61_70

/** All numbers of the store are exact integers. */
const toInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a number in the database is beyond what is exact')
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? toInteger : pg.types.getTypeParser(oid, format)),
}

/** How long a statement waits for a lock of another transaction. */
export const lockPatienceOf = (deadlineMs: number): number => Math.floor(deadlineMs * 0.6)

/** The server ends a slow statement before the client does, so that its connection stays usable. */
const limitsOf = (deadlineMs: number): pg.PoolConfig => ({
  connectionTimeoutMillis: deadlineMs,
  query_timeout: deadlineMs,
  statement_timeout: Math.floor(deadlineMs * 0.8),
  lock_timeout: lockPatienceOf(deadlineMs),
  idle_in_transaction_session_timeout: deadlineMs,
})

const createPool = (url: Secret, limits: pg.PoolConfig): pg.Pool => {
  const common = { connectionString: url.reveal(), types, keepAlive: true, fallback_application_name: 'swap-service' }
  const pool = new pg.Pool({ ...common, ...limits })
  // The next statement on a lost connection reports it. Without a listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** Compares text by bytes, as SQLite does, whatever the collation of the database is. */
class ByBytes extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    const isText = DataTypeNode.is(node.dataType) && node.dataType.dataType === 'text'
    return { ...super.transformColumnDefinition(node), ...(isText && { dataType: RawNode.createWithSql('text collate "C"') }) }
  }
}

const textByBytes: KyselyPlugin = {
  transformQuery: ({ node }) => new ByBytes().transformNode(node),
  transformResult: async ({ result }) => result,
}

/** A connection without a statement timeout. */
export const openForLong = (url: Secret): Kysely<unknown> => {
  const pool = createPool(url, { max: 1, connectionTimeoutMillis: DEADLINE_MS, lock_timeout: MIGRATION_LOCK_MS })
  return new Kysely<unknown>({ dialect: new PooledDialect(pool, DEADLINE_MS, async () => undefined), plugins: [textByBytes] })
}

/** Identifies the records. A restored copy is another database, or has other table ids. */
const IDENTITY = `SELECT value AS id, 'store_facts'::regclass::oid::text AS in_table,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS in_database
  FROM store_facts WHERE name = 'id'`

/** The table does not exist. */
const NO_TABLE = '42P01'

const readIdentity: (client: { query(text: string): Promise<pg.QueryResult> }) => Promise<string> = async (client) => {
  try {
    return JSON.stringify((await client.query(IDENTITY)).rows)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_TABLE) return 'none'
    throw error
  }
}

/** Compares each connection with the records of the first one. */
const createCheck = (): CheckRecords => {
  let ours: string | null = null
  return async (client) => {
    const found = await readIdentity(client)
    ours ??= found
    if (found !== ours)
      throw new StoreError('the store failed: the database was replaced by another one since the service started; start it again')
  }
}

const nameOf = async (db: Kysely<unknown>): Promise<string> => {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db)
  return `the database ${JSON.stringify(rows[0]?.name)}`
}

/**
 * Migrates the database, one instance at a time. Throws StoreError, and changes nothing, if this version or network cannot use
 * its records.
 */
export const migratePostgres = async ({
  url,
  network,
}: {
  readonly url: Secret
  readonly network: string | null
}): Promise<void> => {
  const db = openForLong(url)
  try {
    await db.connection().execute(async (connection) => {
      // The lock ends with the connection.
      await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
      await migrate(connection, { place: await nameOf(connection), steps: createMigrations('postgresql'), network })
    })
  } finally {
    await db.destroy()
  }
}

/** Reads identity, network and schema of the records. Changes nothing. */
export const readServer = async (url: Secret): Promise<Recorded> => {
  const db = openForLong(url)
  try {
    return await readRecorded(db)
  } finally {
    await db.destroy()
  }
}

/** Opens a PostgreSQL database and migrates it. Throws StoreError if it cannot be used. */
export const openPostgresDatabase = async (
  { url, network, poolMax, deadlineMs = DEADLINE_MS }: PostgresOptions,
  observe: Observe = () => undefined,
): Promise<Database> => {
  await migratePostgres({ url, network })
  const pool = createPool(url, { ...limitsOf(deadlineMs), max: poolMax })
  const database = new Kysely<Schema>({ dialect: timedDialect(new PooledDialect(pool, deadlineMs, createCheck()), observe) })
  try {
    await database.selectFrom('store_facts').select('name').limit(1).execute()
  } catch (error) {
    await database.destroy()
    throw error
  }
  return database
}
