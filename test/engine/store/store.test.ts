import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Json } from '../../../engine/core/json.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import type { Database } from '../../../engine/store/schema.ts'
import { StoreError, toStoreError } from '../../../engine/store/storeError.ts'
import { readDocument, writeDocument } from '../../../engine/store/swapDocument.ts'
import { createSwapStore, type NewSwap } from '../../../engine/store/swaps.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../../support/fakeVenue.ts'
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

const open = async (file = ':memory:'): Promise<Database> => {
  const database = await openDatabase(file)
  closers.push(() => database.destroy())
  return database
}

const aSwap = async (wish: Partial<ExecutedSwap['execution']> = {}): Promise<ExecutedSwap> => {
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: () => 0 })
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const offer = await venue.quote(order, new AbortController().signal)
  const binding = { recipient: WALLETS.evm, refundTo: WALLETS.evm }
  const execution = await venue.execute({ order, offer }, binding, new AbortController().signal)
  return { order, offer, binding, execution: { ...execution, ...wish } }
}

const newSwap = async (wish: Partial<NewSwap> = {}): Promise<NewSwap> => ({
  quoteId: 'q1',
  bindingKey: 'a|b',
  partnerId: 'partner',
  isSandbox: false,
  ref: 'ref-1',
  swap: await aSwap(),
  ...wish,
})

describe('the swap store', () => {
  it('gives back what was added, all of it', async () => {
    const clock = createTestClock()
    const store = createSwapStore(await open(), clock)
    const wish = await newSwap({ isSandbox: true, partnerId: null, ref: null })
    const added = await store.add(wish)
    expect(added).toEqual({
      id: expect.any(Number),
      quoteId: 'q1',
      partnerId: null,
      isSandbox: true,
      ref: null,
      swap: wish.swap,
      status: { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null },
      isFollowed: false,
      postingAt: null,
      submittedAt: null,
      createdAt: clock.at,
    })
    expect(await store.byId(added.id)).toEqual(added)
    expect([await store.isOfAnotherQuote('ref-1', 'q1'), await store.isOfAnotherQuote('ref-1', 'q2')]).toEqual([false, false])
    expect(await store.find('q1', 'a|b')).toEqual(added)
    expect(await store.find('q1', 'b|a')).toBeNull()
    expect(await store.find('q2', 'a|b')).toBeNull()
  })

  it('keeps the first of two for the same quote and binding, and tells the second so', async () => {
    const store = createSwapStore(await open(), createTestClock())
    const first = await store.add(await newSwap())
    const second = await store.add(await newSwap({ ref: 'ref-2', swap: await aSwap({ venueRef: 'other' }) }))
    expect(second).toEqual(first)
    expect(await store.ofQuote('q1')).toEqual([first])
  })

  it('lists the executions of one quote, newest first', async () => {
    const store = createSwapStore(await open(), createTestClock())
    for (const bindingKey of ['1', '2', '3']) await store.add(await newSwap({ bindingKey, ref: bindingKey }))
    await store.add(await newSwap({ quoteId: 'q2' }))
    expect((await store.ofQuote('q1')).map(({ ref }) => ref)).toEqual(['3', '2', '1'])
    expect(await store.ofQuote('none')).toEqual([])
  })

  it('remembers when a signature was handed over and what the venue calls the order', async () => {
    const clock = createTestClock()
    const store = createSwapStore(await open(), clock)
    const { id } = await store.add(await newSwap({ ref: null }))
    clock.at += 5
    await store.setSubmitted(id, 'order-1')
    expect(await store.find('q1', 'a|b')).toMatchObject({ ref: 'order-1', submittedAt: clock.at, createdAt: clock.at - 5 })
  })

  it('reserves a swap for its signature, which follows nothing yet', async () => {
    const clock = createTestClock()
    const store = createSwapStore(await open(), clock)
    const { id } = await store.add(await newSwap())
    clock.at += 5
    await store.setPosting(id)
    expect(await store.byId(id)).toMatchObject({ postingAt: clock.at, submittedAt: null, isFollowed: false, ref: 'ref-1' })
  })

  it('remembers the last status with amounts beyond any number', async () => {
    const store = createSwapStore(await open(), createTestClock())
    const { id } = await store.add(await newSwap())
    const status = statusOf('processing', { deliveredAmount: toAmount((1n << 256n) - 1n), txHash: '0xab' })
    await store.setStatus(id, status, 'ref-9')
    expect(await store.find('q1', 'a|b')).toMatchObject({ status, ref: 'ref-9' })
    await store.setStatus(id, statusOf('pending', { venueStatus: null }), 'ref-9')
    expect((await store.find('q1', 'a|b'))?.status).toEqual({
      state: 'pending',
      venueStatus: null,
      deliveredAmount: null,
      txHash: null,
    })
  })

  it('changes one swap at a time', async () => {
    const store = createSwapStore(await open(), createTestClock())
    const [a, b] = [await store.add(await newSwap()), await store.add(await newSwap({ bindingKey: 'other' }))]
    await store.setStatus(a.id, statusOf('success'), 'x')
    await store.setSubmitted(a.id, 'x')
    expect(await store.find('q1', 'other')).toEqual(b)
  })

  it('says when it cannot be read', async () => {
    const database = await open()
    const store = createSwapStore(database, createTestClock())
    await store.probe()
    await database.schema.dropTable('swaps').execute()
    await expect(store.probe()).rejects.toThrow(/swaps/)
  })
})

describe('the database file', () => {
  it('is made with its folder, for the owner only, and is durable', async () => {
    const file = join(folder(), 'a', 'b', 'swaps.sqlite')
    const database = await open(file)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    const { sql } = await import('kysely')
    const pragma = async (name: string) => (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database)).rows[0]
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' })
    expect(await pragma('synchronous')).toEqual({ synchronous: 2 })
  })

  it('is for its owner only, with the files beside it, also when it was not', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const files = [file, `${file}-wal`, `${file}-shm`]
    const modes = () => files.map((path) => statSync(path).mode & 0o777)
    const first = await open(file)
    await createSwapStore(first, createTestClock()).add(await newSwap())
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    for (const path of files) chmodSync(path, 0o644)
    await open(file)
    expect(modes()).toEqual([0o600, 0o600, 0o600])
  })

  it('keeps its swaps when it is opened again, and is migrated once', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const first = await openDatabase(file)
    const added = await createSwapStore(first, createTestClock()).add(await newSwap())
    await first.destroy()
    for (let i = 0; i < 2; i += 1) {
      const again = await openDatabase(file)
      expect(await createSwapStore(again, createTestClock()).find('q1', 'a|b')).toEqual(added)
      await again.destroy()
    }
  })

  it('is shared by two that open it at the same time', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const [a, b] = [await open(file), await open(file)]
    await createSwapStore(a, createTestClock()).add(await newSwap())
    expect(await createSwapStore(b, createTestClock()).find('q1', 'a|b')).not.toBeNull()
  })

  it('is opened by several that make it at the same time', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => open(file)))
    expect(opened.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
  })

  it('is as it was when a start is broken off in the middle of a migration, and the next start brings it up to date', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const other = new SQLite(file)
    // As on a disk that still takes the change of the first migration, and not the note of it.
    other.exec(`
      CREATE TABLE kysely_migration (name varchar(255) NOT NULL PRIMARY KEY, timestamp varchar(255) NOT NULL);
      CREATE TRIGGER full BEFORE INSERT ON kysely_migration BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`)
    await expect(openDatabase(file)).rejects.toThrow(/disk is full/)
    other.exec('DROP TRIGGER full')
    other.close()
    const store = createSwapStore(await open(file), createTestClock())
    expect(await store.find('q1', 'a|b')).toBeNull()
  })

  it.skipIf(process.platform !== 'linux')(
    'stops the service when its folder cannot be made, and does not try for ever',
    async () => {
      await expect(openDatabase('/proc/swap-service/data/swaps.sqlite')).rejects.toThrow(/ENOENT/)
      expect(() => loadOrCreateTokenKey('/proc/swap-service/data')).toThrow(/ENOENT/)
    },
  )

  it('stops the service when it is no database', async () => {
    const file = join(folder(), 'swaps.sqlite')
    writeFileSync(file, 'this is not a database, and long enough to look like one '.repeat(20))
    await expect(openDatabase(file)).rejects.toThrow(/not a database/)
  })
})

describe('a locked database', () => {
  const locked = async () => {
    const file = join(folder(), 'swaps.sqlite')
    const store = createSwapStore(await open(file), createTestClock())
    const other = new SQLite(file)
    closers.push(() => void other.close())
    other.exec('BEGIN EXCLUSIVE')
    return { store, other }
  }

  it('lets everything else go on while its calls wait, and serves them when it is free', async () => {
    const { store, other } = await locked()
    const swap = await newSwap()
    let settled = 0
    const calls = Array.from({ length: 6 }, (_, i) =>
      store.add({ ...swap, bindingKey: String(i) }).finally(() => {
        settled += 1
      }),
    )
    for (const call of calls) call.catch(() => undefined)
    // Twice around the event loop: a call that waits in its way has ended by then.
    for (let i = 0; i < 2; i += 1) await new Promise((resolve) => setTimeout(resolve))
    expect(settled).toBe(0)
    other.exec('ROLLBACK')
    expect((await Promise.all(calls)).map(({ quoteId }) => quoteId)).toEqual(Array(6).fill('q1'))
  })

  it('keeps nobody from reading', async () => {
    const { store, other } = await locked()
    const adding = store.add(await newSwap())
    expect(await store.find('q1', 'a|b')).toBeNull()
    other.exec('ROLLBACK')
    expect(await adding).toMatchObject({ quoteId: 'q1' })
  })

  it('costs all the calls that wait too long, each, as a store in trouble', async () => {
    const { store } = await locked()
    const swap = await newSwap()
    fakeTime()
    closers.push(realTime)
    const failures = Promise.allSettled(['1', '2', '3'].map((bindingKey) => store.add({ ...swap, bindingKey })))
    await advance(2_500)
    const reason = { name: 'StoreError', message: expect.stringContaining('locked') }
    expect(await failures).toMatchObject(Array(3).fill({ status: 'rejected', reason }))
  })
})

describe('what the store throws', () => {
  it.each([
    ['SQLITE_FULL', true],
    ['SQLITE_IOERR_WRITE', true],
    ['SQLITE_BUSY_SNAPSHOT', true],
    ['SQLITE_READONLY', true],
    ['SQLITE_CANTOPEN', true],
    ['SQLITE_ERROR', false],
    ['SQLITE_CONSTRAINT_UNIQUE', false],
    ['ENOENT', false],
  ])('%s: a store in trouble is told from a defect of ours (%s)', (code, isTrouble) => {
    const error = Object.assign(new Error('x'), { code })
    expect(toStoreError(error) instanceof StoreError).toBe(isTrouble)
    if (!isTrouble) expect(toStoreError(error)).toBe(error)
  })
})

describe('a stored swap', () => {
  it('reads back as it was written: bigints as bigints, text as text, whatever a venue put into it', async () => {
    const swap = await aSwap()
    const key = fc.oneof(fc.string(), fc.constantFrom('$bigint', '$', '__proto__', 'toJSON'))
    const text = fc.oneof(fc.string(), fc.constantFrom('$1', '$$1', '$', '$-1', '$bigint', '123n'))
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Json),
      ),
    }))
    fc.assert(
      fc.property(value, value, fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (evidence, carry, amount) => {
        const kept = { ...swap, execution: { ...swap.execution, evidence, carry, outputAmount: toAmount(amount) } }
        expect(readDocument(writeDocument(kept))).toEqual(kept)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the quote token key of an installation', () => {
  const fileIn = (dataDir: string): string => join(dataDir, 'quote-token.key')

  it('is made once, for its owner only, and is the same ever after', () => {
    const dataDir = join(folder(), 'deep', 'data')
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(key)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(`${key}\n`)
    expect(readdirSync(dataDir)).toEqual(['quote-token.key'])
  })

  it('is another one for another installation', () => {
    expect(loadOrCreateTokenKey(folder()).reveal()).not.toBe(loadOrCreateTokenKey(folder()).reveal())
  })

  it.each([
    ['cut short', 'ab'.repeat(31)],
    ['something else', 'not a key'],
    ['in capitals', 'AB'.repeat(32)],
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}`],
  ])('is never made up anew over a file that is %s', (_what, content) => {
    const dataDir = folder()
    writeFileSync(fileIn(dataDir), content)
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/does not hold a key/)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content)
    expect(() => loadOrCreateTokenKey(dataDir)).not.toThrow(content)
  })

  it('is not made where it cannot be', () => {
    const dataDir = folder()
    mkdirSync(fileIn(dataDir))
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow()
  })

  it('is made in the place of an empty file, which never sealed anything: an earlier start met a full disk', () => {
    const dataDir = folder()
    writeFileSync(fileIn(dataDir), '', { mode: 0o644 })
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(`${key}\n`)
    expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600)
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(key)
  })

  it('is taken from everybody but its owner', () => {
    const dataDir = folder()
    writeFileSync(fileIn(dataDir), 'ab'.repeat(32), { mode: 0o644 })
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe('ab'.repeat(32))
    expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600)
  })

  it.each(['missing', 'empty'])('is one and the same for processes that start at once, whose file is %s', async (was) => {
    const dataDir = join(folder(), 'data')
    if (was === 'empty') {
      mkdirSync(dataDir)
      writeFileSync(fileIn(dataDir), '')
    }
    const module = new URL('../../../engine/store/tokenKeyFile.ts', import.meta.url).href
    const startAt = Date.now() + 1_000
    const program = `
      const { loadOrCreateTokenKey } = await import(${JSON.stringify(module)})
      while (Date.now() < ${startAt}) {}
      process.stdout.write(loadOrCreateTokenKey(${JSON.stringify(dataDir)}).reveal())`
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', program])
        let [out, complaint] = ['', '']
        child.stdout.on('data', (data) => {
          out += data
        })
        child.stderr.on('data', (data) => {
          complaint += data
        })
        child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(complaint))))
      })
    const keys = await Promise.all(Array.from({ length: 4 }, run))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toBe(readFileSync(fileIn(dataDir), 'utf8').trim())
  })
})
