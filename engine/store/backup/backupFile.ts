import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { openPrivate } from '../privateFile.ts'

/** What the operator must know of a backup that cannot be made or read; names the file, and nothing of the database. */
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
 * Has a file made beside its place, for its owner alone, and puts it there once it is whole and on the disk. Nothing is
 * ever overwritten.
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

/** What tells the file of a service from every copy of it. */
const untag = (file: string): void => {
  const sqlite = new SQLite(file)
  try {
    sqlite.pragma('application_id = 0')
  } finally {
    sqlite.close()
  }
}

/** All of an open database in a file, as it stands at one moment. */
export const copyOpen = (sqlite: SQLite.Database, to: string): void => {
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
    untag(to)
  } catch (error) {
    throw new BackupError(`${sqlite.name} cannot be copied: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A database file as it stands at one moment, whoever writes to it meanwhile. */
export const copyFile = (from: string, to: string): void => {
  if (!existsSync(from)) throw new BackupError(`there is no ${from}`)
  const sqlite = new SQLite(from, { timeout: 10_000 })
  try {
    copyOpen(sqlite, to)
  } finally {
    sqlite.close()
  }
}

/** How many swaps a backup holds. Throws where it is none, or damaged. */
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
