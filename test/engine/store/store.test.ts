import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Json } from '../../../engine/core/json.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { StoreError, toStoreError } from '../../../engine/store/storeError.ts'
import { readDocument, writeDocument } from '../../../engine/store/swapDocument.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { lacks } from '../../support/needs.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
import { aFolder, openFileStore } from '../../support/storeStage.ts'

const aFile = () => join(aFolder(), 'swaps.sqlite')
const sizeOf = (path: string) => statSync(path).size
const modeOf = (path: string) => statSync(path).mode & 0o777

it('erased contacts remain in no file of the database [security-contacts-erased]', async () => {
  const path = aFolder()
  const store = await openFileStore(join(path, 'swaps.sqlite'))
  for (let i = 0; i < 20; i += 1) {
    const contacts = { email: `p${i}@wallet.example`, blurb: 'x'.repeat(300) }
    await store.partners.add({ id: `p${i}`, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, contacts)
  }
  await store.partners.eraseContacts('p7')
  await store.close()
  const kept = readdirSync(path).map((name) => readFileSync(join(path, name), 'latin1'))
  expect(['p8', 'p7'].map((id) => kept.join('').includes(`${id}@wallet.example`))).toEqual([true, false])
})

describe('the database file', () => {
  it('and the files beside it are readable by their owner only, also when they were not before [store-private-files]', async () => {
    const file = join(aFolder(), 'a', 'b', 'swaps.sqlite')
    const files = [file, `${file}-wal`, `${file}-shm`]
    const modes = () => files.map(modeOf)
    await (await openFileStore(file)).swaps.add(await aNewSwap())
    expect([modeOf(join(file, '..')), ...modes()]).toEqual([0o700, 0o600, 0o600, 0o600])
    for (const path of files) chmodSync(path, 0o644)
    await openFileStore(file)
    expect(modes()).toEqual([0o600, 0o600, 0o600])
  })

  it('survives a power cut: each commit is synced to the log', async () => {
    const database = await openDatabase(aFile())
    onTestFinished(() => database.destroy())
    const pragma = async (name: string) => (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database)).rows[0]
    expect([await pragma('journal_mode'), await pragma('synchronous')]).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }])
  })

  it('takes over its log while the service runs, and the log stays short', async () => {
    const file = aFile()
    const store = await openFileStore(file)
    const before = sizeOf(file)
    const requestId = 'x'.repeat(100_000)
    await store.transaction(async ({ swaps }) => {
      for (let i = 0; i < 80; i += 1) await swaps.add(await aNewSwap({ bindingKey: `b${i}`, requestId }))
    })
    expect(sizeOf(`${file}-wal`)).toBeGreaterThan(6_000_000)
    // Within a commit SQLite itself would do that for a log eight times as long.
    await expect.poll(() => sizeOf(file) - before, { timeout: 10_000 }).toBeGreaterThan(6_000_000)
    let more = 0
    const write = async (): Promise<number> => {
      more += 1
      await store.swaps.add(await aNewSwap({ bindingKey: `more ${more}` }))
      return sizeOf(`${file}-wal`)
    }
    await expect.poll(write, { timeout: 10_000 }).toBeLessThan(4_300_000)
  })

  it('is opened by several processes that create it at the same time', async () => {
    const file = aFile()
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => openFileStore(file)))
    expect(opened.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
  })

  it('is unchanged after an interrupted migration, which the next start completes', async () => {
    const file = aFile()
    const other = new SQLite(file)
    // The disk takes the change of the first migration, and not the record of it.
    other.exec(`
      CREATE TABLE kysely_migration (name varchar(255) NOT NULL PRIMARY KEY, timestamp varchar(255) NOT NULL);
      CREATE TRIGGER full BEFORE INSERT ON kysely_migration BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`)
    await expect(openDatabase(file)).rejects.toThrow(/disk is full/)
    other.exec('DROP TRIGGER full')
    other.close()
    expect(await (await openFileStore(file)).swaps.find('q1', 'a|b')).toBeNull()
  })

  it.skipIf(lacks('linux'))('stops the start when its folder cannot be made', async () => {
    await expect(openDatabase('/proc/swap-service/data/swaps.sqlite')).rejects.toThrow(/ENOENT/)
    expect(() => loadOrCreateTokenKey('/proc/swap-service/data')).toThrow(/ENOENT/)
  })

  it('stops the start when it is no database', async () => {
    const file = aFile()
    writeFileSync(file, 'this is not a database, and long enough to look like one '.repeat(20))
    await expect(openDatabase(file)).rejects.toThrow(/not a database/)
  })
})

it.each([
  ...['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].map((code) => [
    code,
    true,
  ]),
  ...['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'ENOENT'].map((code) => [code, false]),
])('the error %s counts as a failure of the store: %s', (code, isFailure) => {
  const error = Object.assign(new Error('x'), { code })
  const converted = toStoreError(error)
  expect([converted instanceof StoreError, converted === error]).toEqual([isFailure, !isFailure])
})

it('a stored swap reads back as it was written, whatever JSON a venue put into it', async () => {
  const swap = await anExecutedSwap()
  const key = fc.oneof(fc.string(), fc.constantFrom('$bigint', '$', '__proto__', 'toJSON'))
  const text = fc.oneof(fc.string(), fc.constantFrom('$1', '$$1', '$', '$-1', '$bigint', '123n'))
  const { value } = fc.letrec<{ value: Json }>((tie) => {
    const list = fc.array(tie('value'), { maxLength: 4 })
    const object = fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Json)
    return { value: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.boolean(), fc.constant(null), list, object) }
  })
  const readsBack = fc.property(value, value, fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (evidence, carry, amount) => {
    const kept = { ...swap, execution: { ...swap.execution, evidence, carry, outputAmount: toAmount(amount) } }
    expect(readDocument(writeDocument(kept))).toEqual(kept)
  })
  fc.assert(readsBack, { numRuns: 500 })
})

const fileIn = (dataDir: string): string => join(dataDir, 'quote-token.key')

describe('the quote token key of an installation [store-private-files]', () => {
  it('is made once, for its owner only, and differs between installations', () => {
    const dataDir = join(aFolder(), 'deep', 'data')
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect([modeOf(fileIn(dataDir)), modeOf(dataDir)]).toEqual([0o600, 0o700])
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(key)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(`${key}\n`)
    expect(readdirSync(dataDir)).toEqual(['quote-token.key'])
    expect(loadOrCreateTokenKey(aFolder()).reveal()).not.toBe(key)
  })

  it.each([
    ['a cut key', 'ab'.repeat(31)],
    ['another text', 'not a key'],
    ['a key in capitals', 'AB'.repeat(32)],
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}`],
  ])('is never replaced when its file holds %s', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content)
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/does not hold a key/)
    expect(() => loadOrCreateTokenKey(dataDir)).not.toThrow(content)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content)
  })

  it('is not made when its place is a folder', () => {
    const dataDir = aFolder()
    mkdirSync(fileIn(dataDir))
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow()
  })

  it.each([
    ['fills an empty file, which an earlier start left on a full disk,', ''],
    ['is read from a file', 'ab'.repeat(32)],
  ])('%s and makes the file private', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content, { mode: 0o644 })
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(readFileSync(fileIn(dataDir), 'utf8').trim()).toBe(key)
    if (content !== '') expect(key).toBe(content)
    expect([modeOf(fileIn(dataDir)), loadOrCreateTokenKey(dataDir).reveal()]).toEqual([0o600, key])
  })

  it.each(['missing', 'empty'])('is the same for processes that start at once when its file is %s', async (was) => {
    const dataDir = join(aFolder(), 'data')
    if (was === 'empty') {
      mkdirSync(dataDir)
      writeFileSync(fileIn(dataDir), '')
    }
    const module = new URL('../../../engine/store/tokenKeyFile.ts', import.meta.url).href
    const program = `
      const { loadOrCreateTokenKey } = await import(${JSON.stringify(module)})
      while (Date.now() < ${Date.now() + 1_000}) {}
      process.stdout.write(loadOrCreateTokenKey(${JSON.stringify(dataDir)}).reveal())`
    const run = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
      return (await child.stdout.toArray()).join('')
    }
    const keys = await Promise.all(Array.from({ length: 4 }, run))
    expect(new Set(keys)).toEqual(new Set([readFileSync(fileIn(dataDir), 'utf8').trim()]))
  })
})
