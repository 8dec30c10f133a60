import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engine/store/database.ts'
import { storeOf } from '../../../engine/store/sqliteStore.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore, turns } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const swap = await aNewSwap()

const newSwap = (bindingKey: string) => ({ ...swap, bindingKey })

const storedIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
  Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

/** A store over a file, and the connection of another process to it. */
const start = async () => {
  const file = join(aFolder(), 'swaps.sqlite')
  const store = await openFileStore(file)
  return { file, store, other: closing(new SQLite(file)) }
}

describe('a transaction in a SQLite file', () => {
  it('keeps nothing when the disk is full [store-transactions]', async () => {
    // The limit holds for this connection only.
    const database = await openDatabase(join(aFolder(), 'swaps.sqlite'))
    const store = closing(storeOf(database, createTestClock()))
    await sql`PRAGMA max_page_count = 1`.execute(database)
    const work = async ({ swaps }: StoreParts) => {
      await swaps.add(newSwap('a'))
      await swaps.add({ ...newSwap('b'), requestId: 'x'.repeat(100_000) })
    }
    await expect(store.transaction(work)).rejects.toMatchObject({ name: 'StoreError', cause: { code: 'SQLITE_FULL' } })
    expect(await storedIn(store, 'a', 'b')).toEqual([false, false])
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
    expect(await storedIn(store, 'a', 'full', 'b')).toEqual([false, false, false])
    await store.transaction((parts) => parts.swaps.add(newSwap('b')))
    expect(await storedIn(store, 'b')).toEqual([true])
  })

  it('leaves nothing behind when its process is killed [store-transactions]', async () => {
    const file = join(aFolder(), 'swaps.sqlite')
    const module = new URL('../../../engine/store/sqliteStore.ts', import.meta.url).href
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(module)})
      const store = await openSqliteStore(${JSON.stringify({ file, network: 'simnet' })}, { now: () => 1 })
      await store.transaction(async ({ builds }) => {
        await builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'one' }, 1_000)
        process.stdout.write('written')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    await once(child.stdout, 'data')
    const killed = once(child, 'exit')
    child.kill('SIGKILL')
    await killed
    const { builds, transaction } = await openFileStore(file)
    expect(await builds.underWay('q1')).toEqual([])
    await transaction((parts) => parts.swaps.add(newSwap('b')))
  })
})

it('a SQLite file that another process locks delays writes until it is free, and no reads', async () => {
  const { store, other } = await start()
  other.exec('BEGIN IMMEDIATE')
  let [settled, hasBegun] = [0, false]
  const inTransaction = store.transaction(async ({ swaps }) => {
    hasBegun = true
    return swaps.add(newSwap('t'))
  })
  const calls = [...['1', '2', '3'].map((key) => store.swaps.add(newSwap(key))), inTransaction]
  const writes = Promise.allSettled(calls.map((call) => call.finally(() => (settled += 1))))
  expect(await storedIn(store, '1', 't')).toEqual([false, false])
  await turns(5)
  expect([settled, hasBegun]).toEqual([0, false])
  other.exec('ROLLBACK')
  expect((await writes).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  expect(await storedIn(store, '1', '2', '3', 't')).toEqual(Array(4).fill(true))
})
