import type { Clock } from '../core/clock.ts'
import type { NetworkName } from '../core/networkName.ts'
import type { Observe } from '../observe/observe.ts'
import { fileIn, type StorePlace } from './inspectStore.ts'
import { openSqliteStore } from './sqliteStore.ts'
import type { Store } from './store.ts'

/**
 * Opens the records the configuration names: a PostgreSQL database, or a SQLite file in the data folder, made when
 * missing, and brings them to the current schema. Throws when they cannot be used, those of another network among them: a
 * service that cannot remember swaps must not start.
 */
export const openStore = async (
  { dataDir, database: { url, poolMax }, network }: StorePlace & { readonly network: NetworkName },
  clock: Clock,
  observe?: Observe,
): Promise<Store> => {
  if (url === null) return openSqliteStore({ file: fileIn(dataDir), network }, clock, observe)
  // Who keeps records in a file has no use for the driver.
  const { openPostgresStore } = await import('./postgresStore.ts')
  return openPostgresStore({ url, network, poolMax }, clock, observe)
}
