import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely } from 'kysely'
import type { NetworkName } from '../core/networkName.ts'
import type { Observe } from '../observe/observe.ts'
import { LOG_BYTES } from './checkpoints.ts'
import { findDamage, isSmall } from './damage.ts'
import { type FileGuard, NO_FILE, openFileGuard } from './fileGuard.ts'
import { requireUsable } from './inspectStore.ts'
import { migrate } from './migrations/migrate.ts'
import { createMigrations } from './migrations/migrations.ts'
import { patiently } from './patience.ts'
import { PatientDialect } from './patientDialect.ts'
import { keepPrivate, makePrivateFolder, openPrivate } from './privateFile.ts'
import type { Database, Schema } from './schema.ts'
import { StoreError } from './storeError.ts'
import { timedDialect } from './timedDialect.ts'

/** How long the start waits for another process that has the file locked. */
const START_LOCK_MS = 2_000

/** 64 MiB. */
const LOG_PAGES_MAX = 16_384

/** Who swapped what is nobody else's business. SQLite makes the files beside the first one with that one's mode. */
const makePrivate = (file: string): void => {
  makePrivateFolder(dirname(file))
  openPrivate(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) keepPrivate(beside)
}

/** A file has its tag for ever; a copy made by us has none, until it is restored. */
const TAG_MAX = 2 ** 31

/**
 * Brings the file to the current schema in one transaction, which Kysely leaves out for SQLite: what a full disk or a kill
 * left of half a migration would stop every start after it, and so would two processes that migrate at once.
 */
const migrateFile = async (sqlite: SQLite.Database, database: Database, network: NetworkName | null): Promise<void> => {
  await patiently(async () => sqlite.exec('BEGIN IMMEDIATE'))
  try {
    await migrate(database, { place: sqlite.name, steps: createMigrations('sqlite'), network })
    if (tagOf(sqlite) === 0) sqlite.pragma(`application_id = ${randomInt(1, TAG_MAX)}`)
    sqlite.exec('COMMIT')
  } catch (error) {
    // SQLite itself undoes all of it when the disk is full.
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

const tagOf = (sqlite: SQLite.Database): number => Number(sqlite.pragma('application_id', { simple: true }))

const configure = (sqlite: SQLite.Database): void => {
  sqlite.pragma('journal_mode = WAL')
  // A deposit address that was handed out must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  // What is erased, such as contacts, is overwritten: of itself SQLite leaves it in the file.
  sqlite.pragma('secure_delete = ON')
  // The log grows while somebody reads for long, as a backup does, and is cut back to this afterwards.
  sqlite.pragma(`journal_size_limit = ${LOG_BYTES}`)
}

/** The file of records, or `:memory:`, and the network they are of. Network null: whichever they are of, and none is written. */
export type StoreFile = { readonly file: string; readonly network: NetworkName | null }

/** What is opened, and who guards it from being another's. */
export type OpenedFile = { readonly database: Database; readonly guard: FileGuard }

const openGuarded = async (
  sqlite: SQLite.Database,
  { file, network }: StoreFile,
  { opened, observe }: { readonly opened: ReturnType<typeof openFileGuard> | null; readonly observe: Observe },
): Promise<OpenedFile> => {
  let guard = NO_FILE
  const later: FileGuard = {
    check: () => guard.check(),
    condemn: (reason) => guard.condemn(reason),
    close: () => opened?.close(),
  }
  const database = new Kysely<Schema>({ dialect: timedDialect(new PatientDialect(sqlite, later), observe) })
  try {
    configure(sqlite)
    // From here on others would wait as well: the dialect waits for a lock without stopping them.
    sqlite.pragma('busy_timeout = 0')
    const damage = opened !== null && isSmall(file) ? findDamage(sqlite) : null
    if (damage !== null) throw new StoreError(`${file} is damaged: ${damage}; keep a copy of it, and restore the last backup`)
    await migrateFile(sqlite, database, network)
    // The tag is in the file, and not in its log alone.
    sqlite.pragma('wal_checkpoint(PASSIVE)')
    // From here on another thread does that: see keepLogShort. This is for a log that it does not keep up with.
    sqlite.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`)
    if (opened !== null) guard = opened.watch({ file, tag: tagOf(sqlite) })
  } catch (error) {
    await database.destroy()
    throw error
  }
  return { database, guard: later }
}

/** The guard is there before SQLite is, and after it. */
const openBehind = async (place: StoreFile, observe: Observe): Promise<OpenedFile> => {
  const { file } = place
  const opened = openFileGuard(file)
  let sqlite: SQLite.Database | null = null
  try {
    sqlite = new SQLite(file, { timeout: START_LOCK_MS })
    return await openGuarded(sqlite, place, { opened, observe })
  } catch (error) {
    // Kysely closes what it has begun to use.
    sqlite?.close()
    opened.close()
    throw error
  }
}

/**
 * Opens the SQLite file, making it and its folder when missing (`:memory:` for none), and brings it to the current
 * schema. Throws when the file cannot be used: a service that cannot remember swaps must not start. A file whose records this
 * version or network cannot use stays byte for byte as it is.
 */
export const openFile = async (place: StoreFile, observe: Observe = () => undefined): Promise<OpenedFile> => {
  const { file, network } = place
  if (file === ':memory:') return openGuarded(new SQLite(file), place, { opened: null, observe })
  await requireUsable(file, network)
  makePrivate(file)
  return openBehind(place, observe)
}

/** Opens a copy of records, of whichever network they are. */
export const openDatabase = async (file: string): Promise<Database> => (await openFile({ file, network: null })).database
