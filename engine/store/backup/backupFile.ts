import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { openPrivate } from '../privateFile.ts'

/** A backup that cannot be made or read. The message names the file and contains no data of the database. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const sync = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/**
 * Makes a file beside its destination, readable by its owner only, and links it there once it is complete and synced. Throws
 * BackupError if the destination exists.
 */
export const makeFile = async <T>(file: string, make: (part: string) => T | Promise<T>): Promise<T> => {
  if (existsSync(file)) throw new BackupError(`${file} is there already`)
  const part = `${file}.part`
  try {
    rmSync(part, { force: true })
    openPrivate(part)
    const made = await make(part)
    sync(part)
    linkSync(part, file)
    if (process.platform !== 'win32') sync(dirname(file))
    return made
  } catch (error) {
    throw isTaken(error) ? new BackupError(`${file} is there already`) : error
  } finally {
    for (const beside of ['', '-wal', '-shm', '-journal']) rmSync(`${part}${beside}`, { force: true })
  }
}

/** Clears the application id, which only the file that a service writes to has. */
const untag = (file: string): void => {
  const sqlite = new SQLite(file)
  try {
    sqlite.pragma('application_id = 0')
  } finally {
    sqlite.close()
  }
}

/** Writes a snapshot of an open database into a file. */
export const copyOpen = (sqlite: SQLite.Database, to: string): void => {
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
    untag(to)
  } catch (error) {
    throw new BackupError(`${sqlite.name} cannot be copied: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Writes a snapshot of a database file, also while a service writes to it. */
export const copyFile = (from: string, to: string): void => {
  if (!existsSync(from)) throw new BackupError(`there is no ${from}`)
  const sqlite = new SQLite(from, { timeout: 10_000 })
  try {
    copyOpen(sqlite, to)
  } finally {
    sqlite.close()
  }
}

/** The number of swaps in a backup. Throws BackupError if the file is damaged or no backup. */
export const countSwaps = (file: string): number => {
  const sqlite = new SQLite(file, { readonly: true })
  try {
    if (sqlite.pragma('integrity_check', { simple: true }) !== 'ok') throw new BackupError(`${file} is damaged`)
    const [row] = sqlite.prepare('SELECT count(*) AS count FROM swaps').all() as { count: number }[]
    return row?.count ?? 0
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} holds no records of this service`)
  } finally {
    sqlite.close()
  }
}
