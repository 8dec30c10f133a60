import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { DatabaseConfig } from '../config/database.ts'
import type { NetworkName } from '../core/networkName.ts'
import { newerSteps, obstacleIn, type Recorded, readRecorded } from './migrations/migrate.ts'
import { createMigrations, type DatabaseKind } from './migrations/migrations.ts'
import { StoreError } from './storeError.ts'

/** The place of the records: the configured database, or else the data folder. */
export type StorePlace = { readonly dataDir: string; readonly database: DatabaseConfig }

/** The path of the SQLite file in a data folder. */
export const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

const NONE: Recorded = { steps: [], readableFrom: null, network: null }

const LOCK_MS = 2_000

/** Opens read-only if a log exists. A writing connection removes the files beside the database when it closes. */
const openToRead = (file: string): SQLite.Database => new SQLite(file, { readonly: existsSync(`${file}-wal`), timeout: LOCK_MS })

/** Reads identity, network and schema of the records in a file. Changes nothing. */
export const readFile = async (file: string): Promise<Recorded> => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return NONE
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: openToRead(file) }) })
  try {
    return await readRecorded(db)
  } finally {
    await db.destroy()
  }
}

/** Throws StoreError if this version, on this network, cannot use the records in the file. Changes nothing. */
export const requireUsable = async (file: string, network: NetworkName | null): Promise<void> => {
  // Opening the file reports why it cannot be read.
  const recorded = await readFile(file).catch(() => NONE)
  const obstacle = obstacleIn(Object.keys(createMigrations('sqlite')), recorded, network)
  if (obstacle !== null) throw new StoreError(`${file} ${obstacle}`)
}

/** Reads identity, network and schema of the records in a place. Changes nothing. Rejects if a database cannot be read. */
export const readRecords = async ({ dataDir, database: { url } }: StorePlace): Promise<Recorded> => {
  if (url === null) return readFile(fileIn(dataDir))
  // Loads the driver only if records are in PostgreSQL.
  const { readServer } = await import('./postgresDatabase.ts')
  return readServer(url)
}

/** True if a service has stored records there. Rejects if a database cannot be read. */
export const hasRecords = async (place: StorePlace): Promise<boolean> =>
  place.database.url === null ? existsSync(fileIn(place.dataDir)) : (await readRecords(place)).steps.length > 0

/** Records of an earlier version, one folder above those of the network. No version reads that file. Null without such a file. */
export const findIgnored = ({
  dataDir,
  database: { url },
  network,
}: StorePlace & { readonly network: NetworkName }): string | null => {
  const file = fileIn(dirname(dataDir))
  return url === null && basename(dataDir) === network && existsSync(file) ? file : null
}

/** The condition of the records. */
export type StoreCondition = {
  /** Problems that the database finds in itself. Null for a database server, which checks itself. */
  readonly damages: readonly string[] | null
  /** Migrations that this version has not run yet. */
  readonly pendingMigrations: readonly string[]
  /** Migrations by a later version. */
  readonly unknownMigrations: readonly string[]
  /** The reason why this version cannot use the records, as a sentence about their place; null if it can. */
  readonly obstacle: string | null
}

const DAMAGES_MAX = 20

const damagesIn = (file: string): readonly string[] => {
  const sqlite = new SQLite(file, { readonly: true, timeout: LOCK_MS })
  try {
    const told = sqlite.prepare(`PRAGMA integrity_check(${DAMAGES_MAX})`).pluck().all() as string[]
    const strays = sqlite.prepare('PRAGMA foreign_key_check').all() as { readonly table: string; readonly rowid: number }[]
    return [
      ...told.filter((line) => line !== 'ok'),
      ...strays.slice(0, DAMAGES_MAX).map(({ table, rowid }) => `row ${rowid} of ${table} names a row that is not there`),
    ]
  } finally {
    sqlite.close()
  }
}

/** Inspects records and changes nothing, not even the schema. Throws if they cannot be read. */
export const inspectStore = async (place: StorePlace): Promise<StoreCondition> => {
  const { url } = place.database
  const kind: DatabaseKind = url === null ? 'sqlite' : 'postgresql'
  const damages = url === null ? damagesIn(fileIn(place.dataDir)) : null
  const [ours, recorded] = [Object.keys(createMigrations(kind)), await readRecords(place)]
  return {
    damages,
    pendingMigrations: ours.filter((name) => !recorded.steps.includes(name)),
    unknownMigrations: newerSteps(ours, recorded),
    obstacle: obstacleIn(ours, recorded, null),
  }
}
