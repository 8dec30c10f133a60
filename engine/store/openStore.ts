import { join } from 'node:path'
import type { DatabaseConfig } from '../config/database.ts'
import type { Clock } from '../core/clock.ts'
import type { Observe } from '../observe/observe.ts'
import { openSqliteStore } from './sqliteStore.ts'
import type { Store } from './store.ts'

/** Where records are kept: in the database, where one is named, and else in the data folder. */
export type StorePlace = { readonly dataDir: string; readonly database: DatabaseConfig }

/** The file of records in a data folder. */
export const fileIn = (dataDir: string): string => join(dataDir, 'swaps.sqlite')

/**
 * Opens the records the configuration names: a PostgreSQL database, or a SQLite file in the data folder, made when
 * missing, and brings them to the current schema. Throws when they cannot be used: a service that cannot remember swaps
 * must not start.
 */
export const openStore = async (
  { dataDir, database: { url, poolMax } }: StorePlace,
  clock: Clock,
  observe?: Observe,
): Promise<Store> => {
  if (url === null) return openSqliteStore(fileIn(dataDir), clock, observe)
  // Who keeps records in a file has no use for the driver.
  const { openPostgresStore } = await import('./postgresStore.ts')
  return openPostgresStore({ url, poolMax }, clock, observe)
}
