import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Secret } from '../../core/secret.ts'
import { openDatabase } from '../database.ts'
import { fileIn, type StorePlace } from '../openStore.ts'
import { makePrivateFolder } from '../privateFile.ts'
import { copyFile, countSwaps, makeFile } from './backupFile.ts'

/** Of either database a backup is a SQLite file of the same tables: it can be restored into either. */

const migrateFile = async (file: string): Promise<void> => {
  const database = await openDatabase(file)
  await database.destroy()
}

/** With the driver, which who keeps records in a file has no use for. */
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

/**
 * Writes all records into a new file, as they stand at one moment, while the service goes on. Answers with how many swaps
 * it holds. Throws BackupError or StoreError.
 */
export const backUp = ({ dataDir, database: { url } }: StorePlace, file: string): Promise<number> =>
  makeFile(file, async (part) => {
    if (url === null) copyFile(fileIn(dataDir), part)
    else await backUpPostgres(url, part)
    return countSwaps(part)
  })

const restorePostgres = async (url: Secret, file: string): Promise<void> => {
  const { open, copyIn } = await postgresWork(url)
  const { migratePostgres } = await import('../postgresDatabase.ts')
  await migratePostgres(url)
  const sqlite = new SQLite(file, { readonly: true })
  const postgres = open()
  try {
    await copyIn(sqlite, postgres)
  } finally {
    await postgres.destroy()
    sqlite.close()
  }
}

/**
 * Brings the records of a backup of this version or an earlier one to where the service keeps them, which must have none,
 * and leaves the backup as it is. Answers with how many swaps it holds. Throws BackupError or StoreError.
 */
export const restore = async ({ dataDir, database: { url } }: StorePlace, file: string): Promise<number> => {
  if (url === null) {
    makePrivateFolder(dataDir)
    return makeFile(fileIn(dataDir), async (part) => {
      copyFile(file, part)
      const swaps = countSwaps(part)
      await migrateFile(part)
      return swaps
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'restore-'))
  try {
    const copy = join(folder, 'swaps.sqlite')
    copyFile(file, copy)
    const swaps = countSwaps(copy)
    await migrateFile(copy)
    await restorePostgres(url, copy)
    return swaps
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
