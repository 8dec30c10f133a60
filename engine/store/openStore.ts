import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { openSqliteStore } from './sqliteStore.ts'
import type { Store } from './store.ts'

/**
 * Opens the records the configuration names: a SQLite file in its data folder, made when missing and brought to the
 * current schema. Throws when they cannot be used: a service that cannot remember swaps must not start.
 */
export const openStore = ({ dataDir }: { readonly dataDir: string }, clock: Clock): Promise<Store> =>
  openSqliteStore(join(dataDir, 'swaps.sqlite'), clock)
