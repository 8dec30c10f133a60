import { existsSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { createMigrations } from './migrations/migrations.ts'

type Place = { readonly dataDir: string }

const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

/** Whether a service has ever kept records there. */
export const hasRecords = ({ dataDir }: Place): boolean => existsSync(fileIn(dataDir))

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

/** Looks the records through and changes nothing: not the schema either. Throws where they cannot be read. */
export const inspectStore = async ({ dataDir }: Place): Promise<StoreCondition> => {
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
