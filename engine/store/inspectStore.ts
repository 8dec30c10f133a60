import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { DatabaseConfig } from '../config/database.ts'
import type { NetworkName } from '../core/networkName.ts'
import { newerSteps, obstacleIn, type Recorded, readRecorded } from './migrations/migrate.ts'
import { createMigrations, type DatabaseKind } from './migrations/migrations.ts'
import { StoreError } from './storeError.ts'

/** Where records are kept: in the database, where one is named, and else in the data folder. */
export type StorePlace = { readonly dataDir: string; readonly database: DatabaseConfig }

/** The file of records in a data folder. */
export const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

const NONE: Recorded = { steps: [], readableFrom: null, network: null }

const LOCK_MS = 2_000

/** A connection that may write removes the files beside the database when it closes, unless there is a log to move into it. */
const openToRead = (file: string): SQLite.Database => new SQLite(file, { readonly: existsSync(`${file}-wal`), timeout: LOCK_MS })

/** What the records in a file say of themselves. Changes nothing in the file. */
export const readFile = async (file: string): Promise<Recorded> => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return NONE
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: openToRead(file) }) })
  try {
    return await readRecorded(db)
  } finally {
    await db.destroy()
  }
}

/** Throws StoreError where this version, on this network, cannot use the records in a file. Changes nothing. */
export const requireUsable = async (file: string, network: NetworkName | null): Promise<void> => {
  // Opening the file reports what is wrong with one that cannot be read.
  const recorded = await readFile(file).catch(() => NONE)
  const obstacle = obstacleIn(Object.keys(createMigrations('sqlite')), recorded, network)
  if (obstacle !== null) throw new StoreError(`${file} ${obstacle}`)
}

/** What the records in a place say of themselves. Changes nothing. Rejects where a database cannot be read. */
export const readRecords = async ({ dataDir, database: { url } }: StorePlace): Promise<Recorded> => {
  if (url === null) return readFile(fileIn(dataDir))
  // The driver is loaded only where records are in PostgreSQL.
  const { readServer } = await import('./postgresDatabase.ts')
  return readServer(url)
}

/** Whether a service has ever kept records there. Rejects where a database cannot be read. */
export const hasRecords = async (place: StorePlace): Promise<boolean> =>
  place.database.url === null ? existsSync(fileIn(place.dataDir)) : (await readRecords(place)).steps.length > 0

/**
 * Records of an earlier build, which kept them in the folder above the one for each network. Nothing reads that file; null where
 * there is none.
 */
export const findIgnored = ({
  dataDir,
  database: { url },
  network,
}: StorePlace & { readonly network: NetworkName }): string | null => {
  const file = fileIn(dirname(dataDir))
  return url === null && basename(dataDir) === network && existsSync(file) ? file : null
}

/** How the records are, by themselves. */
export type StoreCondition = {
  /** What the database finds wrong with itself; none: nothing. Null of a database server, which looks after itself. */
  readonly damages: readonly string[] | null
  /** What this version would still do to the schema. */
  readonly pendingMigrations: readonly string[]
  /** What a later version has done to it. */
  readonly unknownMigrations: readonly string[]
  /** Why this version cannot use the records, as a sentence whose subject is their place; null: it can. */
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

/** Looks the records through and changes nothing: not the schema either. Throws where they cannot be read. */
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
