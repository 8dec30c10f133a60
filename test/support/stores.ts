import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../engine/core/clock.ts'
import { Secret } from '../../engine/core/secret.ts'
import { openPostgresStore } from '../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { createMemoryStore } from './memoryStore.ts'
import { createDatabase, dropDatabase } from './postgres/database.ts'

/** Room for records, empty, that several may open; `remove` once all have closed them. */
type Place = { open(clock: Clock): Promise<Store>; remove(): Promise<void> }

const inSqlite = async (): Promise<Place> => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  return {
    open: (clock) => openSqliteStore(join(folder, 'swaps.sqlite'), clock),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

const inPostgres = async (): Promise<Place> => {
  const url = await createDatabase()
  return {
    open: (clock) => openPostgresStore({ url: new Secret(url), poolMax: 5 }, clock),
    remove: () => dropDatabase(url),
  }
}

/** Every store there is, each in a place of its own. */
export const PLACES = { SQLite: inSqlite, PostgreSQL: inPostgres } as const

export const closing = async (place: Place, clock: Clock): Promise<Store> => {
  const store = await place.open(clock)
  const close = async () => {
    await store.close()
    await place.remove()
  }
  return { ...store, close }
}

/** Opens a store that is gone when it is closed, by the name of what keeps it. */
export const STORES = {
  SQLite: async (clock: Clock) => closing(await inSqlite(), clock),
  PostgreSQL: async (clock: Clock) => closing(await inPostgres(), clock),
  memory: async (clock: Clock): Promise<Store> => createMemoryStore(clock),
} as const
