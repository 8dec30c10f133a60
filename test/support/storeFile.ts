import { join } from 'node:path'
import SQLite from 'better-sqlite3'

/** The records of a service, as another process has them: what a test does to them behind the service's back. */
export type StoreFile = {
  /** Keeps everybody else from writing, until it is let go. */
  lock(): void
  unlock(): void
  close(): void
}

export const openStoreFile = (dataDir: string): StoreFile => {
  const sqlite = new SQLite(join(dataDir, 'swaps.sqlite'))
  return {
    lock: () => void sqlite.exec('BEGIN EXCLUSIVE'),
    unlock: () => void sqlite.exec('ROLLBACK'),
    close: () => void sqlite.close(),
  }
}
