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
 * One writer at a time, among all instances, as SQLite has it: a transaction sees all that those before it left. Taken
 * before the first statement, which is what the transaction sees the records as of:
 * https://www.postgresql.org/docs/18/sql-lock.html. Reading goes on, and single statements do: where one of these changes
 * what the transaction changes, too, the transaction is undone and run again. PostgreSQL's own serializable transactions
 * undid three of four under load, for rows of others that happened to be near.
 */
const ONE_WRITER = sql`LOCK TABLE kysely_migration_lock IN EXCLUSIVE MODE`

const createTransaction = (database: Database, clock: Clock, deadlineMs: number): Store['transaction'] => {
  // Waiting here rather than there leaves the connections to those who need no turn.
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

/** The records in an open PostgreSQL database, which is closed with them. */
export const postgresStoreOf = (database: Database, clock: Clock, deadlineMs = DEADLINE_MS): Store => ({
  ...storeOf(database, clock),
  transaction: createTransaction(database, clock, deadlineMs),
})

/** The records in a PostgreSQL database, brought to the current schema. Throws StoreError when it cannot be used. */
export const openPostgresStore = async (options: PostgresOptions, clock: Clock, observe?: Observe): Promise<Store> =>
  postgresStoreOf(await openPostgresDatabase(options, observe), clock, options.deadlineMs)
