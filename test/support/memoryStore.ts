import SQLite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import type { Clock } from '../../engine/core/clock.ts'
import { Secret } from '../../engine/core/secret.ts'
import { NO_FILE } from '../../engine/store/fileGuard.ts'
import { migrate } from '../../engine/store/migrations/migrate.ts'
import { createMigrations } from '../../engine/store/migrations/migrations.ts'
import { PatientDialect } from '../../engine/store/patientDialect.ts'
import { openPostgresDatabase } from '../../engine/store/postgresDatabase.ts'
import { postgresStoreOf } from '../../engine/store/postgresStore.ts'
import type { Database, Schema } from '../../engine/store/schema.ts'
import { storeOf } from '../../engine/store/sqliteStore.ts'
import type { Store, StoreParts } from '../../engine/store/store.ts'
import { StoreError } from '../../engine/store/storeError.ts'
import { type SwapRecord, toSwapRecord } from '../../engine/store/swaps.ts'

import { createMigratedDatabase } from './postgres/database.ts'
import { isOverPostgres } from './postgres/ownDatabase.ts'

/** A call of the store, such as `swaps.add`. */
type Call = `${keyof StoreParts}.${string}` | 'probe'

/** The records in memory, or in a database of their own where the suite is run over PostgreSQL; and trouble as a test wishes it. */
export type MemoryStore = Store & {
  /** Which calls fail from here on, as those of a store in trouble; none at first. */
  fails: (call: Call) => boolean
  /** All swaps, oldest first. */
  kept(): Promise<readonly SwapRecord[]>
  /** As when the records were lost. */
  forget(): Promise<void>
}

export const isWrite = (call: Call): boolean => /\.(add|set|claim|release|reserve|drop|book)/.test(call)

const openOver = (sqlite: SQLite.Database): Database => new Kysely<Schema>({ dialect: new PatientDialect(sqlite, NO_FILE) })

/** An empty database of the current schema, as bytes: migrating takes longer than most tests. */
const makeTemplate = async (): Promise<Buffer> => {
  const sqlite = new SQLite(':memory:')
  await migrate(openOver(sqlite), { place: ':memory:', steps: createMigrations('sqlite'), network: null })
  return sqlite.serialize()
}

let template: Promise<Buffer> | null = null

type Opened = { readonly database: Database; readonly store: Store }

const openMemory = async (clock: Clock): Promise<Opened> => {
  template ??= makeTemplate()
  const database = openOver(new SQLite(await template))
  return { database, store: storeOf(database, clock) }
}

/** Few connections: each of these databases has some, and one server has all of them. */
const openOnServer = async (clock: Clock, url: string | null): Promise<Opened> => {
  const options = { url: new Secret(url ?? (await createMigratedDatabase())), network: null, poolMax: 3 }
  const database = await openPostgresDatabase(options)
  return { database, store: postgresStoreOf(database, clock) }
}

const TABLES = [
  'paid_calls',
  'swap_keys',
  'broadcasts',
  'payments',
  'builds',
  'settlement',
  'partner_events',
  'partner_feeds',
  'ledger_lines',
  'ledger_entries',
  'swaps',
]

/** Each call of a part, with something to happen before it. */
const before = <P extends object>(part: P, happens: (name: string) => void): P =>
  new Proxy(part, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') return call
      return async (...args: readonly unknown[]) => {
        happens(String(name))
        return call(...args)
      }
    },
  })

/** `url`: of a PostgreSQL database that several instances share. */
export const createMemoryStore = (clock: Clock, url: string | null = null): MemoryStore => {
  let opening: Promise<Opened> | null = null
  const open = async (): Promise<Opened> => {
    opening ??= url !== null || isOverPostgres() ? openOnServer(clock, url) : openMemory(clock)
    return opening
  }

  const mayFail = (call: Call): void => {
    if (store.fails(call)) throw new StoreError(`the store failed: ${call}`)
  }

  const troubled = (parts: StoreParts): StoreParts =>
    new Proxy(parts, {
      get: (target, name) => {
        const part = name as keyof StoreParts
        return before(Reflect.get(target, part), (call) => mayFail(`${part}.${call}`))
      },
    })

  /** A part of a database that is opened with its first call. */
  const later = <N extends keyof StoreParts>(name: N): StoreParts[N] =>
    new Proxy({} as StoreParts[N], {
      get:
        (_target, call) =>
        async (...args: readonly unknown[]) => {
          const { store } = await open()
          const part: object = troubled(store)[name]
          return Reflect.apply(Reflect.get(part, call), null, args)
        },
    })

  const store: MemoryStore = {
    swaps: later('swaps'),
    builds: later('builds'),
    swapKeys: later('swapKeys'),
    broadcasts: later('broadcasts'),
    payments: later('payments'),
    partners: later('partners'),
    apiKeys: later('apiKeys'),
    webhooks: later('webhooks'),
    partnerEvents: later('partnerEvents'),
    ledger: later('ledger'),
    settlement: later('settlement'),
    leases: later('leases'),
    paidCalls: later('paidCalls'),
    archive: later('archive'),
    tokens: later('tokens'),
    operator: later('operator'),
    fails: () => false,
    transaction: async (work) => (await open()).store.transaction((parts) => work(troubled(parts))),
    probe: async () => {
      mayFail('probe')
      await (await open()).store.probe()
    },
    // Of a service that is started again over them they are the same.
    close: async () => undefined,
    kept: async () => {
      const { database } = await open()
      return (await database.selectFrom('swaps').selectAll().orderBy('id').execute()).map(toSwapRecord)
    },
    forget: async () => {
      const { database } = await open()
      for (const table of TABLES) await sql`DELETE FROM ${sql.table(table)}`.execute(database)
    },
  }
  return store
}
