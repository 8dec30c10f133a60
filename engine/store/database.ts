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

/** How long the start waits while another process locks the file. */
const START_LOCK_MS = 2_000

/** 64 MiB. */
const LOG_PAGES_MAX = 16_384

/** Only the owner may read records. SQLite gives the files beside the first one the same mode. */
const makePrivate = (file: string): void => {
  makePrivateFolder(dirname(file))
  openPrivate(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) keepPrivate(beside)
}

/** A file keeps its tag for ever. Our copies have no tag until they are restored. */
const TAG_MAX = 2 ** 31

/**
 * Migrates the file in one transaction, which Kysely omits for SQLite. Otherwise a full disk, a kill or two processes at once
 * could leave half a migration, which stops every later start.
 */
const migrateFile = async (sqlite: SQLite.Database, database: Database, network: NetworkName | null): Promise<void> => {
  await patiently(async () => sqlite.exec('BEGIN IMMEDIATE'))
  try {
    await migrate(database, { place: sqlite.name, steps: createMigrations('sqlite'), network })
    if (tagOf(sqlite) === 0) sqlite.pragma(`application_id = ${randomInt(1, TAG_MAX)}`)
    sqlite.exec('COMMIT')
  } catch (error) {
    // SQLite rolls back by itself when the disk is full.
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

const tagOf = (sqlite: SQLite.Database): number => Number(sqlite.pragma('application_id', { simple: true }))

const configure = (sqlite: SQLite.Database): void => {
  sqlite.pragma('journal_mode = WAL')
  // A returned deposit address must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  // Overwrites erased data, such as contacts. By default SQLite leaves it in the file.
  sqlite.pragma('secure_delete = ON')
  // The log grows during a long read, such as a backup, and is truncated to this size afterwards.
  sqlite.pragma(`journal_size_limit = ${LOG_BYTES}`)
}

/** The file of records, or `:memory:`, and their network. Null opens records of any network and writes none. */
export type StoreFile = { readonly file: string; readonly network: NetworkName | null }

/** An open database and the guard of its file. */
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
    // From here on the dialect waits for locks without blocking the process.
    sqlite.pragma('busy_timeout = 0')
    const damage = opened !== null && isSmall(file) ? findDamage(sqlite) : null
    if (damage !== null) throw new StoreError(`${file} is damaged: ${damage}; keep a copy of it, and restore the last backup`)
    await migrateFile(sqlite, database, network)
    // Moves the tag from the log into the file.
    sqlite.pragma('wal_checkpoint(PASSIVE)')
    // Afterwards a thread does this: see keepLogShort. This limit applies if the thread does not keep up.
    sqlite.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`)
    if (opened !== null) guard = opened.watch({ file, tag: tagOf(sqlite) })
  } catch (error) {
    await database.destroy()
    throw error
  }
  return { database, guard: later }
}

/** Opens the guard before SQLite, and closes it after SQLite. */
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
 * Opens the SQLite file (`:memory:` for none), creates it and its folder if they are missing, and migrates it. Throws if the file
 * cannot be used, since a service without records must not start. Leaves a file of another version or network unchanged.
 */
export const openFile = async (place: StoreFile, observe: Observe = () => undefined): Promise<OpenedFile> => {
  const { file, network } = place
  if (file === ':memory:') return openGuarded(new SQLite(file), place, { opened: null, observe })
  await requireUsable(file, network)
  makePrivate(file)
  return openBehind(place, observe)
}

/** Opens a copy of records of any network. */
export const openDatabase = async (file: string): Promise<Database> => (await openFile({ file, network: null })).database
