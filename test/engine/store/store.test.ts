import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Json } from '../../../engine/core/json.ts'
import type { Payment } from '../../../engine/core/payment.ts'
import { parseTransactionId, type TransactionId } from '../../../engine/core/transactionId.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError, toStoreError } from '../../../engine/store/storeError.ts'
import { readDocument, writeDocument } from '../../../engine/store/swapDocument.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { lacks } from '../../support/needs.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
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

const open = async (file: string): Promise<Store> => {
  const store = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
  closers.push(() => store.close())
  return store
}

it('contacts that were erased are in no file any more [security-contacts-erased]', async () => {
  const path = folder()
  const store = await openSqliteStore({ file: join(path, 'swaps.sqlite'), network: 'simnet' }, createTestClock())
  const partners = Array.from(
    { length: 20 },
    (_, i) => ({ id: `p${i}`, kind: 'selfServe', feeBps: null, requestsPerMinute: null }) as const,
  )
  for (const partner of partners)
    await store.partners.add(partner, { email: `${partner.id}@wallet.example`, blurb: 'x'.repeat(300) })
  await store.partners.eraseContacts('p7')
  await store.close()
  const kept = readdirSync(path)
    .map((name) => readFileSync(join(path, name), 'latin1'))
    .join('')
  expect([kept.includes('p8@wallet.example'), kept.includes('p7@wallet.example')]).toEqual([true, false])
})

describe('the database file', () => {
  it('is made with its folder, for the owner only, and is durable', async () => {
    const file = join(folder(), 'a', 'b', 'swaps.sqlite')
    const database = await openDatabase(file)
    closers.push(() => database.destroy())
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    const { sql } = await import('kysely')
    const pragma = async (name: string) => (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database)).rows[0]
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' })
    expect(await pragma('synchronous')).toEqual({ synchronous: 2 })
  })

  it('is for its owner only, with the files beside it, also when it was not [store-private-files]', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const files = [file, `${file}-wal`, `${file}-shm`]
    const modes = () => files.map((path) => statSync(path).mode & 0o777)
    const first = await open(file)
    await first.swaps.add(await aNewSwap())
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    for (const path of files) chmodSync(path, 0o644)
    await open(file)
    expect(modes()).toEqual([0o600, 0o600, 0o600])
  })

  it('keeps its swaps when it is opened again, and is migrated once', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const first = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
    const added = await first.swaps.add(await aNewSwap())
    await first.close()
    for (let i = 0; i < 2; i += 1) {
      const again = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
      expect(await again.swaps.find('q1', 'a|b')).toEqual(added)
      await again.close()
    }
  })

  it('has its log moved into it beside the service, as far as one grows', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const store = await open(file)
    const sizeOf = (path: string) => statSync(path).size
    const before = sizeOf(file)
    const requestId = 'x'.repeat(100_000)
    await store.transaction(async ({ swaps }) => {
      for (let i = 0; i < 80; i += 1) await swaps.add(await aNewSwap({ bindingKey: `b${i}`, requestId }))
    })
    expect(sizeOf(`${file}-wal`)).toBeGreaterThan(6_000_000)
    // Within a commit SQLite itself would do that for a log eight times as long.
    await expect.poll(() => sizeOf(file) - before, { timeout: 10_000 }).toBeGreaterThan(6_000_000)
    // The next who writes begins it anew.
    let more = 0
    const write = async (): Promise<number> => {
      more += 1
      // What changes nothing is not written.
      await store.swaps.add(await aNewSwap({ bindingKey: `more ${more}` }))
      return sizeOf(`${file}-wal`)
    }
    await expect.poll(write, { timeout: 10_000 }).toBeLessThan(4_300_000)
  })

  it('is shared by two that open it at the same time', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const [a, b] = [await open(file), await open(file)]
    await a.swaps.add(await aNewSwap())
    expect(await b.swaps.find('q1', 'a|b')).not.toBeNull()
  })

  it('gives a payment to one of several that claim it at the same time', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const stores = [await open(file), await open(file), await open(file)] as const
    const ids = await Promise.all(
      stores.map(async ({ swaps }, i) => (await swaps.add(await aNewSwap({ bindingKey: `b${i}` }))).id),
    )
    const txHash = parseTransactionId(1, `0x${'a1'.repeat(32)}`) as TransactionId
    const payment: Payment = {
      kind: 'output',
      chainId: 1,
      txHash,
      place: `${txHash}/log:1`,
      token: NATIVE,
      recipient: WALLETS.evm,
      amount: 1n,
      orderId: null,
      paidAt: null,
      isFinal: false,
    }
    const claimed = await Promise.all(stores.map(({ payments }, i) => payments.claim(ids[i] ?? 0, [payment])))
    expect(claimed.filter(Boolean)).toHaveLength(1)
    const kept = await Promise.all(ids.map((id) => stores[0].payments.ofSwap(id)))
    expect(kept).toEqual(claimed.map((isOwn) => (isOwn ? [payment] : [])))
  })

  it('gives a build to one of two that reserve it at the same time', async () => {
    const file = join(folder(), 'swaps.sqlite')
    const [a, b] = [await open(file), await open(file)]
    const reserve = ({ builds }: Store, owner: string) => builds.reserve({ quoteId: 'q1', bindingKey: 'a|b', owner }, 1_000)
    expect((await Promise.all([reserve(a, 'one'), reserve(b, 'two')])).filter(Boolean)).toHaveLength(1)
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
    const store = await open(file)
    expect(await store.swaps.find('q1', 'a|b')).toBeNull()
  })

  it.skipIf(lacks('linux'))('stops the service when its folder cannot be made, and does not try for ever', async () => {
    await expect(openDatabase('/proc/swap-service/data/swaps.sqlite')).rejects.toThrow(/ENOENT/)
    expect(() => loadOrCreateTokenKey('/proc/swap-service/data')).toThrow(/ENOENT/)
  })

  it('stops the service when it is no database', async () => {
    const file = join(folder(), 'swaps.sqlite')
    writeFileSync(file, 'this is not a database, and long enough to look like one '.repeat(20))
    await expect(openDatabase(file)).rejects.toThrow(/not a database/)
  })
})

describe('a locked database', () => {
  const locked = async () => {
    const file = join(folder(), 'swaps.sqlite')
    const { swaps: store } = await open(file)
    const other = new SQLite(file)
    closers.push(() => void other.close())
    other.exec('BEGIN EXCLUSIVE')
    return { store, other }
  }

  it('lets everything else go on while its calls wait, and serves them when it is free', async () => {
    const { store, other } = await locked()
    const swap = await aNewSwap()
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
    const adding = store.add(await aNewSwap())
    expect(await store.find('q1', 'a|b')).toBeNull()
    other.exec('ROLLBACK')
    expect(await adding).toMatchObject({ quoteId: 'q1' })
  })

  it('costs all the calls that wait too long, each, as a store in trouble', async () => {
    const { store } = await locked()
    const swap = await aNewSwap()
    fakeTime()
    closers.push(realTime)
    const failures = Promise.allSettled(['1', '2', '3'].map((bindingKey) => store.add({ ...swap, bindingKey })))
    await advance(2_500)
    const reason = { name: 'StoreError', message: expect.stringContaining('locked') }
    expect(await failures).toMatchObject(Array(3).fill({ status: 'rejected', reason }))
  })
})

describe('what the store throws', () => {
  const troubles = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']
  const defects = ['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'ENOENT']
  it.each([...troubles, ...defects])('%s: a store in trouble is told from a defect of ours', (code) => {
    const isTrouble = troubles.includes(code)
    const error = Object.assign(new Error('x'), { code })
    expect(toStoreError(error) instanceof StoreError).toBe(isTrouble)
    if (!isTrouble) expect(toStoreError(error)).toBe(error)
  })
})

describe('a stored swap', () => {
  it('reads back as it was written: bigints as bigints, text as text, whatever a venue put into it', async () => {
    const swap = await anExecutedSwap()
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

describe('the quote token key of an installation [store-private-files]', () => {
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
