import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { endsConnection, fromPostgres } from './postgresError.ts'
import { StoreError } from './storeError.ts'

/** After a database gave no sign of life for a whole deadline, calls fail at once for this long. */
const REST_MS = 1_000

/** PostgreSQL stores neither NUL nor half a surrogate pair: both become U+FFFD. */
const asKept = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)

/** Whether the database answers on any connection. */
class Pulse {
  readonly #deadlineMs: number
  #answeredAt = Number.NEGATIVE_INFINITY
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
  }

  answered(): void {
    this.#answeredAt = performance.now()
  }

  /** Records a failed call. A database that answers others meanwhile is only busy. */
  failed(askedAt: number): void {
    if (this.isTimeout(askedAt) && this.#answeredAt < askedAt) this.#restsUntil = performance.now() + REST_MS
  }

  /** Timers may fire a little early. */
  isTimeout(askedAt: number): boolean {
    return performance.now() - askedAt >= this.#deadlineMs * 0.9
  }

  mustNotRest(): void {
    if (performance.now() < this.#restsUntil) throw new StoreError('the store failed: the database does not answer')
  }
}

/** Statements that are safe to repeat: they change nothing yet. */
const CHANGES_NOTHING = /^(begin|select)\b/i

/** Checks that a connection leads to the records of the start. Rejects with StoreError otherwise. */
export type CheckRecords = (client: PoolClient) => Promise<void>

/** A connection is checked when it is new, and again after this time. */
const CHECKED_MS = 1_000

/** The pool, limited to connections to the records of the start. */
class Connections {
  readonly #pool: Pool
  readonly #pulse: Pulse
  readonly #check: CheckRecords
  readonly #checkedAt = new WeakMap<PoolClient, number>()

  constructor(pool: Pool, pulse: Pulse, check: CheckRecords) {
    this.#pool = pool
    this.#pulse = pulse
    this.#check = check
  }

  get count(): number {
    return this.#pool.totalCount
  }

  /** Skips connections that died while idle. */
  async take(): Promise<PoolClient> {
    for (let left = this.#pool.totalCount + 1; ; left -= 1) {
      const client = await this.#pool.connect()
      const askedAt = performance.now()
      if (askedAt - (this.#checkedAt.get(client) ?? Number.NEGATIVE_INFINITY) < CHECKED_MS) return client
      try {
        await this.#check(client)
        this.#checkedAt.set(client, performance.now())
        return client
      } catch (error) {
        client.release(true)
        if (error instanceof StoreError || left <= 0 || !endsConnection(error) || this.#pulse.isTimeout(askedAt)) throw error
      }
    }
  }
}

/** A connection as one caller uses it, for a statement or a transaction. */
class LentConnection implements DatabaseConnection {
  readonly #connections: Connections
  readonly #pulse: Pulse
  #client: PoolClient
  #isFresh = true
  #isHeld = true
  #isSound = true
  #isOver = false

  constructor(connections: Connections, client: PoolClient, pulse: Pulse) {
    this.#connections = connections
    this.#client = client
    this.#pulse = pulse
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOver) throw new TypeError('a statement of a transaction that has ended')
    const { command, rowCount, rows } = await this.#ask(sql, parameters.map(asKept))
    // A transaction that was rolled back answers COMMIT without an error.
    if (sql === 'commit' && command !== 'COMMIT') throw new StoreError('the store failed: the transaction was undone')
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('what the store reads is small: nothing is streamed')
  }

  /** Returns the connection to the pool, or closes it if its state is unknown. */
  release(): void {
    this.#isOver = true
    this.#giveBack(this.#isSound)
  }

  #giveBack(isSound: boolean): void {
    if (this.#isHeld) this.#client.release(!isSound)
    this.#isHeld = false
  }

  /** Idle connections may have died. The first statement finds out, and continues on the next connection. */
  async #query(sql: string, parameters: unknown[]) {
    const isFirst = this.#isFresh && CHANGES_NOTHING.test(sql)
    this.#isFresh = false
    // This connection may have left the pool already.
    for (let left = this.#connections.count + 1; ; left -= 1) {
      const askedAt = performance.now()
      try {
        return await this.#client.query(sql, parameters)
      } catch (error) {
        if (!isFirst || left <= 0 || !endsConnection(error) || this.#pulse.isTimeout(askedAt)) throw error
        this.#giveBack(false)
        this.#client = await this.#connections.take()
        this.#isHeld = true
      }
    }
  }

  async #ask(sql: string, parameters: unknown[]) {
    const askedAt = performance.now()
    try {
      const result = await this.#query(sql, parameters)
      this.#pulse.answered()
      return result
    } catch (error) {
      if (endsConnection(error)) {
        this.#isSound = false
        this.#pulse.failed(askedAt)
      } else this.#pulse.answered()
      throw fromPostgres(error)
    }
  }
}

/** Unlike Kysely's own driver, closes connections on which an answer is pending. Throws StoreError. */
class PooledDriver implements Driver {
  readonly #pool: Pool
  readonly #pulse: Pulse
  readonly #connections: Connections

  constructor(pool: Pool, deadlineMs: number, check: CheckRecords) {
    this.#pool = pool
    this.#pulse = new Pulse(deadlineMs)
    this.#connections = new Connections(pool, this.#pulse, check)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#pulse.mustNotRest()
    const askedAt = performance.now()
    try {
      return new LentConnection(this.#connections, await this.#connections.take(), this.#pulse)
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#pulse.failed(askedAt)
      throw fromPostgres(error)
    }
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel }: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // If it fails, the connection closes and the transaction ends.
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof LentConnection) connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

/** PostgreSQL over a pool; every call ends within the deadline. */
export class PooledDialect extends PostgresDialect {
  readonly #pool: Pool
  readonly #deadlineMs: number
  readonly #check: CheckRecords

  constructor(pool: Pool, deadlineMs: number, check: CheckRecords) {
    super({ pool })
    this.#pool = pool
    this.#deadlineMs = deadlineMs
    this.#check = check
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#pool, this.#deadlineMs, this.#check)
  }
}
