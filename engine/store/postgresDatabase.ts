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
import type { Secret } from '../core/secret.ts'
import type { Observe } from '../observe/observe.ts'
import { type Done, migrate } from './migrations/migrate.ts'
import { type CheckRecords, PooledDialect } from './postgresDriver.ts'
import type { Database, Schema } from './schema.ts'
import { StoreError } from './storeError.ts'
import { timedDialect } from './timedDialect.ts'

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  readonly url: Secret
  /** The most connections at once. */
  readonly poolMax: number
  /** How long a call may take: to get a connection, and again for each statement. */
  readonly deadlineMs?: number
}

export const DEADLINE_MS = 3_000

/** How long the start waits for another instance that migrates. */
const MIGRATION_LOCK_MS = 120_000

/** Any number that nobody else takes in this database: "swap" in ASCII. */
const MIGRATION_LOCK = 0x73_77_61_70

/** Every number of the store is exact. */
const toInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a number in the database is beyond what is exact')
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? toInteger : pg.types.getTypeParser(oid, format)),
}

/** How long anything waits for what another transaction holds. */
export const lockPatienceOf = (deadlineMs: number): number => Math.floor(deadlineMs * 0.6)

/** The server ends first what takes too long, so that its connection is good for more. */
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
  // A connection that is lost is told by the statement that needs it; unheard, it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** Text sorts and compares by its bytes, as in SQLite, however the database does by default. */
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

/** A connection for work that may take its time. */
export const openForLong = (url: Secret): Kysely<unknown> => {
  const pool = createPool(url, { max: 1, connectionTimeoutMillis: DEADLINE_MS, lock_timeout: MIGRATION_LOCK_MS })
  return new Kysely<unknown>({ dialect: new PooledDialect(pool, DEADLINE_MS, async () => undefined), plugins: [textByBytes] })
}

/** Which records they are: a copy that is restored is another database, or has other tables in it. */
const IDENTITY = `SELECT value AS id, 'store_facts'::regclass::oid::text AS in_table,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS in_database
  FROM store_facts WHERE name = 'id'`

/** There is no such table. */
const NO_TABLE = '42P01'

const readIdentity: (client: { query(text: string): Promise<pg.QueryResult> }) => Promise<string> = async (client) => {
  try {
    return JSON.stringify((await client.query(IDENTITY)).rows)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_TABLE) return 'none'
    throw error
  }
}

/** Of those that the first connection leads to. */
const createCheck = (): CheckRecords => {
  let ours: string | null = null
  return async (client) => {
    const found = await readIdentity(client)
    ours ??= found
    if (found !== ours)
      throw new StoreError('the store failed: the database was replaced by another one since the service started; start it again')
  }
}

/** Brings a database to the current schema, one instance after the other. */
export const migratePostgres = async (url: Secret): Promise<void> => {
  const db = openForLong(url)
  try {
    await db.connection().execute(async (connection) => {
      // It ends with the connection, however that ends.
      await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
      await migrate(connection, 'postgresql')
    })
  } finally {
    await db.destroy()
  }
}

const existsIn = async (db: Kysely<unknown>, table: string): Promise<boolean> =>
  (await sql<{ is: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS is`.execute(db)).rows[0]?.is ?? false

/** What was done to the schema; nothing where no service has kept records there. Changes nothing. */
export const readDone = async (url: Secret): Promise<Done> => {
  const db = openForLong(url)
  try {
    if (!(await existsIn(db, 'kysely_migration'))) return { steps: [], readableFrom: null }
    const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
    const steps = rows.map(({ name }) => name)
    if (!(await existsIn(db, 'store_facts'))) return { steps, readableFrom: null }
    const facts = await sql<{ value: string }>`SELECT value FROM store_facts WHERE name = 'readableFrom'`.execute(db)
    return { steps, readableFrom: facts.rows[0]?.value ?? null }
  } finally {
    await db.destroy()
  }
}

/** Opens a PostgreSQL database and brings it to the current schema. Throws StoreError when it cannot be used. */
export const openPostgresDatabase = async (
  { url, poolMax, deadlineMs = DEADLINE_MS }: PostgresOptions,
  observe: Observe = () => undefined,
): Promise<Database> => {
  await migratePostgres(url)
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
