import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { Observe, ServiceEvent } from '../observe/observe.ts'
import { StoreConflict, StoreError } from './storeError.ts'

type Kind = Extract<ServiceEvent, { event: 'store.query' }>['kind']

/** Trouble of the store's; not a defect of a statement, nor one of two transactions that cannot both stand. */
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

/** One of the driver's own connections, with its statements timed. */
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
  // What was written is kept only now: a full disk may be met here first.
  commitTransaction: (connection) => timed('write', () => driver.commitTransaction(innerOf(connection))),
  rollbackTransaction: (connection) => driver.rollbackTransaction(innerOf(connection)),
  releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
  destroy: () => driver.destroy(),
})

/** Tells how long every statement took, and which ones failed for want of a working store. */
export const timedDialect = (dialect: Dialect, observe: Observe): Dialect => ({
  createDriver: () => createTimedDriver(dialect.createDriver(), createTimer(observe)),
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})
