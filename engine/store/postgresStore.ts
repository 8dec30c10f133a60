import type { Clock } from '../core/clock.ts'
import { pause } from '../net/pause.ts'
import { openPostgresDatabase, type PostgresOptions } from './postgresDatabase.ts'
import type { Database } from './schema.ts'
import { partsOf, storeOf } from './sqliteStore.ts'
import type { Store } from './store.ts'
import { StoreConflict } from './storeError.ts'

/** How long a transaction is tried again that others come in between, and the longest pause before it is. */
const PATIENCE_MS = 2_000
const PAUSE_MS = 2
const PAUSE_MS_MAX = 64

/** Runs work that was undone for another's sake again. Of those that met each other no two wait alike. */
const untilItStands = async <T>(work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + PATIENCE_MS
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreConflict) || performance.now() >= until) throw error
    }
    await pause(Math.random() * pauseMs)
  }
}

/**
 * As if there were one writer: what a transaction has read holds until it ends, or the transaction is undone and run
 * again.
 */
const transactionIn =
  (database: Database, clock: Clock): Store['transaction'] =>
  (work) =>
    untilItStands(() =>
      database
        .transaction()
        .setIsolationLevel('serializable')
        .execute((transaction) => work(partsOf(transaction, clock))),
    )

/** The records in a PostgreSQL database, brought to the current schema. Throws StoreError when it cannot be used. */
export const openPostgresStore = async (options: PostgresOptions, clock: Clock): Promise<Store> => {
  const database = await openPostgresDatabase(options)
  return { ...storeOf(database, clock), transaction: transactionIn(database, clock) }
}
