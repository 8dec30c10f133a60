import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/migrations.ts'
import { keepPrivate, openPrivate } from './privateFile.ts'
import type { Database, Schema } from './schema.ts'

/** Who swapped what is nobody else's business. SQLite makes the files beside the first one with that one's mode. */
const makePrivate = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  openPrivate(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) keepPrivate(beside)
}

/**
 * Opens the SQLite file, making it and its folder when missing (`:memory:` for none), and brings it to the current
 * schema. Throws when the file cannot be used: a service that cannot remember swaps must not start.
 */
export const openDatabase = async (file: string): Promise<Database> => {
  if (file !== ':memory:') makePrivate(file)
  const sqlite = new SQLite(file)
  sqlite.pragma('journal_mode = WAL')
  // A deposit address that was handed out must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('busy_timeout = 2000')
  const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
  const { error } = await new Migrator({ db: database, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  return database
}
