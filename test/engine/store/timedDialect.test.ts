import SQLite from 'better-sqlite3'
import { type Dialect, type Driver, Kysely, SqliteDialect } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { StoreConflict, StoreError } from '../../../engine/store/storeError.ts'
import { timedDialect } from '../../../engine/store/timedDialect.ts'

type Numbers = { readonly numbers: { readonly value: number } }

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A database in memory whose driver may be troubled. */
const open = (trouble: Partial<Driver> = {}) => {
  const events: Extract<EngineEvent, { event: 'store.query' }>[] = []
  const sqlite = new SQLite(':memory:')
  sqlite.exec('CREATE TABLE numbers (value INTEGER)')
  const plain = new SqliteDialect({ database: sqlite })
  const driver = plain.createDriver()
  const createDriver = (): Driver => ({
    init: () => driver.init(),
    acquireConnection: () => driver.acquireConnection(),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
    ...trouble,
  })
  const dialect: Dialect = {
    createDriver,
    createAdapter: () => plain.createAdapter(),
    createIntrospector: (db) => plain.createIntrospector(db),
    createQueryCompiler: () => plain.createQueryCompiler(),
  }
  const observe = (event: EngineEvent) => {
    if (event.event === 'store.query') events.push(event)
  }
  const db = new Kysely<Numbers>({ dialect: timedDialect(dialect, observe) })
  closers.push(() => db.destroy())
  const told = () => events.map(({ kind, outcome }) => `${kind} ${outcome}`).filter((text) => text !== 'connect answered')
  const write = () => db.insertInto('numbers').values({ value: 1 }).execute()
  return { db, events, told, write }
}

describe('statements of the records', () => {
  it('are told with their kind and how long they took, and a commit as the write that it is', async () => {
    const { db, events, told, write } = open()
    await write()
    await db.selectFrom('numbers').selectAll().execute()
    await db.transaction().execute(async (transaction) => {
      await transaction.updateTable('numbers').set({ value: 2 }).execute()
    })
    expect(told()).toEqual(['write answered', 'read answered', 'begin answered', 'write answered', 'write answered'])
    for (const { elapsedMs } of events) expect(elapsedMs).toBeGreaterThanOrEqual(0)
    expect(await db.selectFrom('numbers').selectAll().execute()).toEqual([{ value: 2 }])
  })

  it('of which a commit fails for want of disk space are told as failed', async () => {
    const { db, told } = open({ commitTransaction: () => Promise.reject(new StoreError('disk full')) })
    await expect(db.transaction().execute(async () => undefined)).rejects.toThrow('disk full')
    expect(told()).toContain('write failed')
  })

  it('that find no connection are told as failed', async () => {
    const { told, write } = open({ acquireConnection: () => Promise.reject(new StoreError('gone')) })
    await expect(write()).rejects.toThrow('gone')
    expect(told()).toEqual(['connect failed'])
  })

  it.each([
    ['two of which only one can stand', new StoreConflict('in between')],
    ['wrong in themselves', new TypeError('no such column')],
  ])('that are %s say nothing of the store', async (_what, error) => {
    const { db, told } = open({ commitTransaction: () => Promise.reject(error) })
    await expect(db.transaction().execute(async () => undefined)).rejects.toThrow(error.message)
    expect(told()).not.toContain('write failed')
  })
})
