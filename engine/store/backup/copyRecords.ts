import type SQLite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { obstacleIn, type Recorded, readRecorded } from '../migrations/migrate.ts'
import { BackupError } from './backupFile.ts'
import { createLedgerSum, createTableSum, differenceOf, digestOf, LEDGER_LINES, type RecordsSum, type Row } from './digest.ts'
import { migrationsOf, numbersOf, setNumber, type Table, tablesOf } from './tables.ts'

/** Rows at a time. */
const BATCH = 500

const columnsIn = ({ columns }: Table): string => columns.map((column) => `"${column}"`).join(', ')

/** Returns the metadata of the database's records. Throws BackupError if its schema differs from the file's. */
const requireSameSchema = async (postgres: Kysely<unknown>, sqlite: SQLite.Database): Promise<Recorded> => {
  const [recorded, here] = [await readRecorded(postgres), migrationsOf(sqlite)]
  const obstacle = obstacleIn(here, recorded, null)
  if (obstacle !== null) throw new BackupError(`the database ${obstacle}`)
  if (recorded.steps.toSorted().join() === here.join()) return recorded
  throw new BackupError('the database is of another version of this service: start this one over it first')
}

/** The sequence of a table's ids; null for a table without generated ids. */
const sequenceOf = async (postgres: Kysely<unknown>, { name, columns }: Table): Promise<string | null> => {
  if (!columns.includes('id')) return null
  const { rows } = await sql<{ name: string | null }>`SELECT pg_get_serial_sequence(${name}, 'id') AS name`.execute(postgres)
  return rows[0]?.name ?? null
}

/** All rows of a table, however many: in a transaction. */
const readTable = async (postgres: Kysely<unknown>, table: Table, take: (row: Row) => void): Promise<void> => {
  await sql.raw(`DECLARE records CURSOR FOR SELECT ${columnsIn(table)} FROM "${table.name}"`).execute(postgres)
  for (;;) {
    const { rows } = await sql.raw<Row>(`FETCH ${BATCH} FROM records`).execute(postgres)
    for (const row of rows) take(row)
    if (rows.length < BATCH) break
  }
  await sql`CLOSE records`.execute(postgres)
}

const copyTableOut = async (postgres: Kysely<unknown>, sqlite: SQLite.Database, table: Table): Promise<void> => {
  const insert = sqlite.prepare(
    `INSERT INTO "${table.name}" (${columnsIn(table)}) VALUES (${table.columns.map(() => '?').join(', ')})`,
  )
  await readTable(postgres, table, (row) => void insert.run(...table.columns.map((column) => row[column])))
  const sequence = await sequenceOf(postgres, table)
  if (sequence === null) return
  const { rows } = await sql
    .raw<{ last: number; given: boolean }>(`SELECT last_value AS last, is_called AS given FROM ${sequence}`)
    .execute(postgres)
  if (rows[0]?.given) setNumber(sqlite, table.name, rows[0].last)
}

/**
 * Copies a snapshot of all records of a PostgreSQL database, and the name of their network, into an empty file of the same
 * schema.
 */
export const copyOut = async (postgres: Kysely<unknown>, sqlite: SQLite.Database): Promise<void> => {
  const { network } = await requireSameSchema(postgres, sqlite)
  if (network !== null) sqlite.prepare(`INSERT INTO store_facts (name, value) VALUES ('network', ?)`).run(network)
  await postgres
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      for (const table of tablesOf(sqlite)) await copyTableOut(transaction, sqlite, table)
    })
}

const copyTableIn = async (postgres: Kysely<unknown>, sqlite: SQLite.Database, table: Table): Promise<void> => {
  const write = async (rows: readonly Row[]): Promise<void> => {
    const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`)
    const into = sql.raw(`INSERT INTO "${table.name}" (${columnsIn(table)})`)
    if (rows.length > 0) await sql`${into} VALUES ${sql.join(values)}`.execute(postgres)
  }
  let batch: Row[] = []
  for (const row of sqlite.prepare(`SELECT ${columnsIn(table)} FROM "${table.name}"`).iterate()) {
    batch.push(row as Row)
    if (batch.length < BATCH) continue
    await write(batch)
    batch = []
  }
  await write(batch)
  const [sequence, last] = [await sequenceOf(postgres, table), numbersOf(sqlite).get(table.name)]
  if (sequence !== null && last !== undefined) await sql`SELECT setval(${sequence}, ${last})`.execute(postgres)
}

const sumFile = (sqlite: SQLite.Database, tables: readonly Table[]): RecordsSum => {
  const ledger = createLedgerSum()
  const sums = tables.map((table) => {
    const sum = createTableSum(table)
    for (const row of sqlite.prepare(`SELECT ${columnsIn(table)} FROM "${table.name}"`).iterate()) {
      sum.add(row as Row)
      if (table.name === LEDGER_LINES) ledger.add(row as Row)
    }
    return sum.sum()
  })
  return { tables: sums, ledger: ledger.sums() }
}

const sumDatabase = async (postgres: Kysely<unknown>, tables: readonly Table[]): Promise<RecordsSum> => {
  const ledger = createLedgerSum()
  const sums: RecordsSum['tables'][number][] = []
  for (const table of tables) {
    const sum = createTableSum(table)
    await readTable(postgres, table, (row) => {
      sum.add(row)
      if (table.name === LEDGER_LINES) ledger.add(row)
    })
    sums.push(sum.sum())
  }
  return { tables: sums, ledger: ledger.sums() }
}

/** The name of the fact that holds the digest of the copied records. */
const COPIED_FROM = 'copiedFrom'

const copiedFrom = async (postgres: Kysely<unknown>): Promise<string | null> => {
  const { rows } = await sql<{ value: string }>`SELECT value FROM store_facts WHERE name = ${COPIED_FROM}`.execute(postgres)
  return rows[0]?.value ?? null
}

const isEmpty = async (postgres: Kysely<unknown>, tables: readonly Table[]): Promise<boolean> => {
  for (const { name } of tables) {
    const { rows } = await sql.raw(`SELECT 1 FROM "${name}" LIMIT 1`).execute(postgres)
    if (rows.length > 0) return false
  }
  return true
}

/** The sums of the records, equal in both places. `isNew`: this call copied them, not an earlier one. */
export type Copied = RecordsSum & { readonly isNew: boolean }

/**
 * Copies all records of a file into an empty PostgreSQL database of the same schema, in one transaction. Reads them back and
 * commits only if all are equal. Copies nothing if the same records were copied before.
 */
export const copyIn = async (sqlite: SQLite.Database, postgres: Kysely<unknown>): Promise<Copied> => {
  await requireSameSchema(postgres, sqlite)
  const tables = tablesOf(sqlite)
  const here = sumFile(sqlite, tables)
  const copy = async (transaction: Kysely<unknown>): Promise<Copied> => {
    // Empty records are those of any new database.
    const isNew = await isEmpty(transaction, tables)
    if (!isNew && (await copiedFrom(transaction)) !== digestOf(here))
      throw new BackupError('the database has records already: name one that has none')
    if (isNew) {
      for (const table of tables) await copyTableIn(transaction, sqlite, table)
      await sql`INSERT INTO store_facts (name, value) VALUES (${COPIED_FROM}, ${digestOf(here)})
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(transaction)
    }
    const difference = differenceOf(here, await sumDatabase(transaction, tables))
    if (difference === null) return { ...here, isNew }
    const what = isNew
      ? 'what was written is not what was read'
      : 'these records were copied there before, and have changed since'
    throw new BackupError(`${what}: ${difference}`)
  }
  return postgres.transaction().setIsolationLevel('serializable').execute(copy)
}
