import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import type { Secret } from '../../core/secret.ts'
import { openDatabase } from '../database.ts'
import { fileIn, readFile, requireUsable, type StorePlace } from '../inspectStore.ts'
import { BACKED_UP } from '../operatorReads.ts'
import { makePrivateFolder } from '../privateFile.ts'
import { dropMark } from '../storeMark.ts'
import { BackupError, copyFile, countSwaps, makeFile } from './backupFile.ts'
import type { Copied } from './copyRecords.ts'

/** A backup of either database is a SQLite file of the same tables, so it can be restored into either. */

const migrateFile = async (file: string): Promise<void> => {
  const database = await openDatabase(file)
  await database.destroy()
}

/** Imports the PostgreSQL driver only when it is used. */
const postgresWork = async (url: Secret) => {
  const [{ openForLong }, { copyIn, copyOut }] = await Promise.all([import('../postgresDatabase.ts'), import('./copyRecords.ts')])
  return { open: () => openForLong(url), copyIn, copyOut }
}

const backUpPostgres = async (url: Secret, part: string): Promise<void> => {
  const { open, copyOut } = await postgresWork(url)
  await migrateFile(part)
  const sqlite = new SQLite(part)
  const postgres = open()
  try {
    sqlite.exec('BEGIN')
    await copyOut(postgres, sqlite)
    sqlite.exec('COMMIT')
    // One file, with nothing beside it.
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    await postgres.destroy()
    sqlite.close()
  }
}

/** Records the time for the alert SwapBackupMissing. Uses the wall clock, as Prometheus does. */
const recordBackup = async (dataDir: string, url: Secret | null): Promise<void> => {
  const put = `INSERT INTO store_facts (name, value) VALUES ('${BACKED_UP}', '${Date.now()}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
  if (url === null) return void new SQLite(fileIn(dataDir)).exec(put).close()
  const postgres = (await postgresWork(url)).open()
  const recorded = sql.raw(put).execute(postgres)
  await recorded.finally(() => postgres.destroy())
}

/**
 * Writes a snapshot of all records into a new file while the service runs. Returns the number of swaps in it. Throws BackupError
 * or StoreError.
 */
export const backUp = async ({ dataDir, database: { url } }: StorePlace, file: string): Promise<number> => {
  const swaps = await makeFile(file, async (part) => {
    if (url === null) {
      await requireUsable(fileIn(dataDir), null)
      copyFile(fileIn(dataDir), part)
    } else await backUpPostgres(url, part)
    return countSwaps(part)
  })
  // The disk of the records may be full: the backup is whole all the same.
  await recordBackup(dataDir, url).catch(() => undefined)
  return swaps
}

/** Copies records into a database that is empty or holds the same copy. The database then belongs to the file's network. */
export const copyIntoPostgres = async (url: Secret, file: string): Promise<Copied> => {
  const { open, copyIn } = await postgresWork(url)
  const { migratePostgres } = await import('../postgresDatabase.ts')
  await migratePostgres({ url, network: (await readFile(file)).network })
  const sqlite = new SQLite(file, { readonly: true })
  const postgres = open()
  try {
    return await copyIn(sqlite, postgres)
  } finally {
    await postgres.destroy()
    sqlite.close()
  }
}

/** Runs `work` with a temporary file of the current schema. */
export const withCopy = async <T>(make: (copy: string) => void, work: (copy: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'restore-'))
  try {
    const copy = join(folder, 'swaps.sqlite')
    make(copy)
    await migrateFile(copy)
    return await work(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** SQLite would apply the log of a removed file to the file that replaces it. */
const requireNoLog = (file: string): void => {
  const left = [`${file}-wal`, `${file}-journal`].find((path) => existsSync(path))
  if (left !== undefined)
    throw new BackupError(`${left} is there still, and belongs to the records that were there: put it where those are now`)
}

/**
 * Copies the records of a backup, with their network, to the place where the service stores records, which must be empty. Leaves
 * the backup unchanged. Returns the number of its swaps. Throws BackupError or StoreError.
 */
export const restore = async ({ dataDir, database: { url } }: StorePlace, file: string): Promise<number> => {
  await requireUsable(file, null)
  if (url === null) {
    makePrivateFolder(dataDir)
    const to = fileIn(dataDir)
    if (!existsSync(to)) requireNoLog(to)
    const restored = await makeFile(to, async (part) => {
      copyFile(file, part)
      const swaps = countSwaps(part)
      await migrateFile(part)
      return swaps
    })
    dropMark(to)
    return restored
  }
  let swaps = 0
  const make = (copy: string): void => {
    copyFile(file, copy)
    swaps = countSwaps(copy)
  }
  await withCopy(make, async (copy) => {
    const { isNew } = await copyIntoPostgres(url, copy)
    if (!isNew) throw new BackupError('the database has these records already')
  })
  return swaps
}
