import { existsSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Secret } from '../core/secret.ts'
import { createMigrations } from './migrations/migrations.ts'

/** `database`: where another than the file in the data folder is named. */
type Place = { readonly dataDir: string; readonly database?: { readonly url: Secret | null } }

const isFile = ({ database }: Place): boolean => (database?.url ?? null) === null

const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

/** Whether a service has ever kept records there; a database that is named is taken to be the one that is meant. */
export const hasRecords = (place: Place): boolean => !isFile(place) || existsSync(fileIn(place.dataDir))

/** How the records are, by themselves. */
export type StoreCondition = {
  /** What the database finds wrong with itself; none: nothing. */
  readonly damages: readonly string[]
  /** What this version would still do to the schema. */
  readonly pendingMigrations: readonly string[]
  /** What a later version has done to it. */
  readonly unknownMigrations: readonly string[]
}

const DAMAGES_MAX = 20

const namesIn = (sqlite: SQLite.Database): readonly string[] => {
  const isMigrated = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get() !== undefined
  if (!isMigrated) return []
  return sqlite.prepare('SELECT name FROM kysely_migration').pluck().all() as string[]
}

/**
 * Looks the records in a file through and changes nothing: not the schema either. Null where they are in a database server,
 * which looks after itself. Throws where they cannot be read.
 */
export const inspectStore = async (place: Place): Promise<StoreCondition | null> => {
  if (!isFile(place)) return null
  const { dataDir } = place
  const sqlite = new SQLite(fileIn(dataDir), { readonly: true, timeout: 2_000 })
  try {
    const told = sqlite.prepare(`PRAGMA integrity_check(${DAMAGES_MAX})`).pluck().all() as string[]
    const strays = sqlite.prepare('PRAGMA foreign_key_check').all() as { readonly table: string; readonly rowid: number }[]
    const done = namesIn(sqlite)
    const ours = Object.keys(createMigrations('sqlite'))
    return {
      damages: [
        ...told.filter((line) => line !== 'ok'),
        ...strays.slice(0, DAMAGES_MAX).map(({ table, rowid }) => `row ${rowid} of ${table} names a row that is not there`),
      ],
      pendingMigrations: ours.filter((name) => !done.includes(name)),
      unknownMigrations: done.filter((name) => !ours.includes(name)),
    }
  } finally {
    sqlite.close()
  }
}
