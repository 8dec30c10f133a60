import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../engine/core/clock.ts'
import type { NetworkName } from '../../engine/core/networkName.ts'
import { Secret } from '../../engine/core/secret.ts'
import { openPostgresStore } from '../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { ask, createMigratedDatabase, dropDatabase } from './postgres/database.ts'
import { askFile, changeRecords, isOverPostgres } from './postgres/ownDatabase.ts'

/** Room for the same records of several processes, empty at first; to be removed once all of them have closed theirs. */
type Place = {
  open(clock: Clock, network?: NetworkName): Promise<Store>
  /** Changes something behind their backs, as another client of the database. */
  change(text: string): Promise<void>
  /** Rows of theirs, as another client of the database reads them. */
  ask(text: string): Promise<readonly { readonly [column: string]: unknown }[]>
  remove(): Promise<void>
}

const inSqlite = async (): Promise<Place> => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  return {
    open: (clock, network = 'simnet') => openSqliteStore({ file: join(folder, 'swaps.sqlite'), network }, clock),
    change: (text) => changeRecords(folder, {}, text),
    ask: async (text) => askFile(folder, text),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

const inPostgres = async (): Promise<Place> => {
  const url = await createMigratedDatabase()
  return {
    open: (clock, network = 'simnet') => openPostgresStore({ url: new Secret(url), network, poolMax: 5 }, clock),
    change: (text) => changeRecords('', { DATABASE_URL: url }, text),
    ask: (text) => ask(url, text),
    remove: () => dropDatabase(url),
  }
}

/** The store that the suite runs over. Both stores have the same suites to pass. */
export const PLACES = Object.entries(isOverPostgres() ? { PostgreSQL: inPostgres } : { SQLite: inSqlite })

const openAlone = async (makePlace: () => Promise<Place>, clock: Clock): Promise<Store> => {
  const place = await makePlace()
  const store = await place.open(clock)
  const close = async () => {
    await store.close()
    await place.remove()
  }
  return { ...store, close }
}

/** The same, each as what opens a store that is gone when it is closed. */
export const STORES = PLACES.map(([name, makePlace]) => [name, (clock: Clock) => openAlone(makePlace, clock)] as const)
