import { existsSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Secret } from '../core/secret.ts'
import { type Done, newerSteps } from './migrations/migrate.ts'
import { createMigrations, type DatabaseKind } from './migrations/migrations.ts'

/** `database`: where another than the file in the data folder is named. */
type Place = { readonly dataDir: string; readonly database?: { readonly url: Secret | null } }

const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

/** Who keeps records in a file has no use for the driver. */
const readServer = async (url: Secret): Promise<Done> => (await import('./postgresDatabase.ts')).readDone(url)

/** Whether a service has ever kept records there. Rejects where a database that is named cannot be asked. */
export const hasRecords = async ({ dataDir, database }: Place): Promise<boolean> => {
  const url = database?.url ?? null
  return url === null ? existsSync(fileIn(dataDir)) : (await readServer(url)).steps.length > 0
}

/** How the records are, by themselves. */
export type StoreCondition = {
  /** What the database finds wrong with itself; none: nothing. Null of a database server, which looks after itself. */
  readonly damages: readonly string[] | null
  /** What this version would still do to the schema. */
  readonly pendingMigrations: readonly string[]
  /** What a later version has done to it. */
  readonly unknownMigrations: readonly string[]
  /** Why this version cannot use it for that; null: it can. */
  readonly obstacle: string | null
}

const DAMAGES_MAX = 20

const doneIn = (sqlite: SQLite.Database): Done => {
  const has = (table: string): boolean =>
    sqlite.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined
  const read = (table: string, query: string): string[] => (has(table) ? (sqlite.prepare(query).pluck().all() as string[]) : [])
  const [readableFrom = null] = read('store_facts', "SELECT value FROM store_facts WHERE name = 'readableFrom'")
  return { steps: read('kysely_migration', 'SELECT name FROM kysely_migration'), readableFrom }
}

const migrationsOf = (kind: DatabaseKind, done: Done): Omit<StoreCondition, 'damages'> => {
  const { steps: newer, obstacle } = newerSteps(kind, done)
  const pending = Object.keys(createMigrations(kind)).filter((name) => !done.steps.includes(name))
  return { pendingMigrations: pending, unknownMigrations: newer, obstacle }
}

const inspectFile = (file: string): StoreCondition => {
  const sqlite = new SQLite(file, { readonly: true, timeout: 2_000 })
  try {
    const told = sqlite.prepare(`PRAGMA integrity_check(${DAMAGES_MAX})`).pluck().all() as string[]
    const strays = sqlite.prepare('PRAGMA foreign_key_check').all() as { readonly table: string; readonly rowid: number }[]
    const damages = [
      ...told.filter((line) => line !== 'ok'),
      ...strays.slice(0, DAMAGES_MAX).map(({ table, rowid }) => `row ${rowid} of ${table} names a row that is not there`),
    ]
    return { damages, ...migrationsOf('sqlite', doneIn(sqlite)) }
  } finally {
    sqlite.close()
  }
}

/** Looks the records through and changes nothing: not the schema either. Throws where they cannot be read. */
export const inspectStore = async ({ dataDir, database }: Place): Promise<StoreCondition> => {
  const url = database?.url ?? null
  if (url === null) return inspectFile(fileIn(dataDir))
  return { damages: null, ...migrationsOf('postgresql', await readServer(url)) }
}
