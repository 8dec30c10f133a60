import type { Clock } from '../core/clock.ts'
import type { NetworkName } from '../core/networkName.ts'
import type { Observe } from '../observe/observe.ts'
import { fileIn, type StorePlace } from './inspectStore.ts'
import { openSqliteStore } from './sqliteStore.ts'
import type { Store } from './store.ts'

/**
 * Opens the configured records, PostgreSQL or a SQLite file in the data folder, and migrates them. Creates a missing file. Throws
 * if the records cannot be used or belong to another network: a service without records must not start.
 */
export const openStore = async (
  { dataDir, database: { url, poolMax }, network }: StorePlace & { readonly network: NetworkName },
  clock: Clock,
  observe?: Observe,
): Promise<Store> => {
  if (url === null) return openSqliteStore({ file: fileIn(dataDir), network }, clock, observe)
  // Loads the driver only on demand.
  const { openPostgresStore } = await import('./postgresStore.ts')
  return openPostgresStore({ url, network, poolMax }, clock, observe)
}
