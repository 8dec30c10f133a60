import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { storeOf } from '../../../engine/store/sqliteStore.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import type { NewSwap } from '../../../engine/store/swaps.ts'
import { advance } from '../../support/raceTime.ts'
import { aFolder, closing, fakeTimeHere, openFileStore, turns } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const swap = { offer: { venue: 'toy' }, execution: { payload: { executionType: 'DEPOSIT' } } } as unknown as ExecutedSwap

const newSwap = (bindingKey: string): NewSwap => ({
  ...{ quoteId: 'q1', bindingKey, partnerId: null, feeOf: 'partner', executedBy: null, tokenKey: null },
  ...{ requestId: '', isSandbox: false, ref: null, swap },
})

const keptIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
  Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

/** A store over a file, and the connection of another process to it. */
const start = async () => {
  const file = join(aFolder(), 'swaps.sqlite')
  const store = await openFileStore(file)
  return { file, store, other: closing(new SQLite(file)) }
}

describe('a transaction in a SQLite file', () => {
  it('fails when its work waits for the store outside of it', async () => {
    const { store } = await start()
    fakeTimeHere()
    const stuck = store.transaction(async (parts) => {
      await parts.swaps.add(newSwap('a'))
      await store.swaps.find('q1', 'a')
    })
    const failure = expect(stuck).rejects.toThrow(StoreError)
    await advance(2_500)
    await failure
    expect(await keptIn(store, 'a')).toEqual([false])
  })

  it('keeps nothing when the disk is full [store-transactions]', async () => {
    // The limit holds for this connection only.
    const database = await openDatabase(join(aFolder(), 'swaps.sqlite'))
    const store = closing(storeOf(database, createTestClock()))
    await sql`PRAGMA max_page_count = 1`.execute(database)
    const vast = { ...swap, order: { text: 'x'.repeat(100_000) } } as unknown as ExecutedSwap
    const work = async ({ swaps }: StoreParts) => {
      await swaps.add(newSwap('a'))
      await swaps.add({ ...newSwap('b'), swap: vast })
    }
    await expect(store.transaction(work)).rejects.toMatchObject({ name: 'StoreError', cause: { code: 'SQLITE_FULL' } })
    expect(await keptIn(store, 'a', 'b')).toEqual([false, false])
  })

  it('keeps nothing that its work writes after SQLite undid it', async () => {
    const { store, other } = await start()
    // On a full disk SQLite may roll back the whole transaction with the failed statement.
    other.exec(
      `CREATE TRIGGER full BEFORE INSERT ON swaps WHEN new.binding_key = 'full' BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END`,
    )
    const work = async ({ swaps }: StoreParts) => {
      await swaps.add(newSwap('a'))
      for (const key of ['full', 'b']) await swaps.add(newSwap(key)).catch(() => undefined)
    }
    await expect(store.transaction(work)).rejects.toThrow(StoreError)
    expect(await keptIn(store, 'a', 'full', 'b')).toEqual([false, false, false])
    await store.transaction((parts) => parts.swaps.add(newSwap('b')))
    expect(await keptIn(store, 'b')).toEqual([true])
  })

  it('leaves nothing behind when its process is killed [store-transactions]', async () => {
    const file = join(aFolder(), 'swaps.sqlite')
    const module = new URL('../../../engine/store/sqliteStore.ts', import.meta.url).href
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(module)})
      const store = await openSqliteStore(${JSON.stringify({ file, network: 'simnet' })}, { now: () => 1 })
      await store.transaction(async ({ swaps }) => {
        await swaps.add(${JSON.stringify(newSwap('a'))})
        process.stdout.write('written')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    await once(child.stdout, 'data')
    const killed = once(child, 'exit')
    child.kill('SIGKILL')
    await killed
    const store = await openFileStore(file)
    expect(await keptIn(store, 'a')).toEqual([false])
    await store.transaction((parts) => parts.swaps.add(newSwap('b')))
    expect(await keptIn(store, 'b')).toEqual([true])
  })
})

describe('a SQLite file that another process locks', () => {
  /** Writes of both kinds, and what has happened of them. */
  const locked = async () => {
    const { store, other } = await start()
    other.exec('BEGIN IMMEDIATE')
    let [settled, hasBegun] = [0, false]
    const inTransaction = () =>
      store.transaction(async ({ swaps }) => {
        hasBegun = true
        return swaps.add(newSwap('t'))
      })
    const write = () => {
      const calls = [...['1', '2', '3'].map((key) => store.swaps.add(newSwap(key))), inTransaction()]
      return Promise.allSettled(calls.map((call) => call.finally(() => (settled += 1))))
    }
    return { store, other, write, settled: () => settled, hasBegun: () => hasBegun }
  }

  it('delays writes until it is free, and nothing else', async () => {
    const { store, other, write, settled } = await locked()
    const writes = write()
    expect(await keptIn(store, '1', 't')).toEqual([false, false])
    await new Promise((resolve) => setTimeout(resolve))
    await turns(5)
    expect(settled()).toBe(0)
    other.exec('ROLLBACK')
    expect((await writes).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
    expect(await keptIn(store, '1', '2', '3', 't')).toEqual(Array(4).fill(true))
  })

  it('fails each write after two seconds, and begins no transaction', async () => {
    const { write, hasBegun } = await locked()
    fakeTimeHere()
    const writes = write()
    await advance(2_500)
    const reason = { name: 'StoreError', message: expect.stringContaining('locked') }
    expect(await writes).toMatchObject(Array(4).fill({ status: 'rejected', reason }))
    expect(hasBegun()).toBe(false)
  })
})
