import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from './migrations/migrate.ts'
import { patiently } from './patience.ts'
import { PatientDialect } from './patientDialect.ts'
import { keepPrivate, makePrivateFolder, openPrivate } from './privateFile.ts'
import type { Database, Schema } from './schema.ts'

/** How long the start waits for another process that has the file locked. */
const START_LOCK_MS = 2_000

/** Who swapped what is nobody else's business. SQLite makes the files beside the first one with that one's mode. */
const makePrivate = (file: string): void => {
  makePrivateFolder(dirname(file))
  openPrivate(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) keepPrivate(beside)
}

/**
 * Brings the file to the current schema in one transaction, which Kysely leaves out for SQLite: what a full disk or a kill
 * left of half a migration would stop every start after it, and so would two processes that migrate at once.
 */
const migrateFile = async (sqlite: SQLite.Database, database: Database): Promise<void> => {
  await patiently(async () => sqlite.exec('BEGIN IMMEDIATE'))
  try {
    await migrate(database, 'sqlite')
    sqlite.exec('COMMIT')
  } catch (error) {
    // SQLite itself undoes all of it when the disk is full.
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

/**
 * Opens the SQLite file, making it and its folder when missing (`:memory:` for none), and brings it to the current
 * schema. Throws when the file cannot be used: a service that cannot remember swaps must not start.
 */
export const openDatabase = async (file: string): Promise<Database> => {
  if (file !== ':memory:') makePrivate(file)
  const sqlite = new SQLite(file, { timeout: START_LOCK_MS })
  sqlite.pragma('journal_mode = WAL')
  // A deposit address that was handed out must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  // What is erased, such as contacts, is overwritten: of itself SQLite leaves it in the file.
  sqlite.pragma('secure_delete = ON')
  const database = new Kysely<Schema>({ dialect: new PatientDialect(sqlite) })
  // From here on others would wait as well: the dialect waits for a lock without stopping them.
  sqlite.pragma('busy_timeout = 0')
  try {
    await migrateFile(sqlite, database)
  } catch (error) {
    await database.destroy()
    throw error
  }
  return database
}
