import { sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { pause } from '../net/pause.ts'
import type { Observe } from '../observe/observe.ts'
import { DEADLINE_MS, lockPatienceOf, openPostgresDatabase, type PostgresOptions } from './postgresDatabase.ts'
import type { Database } from './schema.ts'
import { partsOf, storeOf } from './sqliteStore.ts'
import type { Store } from './store.ts'
import { StoreConflict } from './storeError.ts'
import { createTurns } from './turns.ts'

/** How long a transaction is retried after conflicts, and the longest pause between two tries. */
const PATIENCE_MS = 2_000
const PAUSE_MS = 2
const PAUSE_MS_MAX = 64

/** Retries work that a conflict rolled back, after a random pause. */
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
 * One writer at a time among all instances, as in SQLite: a transaction sees all earlier ones. The lock precedes the first
 * statement, which sets the snapshot: https://www.postgresql.org/docs/18/sql-lock.html. Reads and single statements continue; a
 * conflict with one rolls the transaction back, and it runs again. PostgreSQL's serializable transactions rolled back three of
 * four under load, for neighbouring rows.
 */
const ONE_WRITER = sql`LOCK TABLE kysely_migration_lock IN EXCLUSIVE MODE`

const createTransaction = (database: Database, clock: Clock, deadlineMs: number): Store['transaction'] => {
  // Waits here rather than on a connection, so that others can use it.
  const inTurn = createTurns(lockPatienceOf(deadlineMs))
  return (work) =>
    inTurn(() =>
      untilItStands(() =>
        database
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute(async (transaction) => {
            await ONE_WRITER.execute(transaction)
            return work(partsOf(transaction, clock))
          }),
      ),
    )
}

/** The records in an open PostgreSQL database. Closing the store closes the database. */
export const postgresStoreOf = (database: Database, clock: Clock, deadlineMs = DEADLINE_MS): Store => ({
  ...storeOf(database, clock),
  transaction: createTransaction(database, clock, deadlineMs),
})

/** Opens a PostgreSQL database as store, migrated. Throws StoreError if it cannot be used. */
export const openPostgresStore = async (options: PostgresOptions, clock: Clock, observe?: Observe): Promise<Store> =>
  postgresStoreOf(await openPostgresDatabase(options, observe), clock, options.deadlineMs)
