import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import type { NetworkName } from '../../../engine/core/networkName.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { readRecords, type StorePlace } from '../../../engine/store/inspectStore.ts'
import { openStore } from '../../../engine/store/openStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { landedFile } from '../../support/landedRecords.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'backup-'))
  closers.push(() => rmSync(path, { recursive: true }))
  return path
}

type Place = StorePlace & { readonly network: NetworkName }

const PLACES = {
  SQLite: async (): Promise<Place> => ({ dataDir: folder(), database: { url: null, poolMax: 4 }, network: 'mainnet' }),
  PostgreSQL: async (): Promise<Place> => {
    const url = await createDatabase()
    closers.push(() => dropDatabase(url))
    return { dataDir: join(folder(), 'unused'), database: { url: new Secret(url), poolMax: 4 }, network: 'mainnet' }
  },
} as const

const open = async (place: Place): Promise<Store> => {
  const store = await openStore(place, createTestClock())
  closers.push(() => store.close())
  return store
}

/** A command of the operator's, in a process of its own. */
const runScript = async (name: 'backup' | 'restore', { dataDir, database: { url } }: StorePlace, file: string) => {
  const script = new URL(`../../../scripts/operator/${name}.ts`, import.meta.url).pathname
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: url?.reveal() }
  const child = spawn(process.execPath, [script, file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

/** Something in every table that has records of its own, more than is copied at a time. */
const fill = async (store: Store): Promise<void> => {
  const { swaps, payments, broadcasts, swapKeys, partners, apiKeys, builds, leases } = store
  for (let i = 0; i < 3; i += 1) {
    const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref: `ref\u{1f4b8}${i}` }))
    await swaps.setStatus(id, statusOf('success', { txHash: 'é' }), `ref\u{1f4b8}${i}`)
    await payments.claim(id, [aPayment(i, { amount: (1n << 256n) - 1n, paidAt: Date.UTC(9999, 11, 31) })])
    await broadcasts.claim(id, { txHash: `tx-${i}`, untilHeight: 300_000_000 })
    await swapKeys.claim({ swapId: id, venue: 'toy', kind: 'address', value: `x${i}`, until: null })
  }
  await partners.add({ id: 'p1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
  await apiKeys.add({ hash: 'ab'.repeat(32), partnerId: 'p1', hint: 'swk_ab' })
  await partners.addPayoutAddress('p1', { ecosystem: 'evm', address: '0x1', countsFrom: 5 })
  const event = { partnerId: 'p1', swapId: 1, event: 'swap.settled', document: { a: [1, null, 'x'] }, delivery: 'due' } as const
  await store.transaction(async (parts) => {
    for (let i = 0; i < 1_100; i += 1) await parts.partnerEvents.add(event)
  })
  const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 1n << 200n } as const
  const lines = [line, { ...line, account: 'partner:p1', side: 'credit' }] as const
  await store.transaction(({ ledger }) => ledger.book({ key: 'fee:1', kind: 'fee', swapId: 1, document: {}, lines }))
  await builds.reserve({ quoteId: 'q9', bindingKey: 'b', owner: 'one' }, 1_000)
  await leases.take('settlement', 'one', 1_000)
}

/** A backup of a place without swaps. */
const backUpOf = async (place: Place): Promise<string> => {
  const file = join(folder(), 'backup.sqlite')
  await open(place)
  expect(await backUp(place, file)).toBe(0)
  return file
}

/** Every row of every table of a backup. */
const contentsOf = (file: string): Record<string, unknown[]> => {
  const sqlite = new SQLite(file, { readonly: true })
  const names = sqlite
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite_%'`)
    .all() as { name: string }[]
  const sorted = (rows: readonly unknown[]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const all = names.map(({ name }) => [name, sorted(sqlite.prepare(`SELECT * FROM "${name}"`).all())] as const)
  sqlite.close()
  return Object.fromEntries(all)
}

/** All but the facts about the place itself. */
const recordsOf = (file: string): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries(contentsOf(file)).filter(([name]) => name !== 'store_facts'))

describe.each(Object.entries(PLACES))('a backup of %s', (_from, makePlace) => {
  describe.each(Object.entries(PLACES))('restored into %s', (_to, makeOther) => {
    it('has every record, and numbers what comes after it as the first would have [store-backup-restore]', async () => {
      const [place, other, file] = [await makePlace(), await makeOther(), join(folder(), 'backup.sqlite')]
      const store = await open(place)
      await fill(store)
      const { partnerEvents } = store
      const events = await partnerEvents.ofPartner('p1', { afterPlace: 0, limit: 2_000 })
      const last = events.at(-1)
      // The newest of all is gone, and a reader may have seen its number.
      await store.transaction(async (parts) => {
        for (const { id } of events.slice(-50)) await parts.partnerEvents.start(id)
      })
      await partnerEvents.deleteBefore(createTestClock().now() + 1)
      expect(await backUp(place, file)).toBe(3)
      expect(await restore(other, file)).toBe(3)
      expect((await readRecords(other)).network).toBe('mainnet')
      const restored = await open(other)
      const again = join(folder(), 'again.sqlite')
      await backUp(other, again)
      expect(recordsOf(again)).toEqual(recordsOf(file))
      expect(Object.values(recordsOf(file)).filter((rows) => rows.length > 0).length).toBeGreaterThan(10)
      expect(await restored.swaps.ofQuote('q1')).toEqual(await store.swaps.ofQuote('q1'))
      expect(await restored.ledger.balancesOf('p1')).toEqual(await store.ledger.balancesOf('p1'))
      expect(await restored.ledger.rawBalances()).toHaveLength(1)
      const event = { partnerId: 'p1', swapId: null, event: 'key.updated', document: {}, delivery: 'none' } as const
      await restored.partnerEvents.add(event)
      const [added] = (await restored.partnerEvents.ofPartner('p1', { afterPlace: 0, limit: 2_000 })).slice(-1)
      expect([added?.id, added?.place]).toEqual([(last?.id ?? 0) + 1, (last?.place ?? 0) + 1])
      expect((await restored.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(4)
    })
  })

  it('is made by one command while others write, and is of one moment', async () => {
    const [place, file] = [await makePlace(), join(folder(), 'backup.sqlite')]
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
    const { code, said } = await runScript('backup', place, file)
    isDone = true
    await writing
    const { swaps = [], payments = [] } = contentsOf(file)
    expect({ code, said }).toEqual({ code: 0, said: `Backed up ${swaps.length} swaps into ${file}\n` })
    expect(swaps.length).toBeGreaterThan(20)
    expect(swaps.length).toBeLessThan(written)
    expect(payments).toHaveLength(swaps.length)
    const other = await makePlace()
    const into = other.database.url === null ? other.dataDir : 'the database that DATABASE_URL names'
    expect(await runScript('restore', other, file)).toEqual({
      code: 0,
      said: `Restored ${swaps.length} swaps of mainnet from ${file} into ${into}\n`,
    })
    expect(await (await open(other)).swaps.ofQuote('q1')).toHaveLength(swaps.length)
  }, 60_000)

  it('is one file, for its owner only, overwrites none, and is recorded with its time', async () => {
    const [place, to] = [await makePlace(), folder()]
    const file = join(to, 'backup.sqlite')
    const { swaps, operator } = await open(place)
    const recorded = async () => (await operator.backlog(0)).backedUpAt
    await swaps.add(await aNewSwap())
    expect(await recorded()).toBeNull()
    await backUp(place, file)
    const at = await recorded()
    expect(at).toBeGreaterThan(Date.now() - 60_000)
    expect(readdirSync(to)).toEqual(['backup.sqlite'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file)
    await expect(backUp(place, file)).rejects.toThrow(`${file} is there already`)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(await recorded()).toBe(at)
  })

  it('is not restored over records, nor is anything but a whole backup', async () => {
    const [place, other] = [await makePlace(), await makePlace()]
    const file = join(folder(), 'backup.sqlite')
    const store = await open(place)
    await store.transaction(async (parts) => {
      for (let i = 0; i < 200; i += 1) await parts.swaps.add(await aNewSwap({ bindingKey: `b${i}` }))
    })
    await backUp(place, file)
    await expect(restore(place, file)).rejects.toThrow(/already/)
    expect(await store.swaps.ofQuote('q1')).toHaveLength(200)

    const bad = (make: (path: string) => void): string => {
      const path = join(folder(), 'bad.sqlite')
      make(path)
      return path
    }
    const cut = bad((path) => {
      copyFileSync(file, path)
      truncateSync(path, Math.floor(statSync(file).size / 8_192) * 4_096)
    })
    const text = bad((path) => writeFileSync(path, 'not a database, and long enough to look like one'.repeat(30)))
    const strange = bad((path) => void new SQLite(path).exec('CREATE TABLE other (a)').close())
    const newer = bad((path) => {
      copyFileSync(file, path)
      const tomorrow = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z');`
      const needs = `UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`
      new SQLite(path).exec(tomorrow + needs).close()
    })
    for (const path of [cut, text, strange, newer, '/nowhere/at.all']) await expect(restore(other, path)).rejects.toThrow()
    expect(existsSync(join(other.dataDir, 'swaps.sqlite'))).toBe(false)
    // Nothing of it stands in the way of one that is.
    expect(await restore(other, file)).toBe(200)
  })

  it('of an earlier build is refused, and stays as it is', async () => {
    const [other, { file, contents, remove }] = [await makePlace(), landedFile()]
    closers.push(remove)
    const before = await contents()
    await expect(restore(other, file)).rejects.toThrow(`${file} holds records of an earlier build`)
    expect(await contents()).toEqual(before)
    expect(await restore(other, await backUpOf(await makePlace()))).toBe(0)
  })
})

describe('a backup of SQLite', () => {
  it('is restored by the command into the default folder of its network, whatever NETWORK is', async () => {
    const [file, workDir] = [await backUpOf(await PLACES.SQLite()), folder()]
    const script = new URL('../../../scripts/operator/restore.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, file], { env: { PATH: process.env['PATH'] }, cwd: workDir, stdio: 'ignore' })
    expect(await once(child, 'close')).toEqual([0, null])
    expect(readdirSync(join(workDir, '.data'))).toEqual(['mainnet'])
    expect(existsSync(join(workDir, '.data', 'mainnet', 'swaps.sqlite'))).toBe(true)
  })

  it('is not restored beside the log of the records that were there, which would be moved into it', async () => {
    const [place, file] = [await PLACES.SQLite(), join(folder(), 'backup.sqlite')]
    const store = await open(place)
    const add = async (name: string) => {
      for (let i = 0; i < 50; i += 1) await store.swaps.add(await aNewSwap({ bindingKey: `${name} ${i}` }))
    }
    await add('old')
    await backUp(place, file)
    await add('new')
    // As a process leaves them that was killed: whoever stops in time leaves no log.
    const other = folder()
    const to = join(other, 'swaps.sqlite')
    copyFileSync(join(place.dataDir, 'swaps.sqlite-wal'), `${to}-wal`)
    const there = { ...place, dataDir: other }
    await expect(restore(there, file)).rejects.toThrow(/-wal is there still, and belongs to the records that were there/)
    expect(existsSync(to)).toBe(false)
    rmSync(`${to}-wal`)
    expect(await restore(there, file)).toBe(50)
    expect(await (await open(there)).swaps.ofQuote('q1')).toHaveLength(50)
  })
})

describe('a backup of PostgreSQL', () => {
  it('is refused where the database is of another version', async () => {
    const place = await PLACES.PostgreSQL()
    await open(place)
    await ask(
      place.database.url?.reveal() ?? '',
      `INSERT INTO kysely_migration VALUES ('0002-newer', '2999-01-01T00:00:00.000Z')`,
    )
    await expect(backUp(place, join(folder(), 'backup.sqlite'))).rejects.toThrow(/another version/)
  })
})
