import SQLite from 'better-sqlite3'
import { type Driver, Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { StoreConflict, StoreError } from '../../../engine/store/storeError.ts'
import { timedDialect } from '../../../engine/store/timedDialect.ts'

type Numbers = { readonly numbers: { readonly value: number } }

/** A database in memory, some of whose driver's functions are replaced. */
const open = (trouble: Partial<Driver> = {}) => {
  const events: Extract<EngineEvent, { event: 'store.query' }>[] = []
  const sqlite = new SQLite(':memory:')
  sqlite.exec('CREATE TABLE numbers (value INTEGER)')
  class Troubled extends SqliteDialect {
    override createDriver(): Driver {
      return Object.assign(super.createDriver(), trouble)
    }
  }
  const observe = (event: EngineEvent) => {
    if (event.event === 'store.query') events.push(event)
  }
  const db = new Kysely<Numbers>({ dialect: timedDialect(new Troubled({ database: sqlite }), observe) })
  onTestFinished(() => db.destroy())
  const told = () => events.map(({ kind, outcome }) => `${kind} ${outcome}`).filter((text) => text !== 'connect answered')
  const write = () => db.insertInto('numbers').values({ value: 1 }).execute()
  return { db, events, told, write }
}

describe('a statement of the store', () => {
  it('is reported with its kind and duration, and a commit as a write', async () => {
    const { db, events, told, write } = open()
    await write()
    await db.selectFrom('numbers').selectAll().execute()
    await db.transaction().execute((transaction) => transaction.updateTable('numbers').set({ value: 2 }).execute())
    expect(told()).toEqual(['write answered', 'read answered', 'begin answered', 'write answered', 'write answered'])
    for (const { elapsedMs } of events) expect(elapsedMs).toBeGreaterThanOrEqual(0)
    expect(await db.selectFrom('numbers').selectAll().execute()).toEqual([{ value: 2 }])
  })

  it.each([
    ['is reported as failed when the disk is full at the commit', new StoreError('disk full'), true],
    ['is not reported as failed when two transactions conflict', new StoreConflict('in between'), false],
    ['is not reported as failed when it is defective', new TypeError('no such column'), false],
  ])('%s', async (_what, error, isFailed) => {
    const { db, told } = open({ commitTransaction: () => Promise.reject(error) })
    await expect(db.transaction().execute(async () => undefined)).rejects.toThrow(error.message)
    expect(told().includes('write failed')).toBe(isFailed)
  })

  it('is reported as failed when it gets no connection', async () => {
    const { told, write } = open({ acquireConnection: () => Promise.reject(new StoreError('gone')) })
    await expect(write()).rejects.toThrow('gone')
    expect(told()).toEqual(['connect failed'])
  })
})
