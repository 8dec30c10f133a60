import type SQLite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import type { FileGuard } from './fileGuard.ts'
import { awaitPatiently, patiently } from './patience.ts'
import { isDamage, StoreError } from './storeError.ts'

/** The open transaction that uses the connection. */
type Turn = { readonly of: DatabaseConnection; readonly ended: Promise<void>; readonly end: () => void }

/**
 * The one connection to a file, shared by all callers. Single statements run one after the other. While a transaction is open,
 * other statements wait, or they would become part of it.
 */
class SharedConnection {
  readonly #sqlite: SQLite.Database
  readonly #statements: DatabaseConnection
  readonly #guard: FileGuard
  /** Connections of ended transactions: a later statement on one was not awaited. */
  readonly #over = new WeakSet<DatabaseConnection>()
  #turn: Turn | null = null

  constructor(sqlite: SQLite.Database, statements: DatabaseConnection, guard: FileGuard) {
    this.#sqlite = sqlite
    this.#statements = statements
    this.#guard = guard
  }

  /** A view of the connection for one caller. */
  lend(): DatabaseConnection {
    const lent: DatabaseConnection = {
      executeQuery: (query) => patiently(() => this.#execute(lent, query)),
      streamQuery: () => {
        throw new TypeError('what the store reads is small: nothing is streamed')
      },
    }
    return lent
  }

  async begin(of: DatabaseConnection): Promise<void> {
    const open = () => {
      this.#guard.check()
      // A deferred transaction could meet a lock in the middle, where waiting does not help: SQLITE_BUSY_SNAPSHOT.
      this.#sqlite.exec('BEGIN IMMEDIATE')
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#turn = { of, ended: promise, end: resolve }
    }
    await patiently(() => this.#whenFree(open))
  }

  async commit(of: DatabaseConnection): Promise<void> {
    await patiently(async () => {
      this.#mustBeOpen()
      this.#sqlite.exec('COMMIT')
      // Data in a replaced file would be lost.
      this.#guard.check()
    })
    this.#end(of)
  }

  rollback(of: DatabaseConnection): void {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK')
    this.#end(of)
  }

  async #execute<R>(lent: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#over.has(lent)) throw new TypeError('a statement of a transaction that has ended')
    if (this.#turn?.of !== lent) return this.#whenFree(() => this.#alone<R>(query))
    this.#mustBeOpen()
    return this.#told<R>(query)
  }

  /** Checks the file as a transaction does. */
  async #alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (SelectQueryNode.is(query.query)) return this.#told(query)
    this.#guard.check()
    const result = await this.#told<R>(query)
    this.#guard.check()
    return result
  }

  async #told<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#statements.executeQuery<R>(query)
    } catch (error) {
      if (isDamage(error)) this.#guard.condemn(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  /** On a full disk SQLite rolls back the whole transaction. Later statements must not run without it. */
  #mustBeOpen(): void {
    if (!this.#sqlite.inTransaction) throw new StoreError('the store failed: the transaction was undone')
  }

  /** Starts work at once if no transaction is open, so that nothing comes between. */
  async #whenFree<T>(work: () => T | Promise<T>): Promise<T> {
    while (this.#turn) await awaitPatiently(this.#turn.ended)
    return work()
  }

  #end(of: DatabaseConnection): void {
    this.#over.add(of)
    this.#turn?.end()
    this.#turn = null
  }
}

/** A caller that waits for a lock must not block the only connection. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const createDriver = (sqlite: SQLite.Database, driver: Driver, guard: FileGuard): Driver => {
  let shared: SharedConnection | null = null
  const theShared = async (): Promise<SharedConnection> => {
    shared ??= new SharedConnection(sqlite, await driver.acquireConnection(), guard)
    return shared
  }
  return {
    init: () => driver.init(),
    acquireConnection: async () => (await theShared()).lend(),
    beginTransaction: async (connection) => (await theShared()).begin(connection),
    commitTransaction: async (connection) => (await theShared()).commit(connection),
    rollbackTransaction: async (connection) => (await theShared()).rollback(connection),
    releaseConnection: async () => undefined,
    destroy: async () => {
      await driver.destroy()
      guard.close()
    },
  }
}

/**
 * SQLite waits for a lock by blocking the whole process. This dialect retries later, so only the one call waits. Throws
 * StoreError.
 */
export class PatientDialect extends SqliteDialect {
  readonly #sqlite: SQLite.Database
  readonly #guard: FileGuard

  constructor(sqlite: SQLite.Database, guard: FileGuard) {
    super({ database: sqlite })
    this.#sqlite = sqlite
    this.#guard = guard
  }

  override createAdapter(): DialectAdapter {
    return new SharingAdapter()
  }

  override createDriver(): Driver {
    return createDriver(this.#sqlite, super.createDriver(), this.#guard)
  }
}
