import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { storeOf } from '../../../engine/store/sqliteStore.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { readDocument, writeDocument } from '../../../engine/store/swapDocument.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { addTokenKey, loadTokenKeyRing, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore, turns } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const aFile = () => join(aFolder(), 'swaps.sqlite')
const modeOf = (path: string) => statSync(path).mode & 0o777

const startProgram = (module: string, program: string) => {
  const { href } = new URL(`../../../engine/store/${module}.ts`, import.meta.url)
  const text = `const store = await import(${JSON.stringify(href)})\n${program}`
  return spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
}

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
})

const swap = await aNewSwap()

const newSwap = (bindingKey: string) => ({ ...swap, bindingKey })

const storedIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
  Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

/** A store over a file, and the connection of another process to it. */
const startBoth = async () => {
  const file = aFile()
  return { store: await openFileStore(file), other: closing(new SQLite(file)) }
}

describe('a transaction in a SQLite file', () => {
  it('keeps nothing when the disk is full, also of what its work writes after SQLite undid it [store-transactions]', async () => {
    const database = await openDatabase(aFile())
    const full = closing(storeOf(database, createTestClock()))
    await sql`PRAGMA max_page_count = 1`.execute(database)
    const tooLong = { ...newSwap('a'), requestId: 'x'.repeat(100_000) }
    await expect(full.transaction(({ swaps }) => swaps.add(tooLong))).rejects.toThrow(StoreError)
    expect(await storedIn(full, 'a')).toEqual([false])
    const { store, other } = await startBoth()
    // On a full disk SQLite may roll back the whole transaction with the failed statement.
    other.exec(`CREATE TRIGGER t BEFORE INSERT ON swaps WHEN new.binding_key = 'full' BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
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
    const file = aFile()
    const child = startProgram(
      'sqliteStore',
      `const { transaction } = await store.openSqliteStore(${JSON.stringify({ file, network: 'simnet' })}, { now: () => 1 })
      await transaction(async ({ builds }) => {
        await builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'one' }, 1_000)
        process.stdout.write('written')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`,
    )
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
  const { store, other } = await startBoth()
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

it('a stored swap reads back as it was written, whatever JSON a venue put into it', async () => {
  const { execution, ...swap } = await anExecutedSwap()
  const texts = ['$1', '$$1', '$', '$-1', '$bigint', '123n', '\ud800']
  const nested = { $bigint: '1', $: { $bigint: ['$2', null, true, 1.5] }, toJSON: 'x', ['__proto__']: { $bigint: '3' } }
  for (const carry of [nested, texts, ...texts, {}, null]) {
    const kept = { ...swap, execution: { ...execution, evidence: carry, carry, outputAmount: toAmount((1n << 256n) - 1n) } }
    expect(readDocument(writeDocument(kept))).toEqual(kept)
  }
})

const fileIn = (dataDir: string): string => join(dataDir, 'quote-token.key')

describe('the quote token key of an installation [store-private-files]', () => {
  it('is made once, differs between installations, and its file is or becomes readable by its owner only', () => {
    const dataDir = join(aFolder(), 'deep', 'data')
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect([modeOf(fileIn(dataDir)), modeOf(dataDir)]).toEqual([0o600, 0o700])
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(key)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(`${key}\n`)
    expect(readdirSync(dataDir)).toEqual(['quote-token.key'])
    expect(loadOrCreateTokenKey(aFolder()).reveal()).not.toBe(key)
    writeFileSync(fileIn(dataDir), 'ab'.repeat(32))
    chmodSync(fileIn(dataDir), 0o644)
    expect([loadOrCreateTokenKey(dataDir).reveal(), modeOf(fileIn(dataDir))]).toEqual(['ab'.repeat(32), 0o600])
  })

  it.each([
    ['a cut key', 'ab'.repeat(31)],
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}`],
  ])('is never replaced when its file holds %s', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content)
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/does not hold a key/)
    expect(() => loadOrCreateTokenKey(dataDir)).not.toThrow(content)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content)
  })

  it.each(['missing', 'empty'])('is made once by processes that start at the same time when its file is %s', async (was) => {
    const dataDir = join(aFolder(), 'data')
    if (was === 'empty') {
      mkdirSync(dataDir)
      writeFileSync(fileIn(dataDir), '')
    }
    const program = `
      while (Date.now() < ${Date.now() + 1_000}) {}
      process.stdout.write(store.loadOrCreateTokenKey(${JSON.stringify(dataDir)}).reveal())`
    const run = async () => (await startProgram('tokenKeyFile', program).stdout.toArray()).join('')
    const keys = await Promise.all(Array.from({ length: 4 }, run))
    expect(new Set(keys)).toEqual(new Set([readFileSync(fileIn(dataDir), 'utf8').trim()]))
  })
})

describe('the ring of quote token keys', () => {
  const start = () => {
    const dataDir = aFolder()
    const ids = () => {
      const ring = loadTokenKeyRing(dataDir)
      return [tokenKeyId(ring.minting), ...ring.opening.map(({ key, kind }) => `${kind} ${tokenKeyId(key)}`)]
    }
    const [first = ''] = ids()
    return { dataDir, others: join(dataDir, 'quote-token-others.key'), ids, first }
  }

  it('mints with an added key after a rotation, and keeps replaced keys until they are retired, also after a crash', () => {
    const { dataDir, others, ids, first } = start()
    const second = tokenKeyId(addTokenKey(dataDir, 1))
    expect(ids()).toEqual([first, `added ${second}`])
    rotateTokenKey(dataDir, 2)
    expect([ids(), modeOf(others)]).toEqual([[second, `replaced ${first}`], 0o600])
    const before = readFileSync(fileIn(dataDir), 'utf8')
    rotateTokenKey(dataDir, 3)
    const [third = ''] = ids()
    expect(ids()).toEqual([third, `replaced ${first}`, `replaced ${second}`])
    expect([retireTokenKey(dataDir, third), retireTokenKey(dataDir, first)]).toEqual([false, true])
    // The crash came before the new key was in place.
    writeFileSync(fileIn(dataDir), before)
    expect(ids()).toEqual([second])
  })

  it('refuses a second command at the same time, and a file with a line that is no key', () => {
    const { dataDir, others } = start()
    const lock = join(dataDir, 'quote-token.lock')
    writeFileSync(lock, '')
    expect(() => addTokenKey(dataDir, 1)).toThrow('another command changes the token keys')
    rmSync(lock)
    addTokenKey(dataDir, 1)
    writeFileSync(others, `${readFileSync(others, 'utf8')}half a li`)
    expect(() => loadTokenKeyRing(dataDir)).toThrow('holds a line that is no key')
  })
})
