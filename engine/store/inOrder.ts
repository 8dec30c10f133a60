import { PostgresAdapter, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Writes rows of one name so that none is seen before one with a lower id: who reads on from the last id that was seen
 * misses none. SQLite has one writer at a time; PostgreSQL gives an id before the row that has it is there for others.
 */
export const inOrder = async <T>(database: Database, name: string, write: (database: Database) => Promise<T>): Promise<T> => {
  if (!(database.getExecutor().adapter instanceof PostgresAdapter)) return write(database)
  const inTurn = async (transaction: Database): Promise<T> => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
    return write(transaction)
  }
  return database.isTransaction ? inTurn(database) : database.transaction().execute(inTurn)
}
