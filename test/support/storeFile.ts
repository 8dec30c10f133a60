import { join } from 'node:path'
import SQLite from 'better-sqlite3'

/** The records of a service, as another process has them: what a test does to them behind the service's back. */
export type StoreFile = {
  /** Keeps everybody else from writing, until it is let go. */
  lock(): void
  unlock(): void
  /** Takes a table away, and brings it back. */
  takeAway(table: string): void
  bringBack(table: string): void
  close(): void
}

export const openStoreFile = (dataDir: string): StoreFile => {
  const sqlite = new SQLite(join(dataDir, 'swaps.sqlite'))
  return {
    lock: () => void sqlite.exec('BEGIN EXCLUSIVE'),
    unlock: () => void sqlite.exec('ROLLBACK'),
    takeAway: (table) => void sqlite.exec(`ALTER TABLE ${table} RENAME TO ${table}_away`),
    bringBack: (table) => void sqlite.exec(`ALTER TABLE ${table}_away RENAME TO ${table}`),
    close: () => void sqlite.close(),
  }
}
