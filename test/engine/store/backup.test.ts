import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkName } from '../../../engine/core/networkName.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { readRecords, type StorePlace } from '../../../engine/store/inspectStore.ts'
import { openStore } from '../../../engine/store/openStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { anEvent } from '../../support/hookStage.ts'
import { landedFile } from '../../support/landedRecords.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { aFolder, closing } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

type Place = StorePlace & { readonly network: NetworkName }

const inSqlite = async (): Promise<Place> => ({ dataDir: aFolder(), database: { url: null, poolMax: 4 }, network: 'mainnet' })

const inPostgres = async (): Promise<Place> => {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return { dataDir: join(aFolder(), 'unused'), database: { url: new Secret(url), poolMax: 4 }, network: 'mainnet' }
}

const PLACES = { SQLite: inSqlite, PostgreSQL: inPostgres } as const
const PAIRS = Object.entries(PLACES).flatMap(([from, make]) =>
  Object.entries(PLACES).map(([to, makeOther]) => [from, to, make, makeOther] as const),
)

const open = async (place: Place): Promise<Store> => closing(await openStore(place, createTestClock()))
const aBackup = () => join(aFolder(), 'backup.sqlite')

/** Runs a command of the operator in a process of its own. */
const run = async (name: 'backup' | 'restore', file: string, env: { readonly [name: string]: string | undefined }, cwd = '.') => {
  const script = new URL(`../../../scripts/operator/${name}.ts`, import.meta.url).pathname
  const child = spawn(process.execPath, [script, file], {
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  const said = (await child.stderr.setEncoding('utf8').toArray()).join('')
  return { code: (await closed)[0], said }
}

const envOf = ({ dataDir, database: { url } }: StorePlace) => ({ DATA_DIR: dataDir, DATABASE_URL: url?.reveal() })

/** Rows in each table, and more events than one batch copies. */
const fill = async (store: Store): Promise<void> => {
  const { swaps, payments, broadcasts, swapKeys, partners, apiKeys, builds, leases } = store
  for (let i = 0; i < 3; i += 1) {
    const ref = `ref\u{1f4b8}${i}`
    const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref }))
    await swaps.setStatus(id, statusOf('success', { txHash: 'é' }), ref)
    await payments.claim(id, [aPayment(i, { amount: (1n << 256n) - 1n, paidAt: Date.UTC(9999, 11, 31) })])
    await broadcasts.claim(id, { txHash: `tx-${i}`, untilHeight: 300_000_000 })
    await swapKeys.claim({ swapId: id, venue: 'toy', kind: 'address', value: `x${i}`, until: null })
  }
  await partners.add({ id: 'p1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
  await apiKeys.add({ hash: 'ab'.repeat(32), partnerId: 'p1', hint: 'swk_ab' })
  await partners.addPayoutAddress('p1', { ecosystem: 'evm', address: '0x1', countsFrom: 5 })
  const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 1n << 200n } as const
  const lines = [line, { ...line, account: 'partner:p1', side: 'credit' }] as const
  await store.transaction(async ({ partnerEvents, ledger }) => {
    for (let i = 0; i < 1_100; i += 1) await partnerEvents.add(anEvent('p1', { swapId: 1, document: { a: [1, null, 'x'] } }))
    await ledger.book({ key: 'fee:1', kind: 'fee', swapId: 1, document: {}, lines })
  })
  await builds.reserve({ quoteId: 'q9', bindingKey: 'b', owner: 'one' }, 1_000)
  await leases.take('settlement', 'one', 1_000)
}

/** The rows of each table of a backup, without facts about its place. */
const recordsOf = (file: string): { readonly [table: string]: readonly unknown[] } => {
  const sqlite = new SQLite(file, { readonly: true })
  const all = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite_%'`
  const names = (sqlite.prepare(all).pluck().all() as string[]).filter((name) => name !== 'store_facts')
  const rowsOf = (name: string) =>
    sqlite
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => JSON.stringify(row))
      .sort()
  const records = Object.fromEntries(names.map((name) => [name, rowsOf(name)]))
  sqlite.close()
  return records
}

it.each(PAIRS)('a backup of %s restores into %s with all records, and ids continue [store-backup-restore]', async (...pair) => {
  const [, , makePlace, makeOther] = pair
  const [place, other, file, again] = [await makePlace(), await makeOther(), aBackup(), aBackup()]
  const store = await open(place)
  await fill(store)
  const { partnerEvents } = store
  const events = await partnerEvents.ofPartner('p1', { afterPlace: 0, limit: 2_000 })
  const last = events.at(-1)
  // The newest events are deleted, and a reader may have seen their numbers.
  await store.transaction(async (parts) => {
    for (const { id } of events.slice(-50)) await parts.partnerEvents.start(id)
  })
  await partnerEvents.deleteBefore(createTestClock().now() + 1)
  expect([await backUp(place, file), await restore(other, file)]).toEqual([3, 3])
  expect((await readRecords(other)).network).toBe('mainnet')
  const restored = await open(other)
  await backUp(other, again)
  expect(recordsOf(again)).toEqual(recordsOf(file))
  expect(Object.values(recordsOf(file)).filter((rows) => rows.length > 0).length).toBeGreaterThan(10)
  expect(await restored.swaps.ofQuote('q1')).toEqual(await store.swaps.ofQuote('q1'))
  expect(await restored.ledger.balancesOf('p1')).toEqual(await store.ledger.balancesOf('p1'))
  expect(await restored.ledger.rawBalances()).toHaveLength(1)
  await restored.partnerEvents.add(anEvent('p1', { delivery: 'none' }))
  const added = (await restored.partnerEvents.ofPartner('p1', { afterPlace: 0, limit: 2_000 })).at(-1)
  expect([added?.id, added?.place]).toEqual([(last?.id ?? 0) + 1, (last?.place ?? 0) + 1])
  expect((await restored.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(4)
})

describe.each(Object.entries(PLACES))('a backup of %s', (_from, makePlace) => {
  it('is a snapshot of one moment while the service writes, by the operator commands', async () => {
    const [place, other, file] = [await makePlace(), await makePlace(), aBackup()]
    const store = await open(place)
    let [isDone, written] = [false, 0]
    const writing = (async () => {
      for (; !isDone; written += 1) {
        await store.transaction(async ({ swaps, payments }) => {
          const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${written}` }))
          await payments.claim(id, [aPayment(written)])
        })
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await expect.poll(() => written).toBeGreaterThan(20)
    const backup = await run('backup', file, envOf(place))
    isDone = true
    await writing
    const { swaps: { length } = [], payments } = recordsOf(file)
    expect(backup).toEqual({ code: 0, said: `Backed up ${length} swaps into ${file}\n` })
    expect(length).toBeGreaterThan(20)
    expect(length).toBeLessThan(written)
    expect(payments).toHaveLength(length)
    const into = other.database.url === null ? other.dataDir : 'the database that DATABASE_URL names'
    const said = `Restored ${length} swaps of mainnet from ${file} into ${into}\n`
    expect(await run('restore', file, envOf(other))).toEqual({ code: 0, said })
    expect(await (await open(other)).swaps.ofQuote('q1')).toHaveLength(length)
  })

  it('is one private file, replaces no file, and its time is recorded', async () => {
    const [place, to] = [await makePlace(), aFolder()]
    const file = join(to, 'backup.sqlite')
    const { swaps, operator } = await open(place)
    const recordedAt = async () => (await operator.backlog(0)).backedUpAt
    await swaps.add(await aNewSwap())
    expect(await recordedAt()).toBeNull()
    await backUp(place, file)
    const at = await recordedAt()
    expect(at).toBeGreaterThan(Date.now() - 60_000)
    expect([readdirSync(to), statSync(file).mode & 0o777]).toEqual([['backup.sqlite'], 0o600])
    const before = readFileSync(file)
    await expect(backUp(place, file)).rejects.toThrow(`${file} is there already`)
    expect([readFileSync(file).equals(before), await recordedAt()]).toEqual([true, at])
  })

  it('is not restored over records, and only a whole backup of this version is restored', async () => {
    const [place, other, file] = [await makePlace(), await makePlace(), aBackup()]
    const store = await open(place)
    await store.transaction(async ({ swaps }) => {
      for (let i = 0; i < 200; i += 1) await swaps.add(await aNewSwap({ bindingKey: `b${i}` }))
    })
    await backUp(place, file)
    await expect(restore(place, file)).rejects.toThrow(/already/)
    expect(await store.swaps.ofQuote('q1')).toHaveLength(200)

    const bad = (make: (path: string) => void): string => {
      const path = join(aFolder(), 'bad.sqlite')
      make(path)
      return path
    }
    const landed = landedFile()
    onTestFinished(landed.remove)
    const before = await landed.contents()
    for (const [path, message] of [
      [
        bad((path) => {
          copyFileSync(file, path)
          truncateSync(path, Math.floor(statSync(file).size / 8_192) * 4_096)
        }),
        /malformed|damaged/,
      ],
      [bad((path) => writeFileSync(path, 'not a database, and long enough to look like one'.repeat(30))), /not a database/],
      [bad((path) => void new SQLite(path).exec('CREATE TABLE other (a)').close()), /holds no records of this service/],
      [
        bad((path) => {
          copyFileSync(file, path)
          const tomorrow = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z');`
          const needs = `UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`
          new SQLite(path).exec(tomorrow + needs).close()
        }),
        /newer version/,
      ],
      ['/nowhere/at.all', /there is no/],
      [landed.file, /holds records of an earlier build/],
    ] as const)
      await expect(restore(other, path)).rejects.toThrow(message)
    expect([await landed.contents(), existsSync(join(other.dataDir, 'swaps.sqlite'))]).toEqual([before, false])
    expect(await restore(other, file)).toBe(200)
  })
})

it('a backup restores by the command into the default folder of its network, whatever NETWORK is', async () => {
  const [place, file, workDir] = [await inSqlite(), aBackup(), aFolder()]
  await open(place)
  expect(await backUp(place, file)).toBe(0)
  expect((await run('restore', file, {}, workDir)).code).toBe(0)
  expect(readdirSync(join(workDir, '.data'))).toEqual(['mainnet'])
  expect(existsSync(join(workDir, '.data', 'mainnet', 'swaps.sqlite'))).toBe(true)
})

it('a backup is not restored beside the log of other records, which SQLite would apply to it', async () => {
  const [place, file, dataDir] = [await inSqlite(), aBackup(), aFolder()]
  const store = await open(place)
  const add = async (name: string) => {
    for (let i = 0; i < 50; i += 1) await store.swaps.add(await aNewSwap({ bindingKey: `${name} ${i}` }))
  }
  await add('old')
  await backUp(place, file)
  await add('new')
  // A killed process leaves its log.
  const to = join(dataDir, 'swaps.sqlite')
  copyFileSync(join(place.dataDir, 'swaps.sqlite-wal'), `${to}-wal`)
  const there = { ...place, dataDir }
  await expect(restore(there, file)).rejects.toThrow(/-wal is there still, and belongs to the records that were there/)
  expect(existsSync(to)).toBe(false)
  rmSync(`${to}-wal`)
  expect(await restore(there, file)).toBe(50)
  expect(await (await open(there)).swaps.ofQuote('q1')).toHaveLength(50)
})

it('a backup of PostgreSQL is refused when the database is of another version', async () => {
  const place = await inPostgres()
  await open(place)
  const newer = `INSERT INTO kysely_migration VALUES ('0002-newer', '2999-01-01T00:00:00.000Z')`
  await ask(place.database.url?.reveal() ?? '', newer)
  await expect(backUp(place, aBackup())).rejects.toThrow(/another version/)
})
