import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Json } from '../../../engine/core/json.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { readDocument, writeDocument } from '../../../engine/store/swapDocument.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { addTokenKey, loadTokenKeyRing, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
import { aFolder, openFileStore } from '../../support/storeStage.ts'

const aFile = () => join(aFolder(), 'swaps.sqlite')
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
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}`],
  ])('is never replaced when its file holds %s', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content)
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/does not hold a key/)
    expect(() => loadOrCreateTokenKey(dataDir)).not.toThrow(content)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content)
  })

  it('is read from its file, which becomes private', () => {
    const [dataDir, content] = [aFolder(), 'ab'.repeat(32)]
    writeFileSync(fileIn(dataDir), content, { mode: 0o644 })
    expect([loadOrCreateTokenKey(dataDir).reveal(), modeOf(fileIn(dataDir))]).toEqual([content, 0o600])
  })

  it.each(['missing', 'empty'])('is made once by processes that start at the same time when its file is %s', async (was) => {
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

  it('mints with an added key after a rotation, and keeps the replaced key until it is retired', () => {
    const { dataDir, ids, first } = start()
    const second = tokenKeyId(addTokenKey(dataDir, 1))
    expect(ids()).toEqual([first, `added ${second}`])
    rotateTokenKey(dataDir, 2)
    expect(ids()).toEqual([second, `replaced ${first}`])
    expect([retireTokenKey(dataDir, second), retireTokenKey(dataDir, first), ids()]).toEqual([false, true, [second]])
  })

  it('keeps all replaced keys, and has every key once after a crash during a rotation, in private files', () => {
    const { dataDir, others, ids, first } = start()
    rotateTokenKey(dataDir, 1)
    const [second, before] = [ids()[0], readFileSync(fileIn(dataDir), 'utf8')]
    rotateTokenKey(dataDir, 2)
    expect(ids().slice(1)).toEqual([`replaced ${first}`, `replaced ${second}`])
    // The crash came before the new key was in place.
    writeFileSync(fileIn(dataDir), before)
    expect([ids(), modeOf(others)]).toEqual([[second, `replaced ${first}`], 0o600])
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
