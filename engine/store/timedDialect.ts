import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { Observe, ServiceEvent } from '../observe/observe.ts'
import { StoreConflict, StoreError } from './storeError.ts'

type Kind = Extract<ServiceEvent, { event: 'store.query' }>['kind']

/** True for a failure of the store; false for a defective statement or a conflict of two transactions. */
const isTrouble = (error: unknown): boolean => error instanceof StoreError && !(error instanceof StoreConflict)

const createTimer =
  (observe: Observe) =>
  async <T>(kind: Kind, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const tell = (outcome: 'answered' | 'failed') =>
      observe({ event: 'store.query', kind, outcome, elapsedMs: performance.now() - startedAt })
    try {
      const result = await work()
      tell('answered')
      return result
    } catch (error) {
      if (isTrouble(error)) tell('failed')
      throw error
    }
  }

type Timer = ReturnType<typeof createTimer>

/** A connection of the driver with timed statements. */
class TimedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #timed: Timer

  constructor(inner: DatabaseConnection, timed: Timer) {
    this.inner = inner
    this.#timed = timed
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const kind = query.query.kind === 'SelectQueryNode' ? 'read' : 'write'
    return this.#timed(kind, () => this.inner.executeQuery<R>(query))
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize ?? 1)
  }
}

const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof TimedConnection ? connection.inner : connection

const createTimedDriver = (driver: Driver, timed: Timer): Driver => ({
  init: () => driver.init(),
  acquireConnection: async () => new TimedConnection(await timed('connect', () => driver.acquireConnection()), timed),
  beginTransaction: (connection, settings) => timed('begin', () => driver.beginTransaction(innerOf(connection), settings)),
  // The commit writes to the disk, so a full disk may fail here first.
  commitTransaction: (connection) => timed('write', () => driver.commitTransaction(innerOf(connection))),
  rollbackTransaction: (connection) => driver.rollbackTransaction(innerOf(connection)),
  releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
  destroy: () => driver.destroy(),
})

/** Reports the duration of every statement, and the statements that failed because the store failed. */
export const timedDialect = (dialect: Dialect, observe: Observe): Dialect => ({
  createDriver: () => createTimedDriver(dialect.createDriver(), createTimer(observe)),
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})
