import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { openSqliteStore, storeOf } from '../../../engine/store/sqliteStore.ts'
import type { Store, StoreParts } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import type { NewSwap } from '../../../engine/store/swaps.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'store-'))
  closers.push(() => rmSync(path, { recursive: true }))
  return path
}

const open = async (dataDir: string): Promise<Store> => {
  const store = await openSqliteStore({ file: join(dataDir, 'swaps.sqlite'), network: 'simnet' }, createTestClock())
  closers.push(() => store.close())
  return store
}

/** Another process's connection to the file. */
const beside = (dataDir: string): SQLite.Database => {
  const other = new SQLite(join(dataDir, 'swaps.sqlite'))
  closers.push(() => void other.close())
  return other
}

const swap = {
  offer: { venue: 'toy' },
  execution: { payload: { executionType: 'DEPOSIT' } },
} as unknown as ExecutedSwap

const newSwap = (bindingKey: string): NewSwap => ({
  quoteId: 'q1',
  bindingKey,
  partnerId: null,
  feeOf: 'partner',
  executedBy: null,
  tokenKey: null,
  requestId: '',
  isSandbox: false,
  ref: null,
  swap,
})

const keptIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
  Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a transaction in a SQLite file', () => {
  it('is kept apart from those of another process: neither loses what the other wrote', async () => {
    const dataDir = folder()
    const [one, two] = [await open(dataDir), await open(dataDir)]
    const { id } = await one.swaps.add(newSwap('a'))
    const append = (store: Store) =>
      store.transaction(async ({ swaps }) => {
        const ref = (await swaps.byId(id))?.ref ?? ''
        await turns(1)
        await swaps.setSubmitted(id, `${ref}+`)
      })
    await Promise.all([one, two, one, two, one, two].map(append))
    expect((await two.swaps.byId(id))?.ref).toBe('++++++')
  })

  it('waits for the lock of another process, while everything else goes on', async () => {
    const dataDir = folder()
    const store = await open(dataDir)
    const other = beside(dataDir)
    other.exec('BEGIN IMMEDIATE')
    let isDone = false
    const adding = store
      .transaction((parts) => parts.swaps.add(newSwap('a')))
      .finally(() => {
        isDone = true
      })
    expect(await keptIn(store, 'a')).toEqual([false])
    await turns(5)
    expect(isDone).toBe(false)
    other.exec('ROLLBACK')
    expect(await adding).toMatchObject({ quoteId: 'q1' })
  })

  it('fails as a store in trouble when that lock lasts, having done nothing', async () => {
    const dataDir = folder()
    const store = await open(dataDir)
    const other = beside(dataDir)
    other.exec('BEGIN IMMEDIATE')
    fakeTime()
    closers.push(realTime)
    let hasBegun = false
    const work = async () => {
      hasBegun = true
    }
    const failure = expect(store.transaction(work)).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('locked'),
    })
    await advance(2_500)
    await failure
    expect(hasBegun).toBe(false)
  })

  it('ends by itself when its work waits for the store outside of it', async () => {
    const store = await open(folder())
    fakeTime()
    closers.push(realTime)
    const stuck = store.transaction(async (parts) => {
      await parts.swaps.add(newSwap('a'))
      await store.swaps.find('q1', 'a')
    })
    const failure = expect(stuck).rejects.toThrow(StoreError)
    await advance(2_500)
    await failure
    expect(await keptIn(store, 'a')).toEqual([false])
  })

  it('refuses what its work did not wait for', async () => {
    const store = await open(folder())
    const { swaps } = await store.transaction(async (parts) => parts)
    await expect(swaps.add(newSwap('a'))).rejects.toThrow()
    expect(await keptIn(store, 'a')).toEqual([false])
  })

  it('keeps nothing when the disk is full [store-transactions]', async () => {
    // The limit holds for one connection only: that of the store.
    const database = await openDatabase(join(folder(), 'swaps.sqlite'))
    const store = storeOf(database, createTestClock())
    closers.push(() => store.close())
    await sql`PRAGMA max_page_count = 1`.execute(database)
    const vast = { ...swap, order: { text: 'x'.repeat(100_000) } } as unknown as ExecutedSwap
    const work = async ({ swaps }: StoreParts) => {
      await swaps.add(newSwap('a'))
      await swaps.add({ ...newSwap('b'), swap: vast })
    }
    await expect(store.transaction(work)).rejects.toMatchObject({ name: 'StoreError', cause: { code: 'SQLITE_FULL' } })
    expect(await keptIn(store, 'a', 'b')).toEqual([false, false])
  })

  it('keeps nothing of what its work writes after SQLite has undone it', async () => {
    const dataDir = folder()
    const store = await open(dataDir)
    const other = beside(dataDir)
    // What SQLite may do on its own when the disk is full: the statement fails, and with it the whole transaction.
    other.exec(
      `CREATE TRIGGER full BEFORE INSERT ON swaps WHEN new.binding_key = 'full' BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END`,
    )
    const work = async ({ swaps }: StoreParts) => {
      await swaps.add(newSwap('a'))
      await swaps.add(newSwap('full')).catch(() => undefined)
      await swaps.add(newSwap('b')).catch(() => undefined)
    }
    await expect(store.transaction(work)).rejects.toThrow(StoreError)
    expect(await keptIn(store, 'a', 'full', 'b')).toEqual([false, false, false])
    await store.transaction((parts) => parts.swaps.add(newSwap('b')))
    expect(await keptIn(store, 'b')).toEqual([true])
  })

  it('leaves nothing behind when its process is killed in the middle of it [store-transactions]', async () => {
    const dataDir = folder()
    const module = new URL('../../../engine/store/sqliteStore.ts', import.meta.url).href
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(module)})
      const store = await openSqliteStore(${JSON.stringify({ file: join(dataDir, 'swaps.sqlite'), network: 'simnet' })}, { now: () => 1 })
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
    const store = await open(dataDir)
    expect(await keptIn(store, 'a')).toEqual([false])
    await store.transaction((parts) => parts.swaps.add(newSwap('b')))
    expect(await keptIn(store, 'b')).toEqual([true])
  })
})
