import { existsSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { requireUsable, type StorePlace } from '../inspectStore.ts'
import { isLocked } from '../storeError.ts'
import { markMoved } from '../storeMark.ts'
import { copyIntoPostgres, withCopy } from './backUp.ts'
import { BackupError, copyOpen, countSwaps } from './backupFile.ts'
import type { Copied } from './copyRecords.ts'

/** Opens a file exclusively: no other process has it open, or can open it before it is closed. */
const openAlone = (file: string): SQLite.Database => {
  if (!existsSync(file)) throw new BackupError(`there is no ${file}`)
  const sqlite = new SQLite(file, { timeout: 1_000 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    // Refused while another connection is open: https://www.sqlite.org/wal.html#persistence_of_wal_mode.
    sqlite.pragma('journal_mode = DELETE')
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT')
    return sqlite
  } catch (error) {
    sqlite.close()
    if (isLocked(error)) throw new BackupError(`${file} is in use: stop the service first`)
    throw new BackupError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Moves all records of a file, and the name of their network, into an empty PostgreSQL database, in one transaction. The file is
 * left unchanged, and services then refuse to start over it. An interrupted move can be run again. Returns the sums of the
 * records, equal in both places. Throws BackupError or StoreError.
 */
export const move = async ({ database: { url } }: Pick<StorePlace, 'database'>, file: string): Promise<Copied> => {
  if (url === null) throw new BackupError('DATABASE_URL must name the database that the records are moved into')
  await requireUsable(file, null)
  const sqlite = openAlone(file)
  try {
    const make = (copy: string): void => {
      copyOpen(sqlite, copy)
      countSwaps(copy)
    }
    const copied = await withCopy(make, (copy) => copyIntoPostgres(url, copy))
    markMoved(file)
    return copied
  } finally {
    sqlite.close()
  }
}
