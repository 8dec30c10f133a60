import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkName } from '../../../engine/core/networkName.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { move } from '../../../engine/store/backup/move.ts'
import { readRecords, type StorePlace } from '../../../engine/store/inspectStore.ts'
import { openStore } from '../../../engine/store/openStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { anEvent } from '../../support/hookStage.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

type Place = StorePlace & { readonly network: NetworkName }

const inSqlite = async (): Promise<Place> => ({ dataDir: aFolder(), database: { url: null, poolMax: 4 }, network: 'mainnet' })

const inPostgres = async (): Promise<Place> => {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return { dataDir: join(aFolder(), 'unused'), database: { url: new Secret(url), poolMax: 4 }, network: 'mainnet' }
}

const PLACES = Object.entries({ SQLite: inSqlite, PostgreSQL: inPostgres })

const open = async (place: Place): Promise<Store> => closing(await openStore(place, createTestClock()))
const aBackup = () => join(aFolder(), 'backup.sqlite')

/** Starts a command of the operator in a process of its own. */
const start = (name: 'backup' | 'restore' | 'move', file: string, env: { readonly [name: string]: string | undefined }) => {
  const script = new URL(`../../../scripts/operator/records.ts`, import.meta.url).pathname
  const own = { PATH: process.env['PATH'], ...env }
  const child = spawn(process.execPath, [script, name, file], { env: own, stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(child, 'close')
  const ended = async () => {
    const said = (await child.stderr.setEncoding('utf8').toArray()).join('')
    return { code: (await closed)[0], said }
  }
  return { child, ended: ended() }
}

const envOf = ({ dataDir, database: { url } }: StorePlace) => ({ DATA_DIR: dataDir, DATABASE_URL: url?.reveal() })

/** Rows in each table, and more events than one batch copies. Each swap has a ref, a payment and a fee. */
const fill = async (store: Store, count = 3, ref = 'é\u{1f4b8}'): Promise<void> => {
  const { broadcasts, swapKeys, partners, apiKeys, builds, leases } = store
  await partners.add({ id: 'p1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
  await apiKeys.add({ hash: 'ab'.repeat(32), partnerId: 'p1', hint: 'swk_ab' })
  await partners.addPayoutAddress('p1', { ecosystem: 'evm', address: '0x1', countsFrom: 5 })
  const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 1n << 200n } as const
  const lines = [line, { ...line, account: 'partner:p1', side: 'credit' }] as const
  const swap = await aNewSwap()
  await store.transaction(async ({ swaps, payments, partnerEvents, ledger }) => {
    for (let i = 0; i < count; i += 1) {
      const { id } = await swaps.add({ ...swap, bindingKey: `b${i}`, ref: `${ref}${i}` })
      await swaps.setStatus(id, statusOf('success', { txHash: 'é' }), `${ref}${i}`)
      await payments.claim(id, [aPayment(i, { amount: (1n << 256n) - 1n, paidAt: Date.UTC(9999, 11, 31) })])
      await ledger.book({ key: `fee:${i}`, kind: 'fee', swapId: id, document: {}, lines })
    }
    for (let i = 0; i < 1_100; i += 1) await partnerEvents.add(anEvent('p1', { swapId: 1, document: { a: [1, null, 'x'] } }))
  })
  await broadcasts.claim(1, { txHash: 'tx', untilHeight: 300_000_000 })
  await swapKeys.claim({ swapId: 1, venue: 'toy', kind: 'address', value: 'x', until: null })
  await builds.reserve({ quoteId: 'q9', bindingKey: 'b', owner: 'one' }, 1_000)
  await leases.take('settlement', 'one', 1_000)
}

/** The rows of each table of a backup, without facts about its place. */
const recordsOf = (file: string): { readonly [table: string]: readonly unknown[] } => {
  const sqlite = new SQLite(file, { readonly: true })
  const all = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite_%'`
  const names = (sqlite.prepare(all).pluck().all() as string[]).filter((name) => name !== 'store_facts')
  const rowsOf = (name: string) => {
    const rows = sqlite.prepare(`SELECT * FROM "${name}"`).all()
    return rows.map((row) => JSON.stringify(row)).sort()
  }
  const records = Object.fromEntries(names.map((name) => [name, rowsOf(name)]))
  sqlite.close()
  return records
}

describe.each(PLACES)('a backup of %s', (_from, makePlace) => {
  it.each(PLACES)('restores into %s with all records, and ids continue [store-backup-restore]', async (_to, makeOther) => {
    const [place, other, file, again] = [await makePlace(), await makeOther(), aBackup(), aBackup()]
    const store = await open(place)
    await fill(store)
    const page = { afterPlace: 0, limit: 2_000 }
    const events = await store.partnerEvents.ofPartner('p1', page)
    const last = events.at(-1)
    // The newest events are deleted, and a reader may have seen their numbers.
    await store.transaction(async ({ partnerEvents }) => {
      for (const { id } of events.slice(-50)) await partnerEvents.start(id)
    })
    await store.partnerEvents.deleteBefore(createTestClock().now() + 1)
    expect([await backUp(place, file), await restore(other, file)]).toEqual([3, 3])
    expect((await readRecords(other)).network).toBe('mainnet')
    const restored = await open(other)
    await backUp(other, again)
    expect(recordsOf(again)).toEqual(recordsOf(file))
    expect(Object.values(recordsOf(file)).filter((rows) => rows.length > 0).length).toBeGreaterThan(10)
    expect(await restored.swaps.ofQuote('q1')).toEqual(await store.swaps.ofQuote('q1'))
    expect(await restored.ledger.balancesOf('p1')).toEqual(await store.ledger.balancesOf('p1'))
    await restored.partnerEvents.add(anEvent('p1', { delivery: 'none' }))
    const added = (await restored.partnerEvents.ofPartner('p1', page)).at(-1)
    expect([added?.id, added?.place]).toEqual([(last?.id ?? 0) + 1, (last?.place ?? 0) + 1])
    expect((await restored.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(4)
  })

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
    const backup = await start('backup', file, envOf(place)).ended
    isDone = true
    await writing
    const { swaps: { length } = [], payments } = recordsOf(file)
    expect(backup).toEqual({ code: 0, said: `Backed up ${length} swaps into ${file}\n` })
    expect(length).toBeGreaterThan(20)
    expect(length).toBeLessThan(written)
    expect(payments).toHaveLength(length)
    const into = other.database.url === null ? other.dataDir : 'the database that DATABASE_URL names'
    const said = `Restored ${length} swaps of mainnet from ${file} into ${into}\n`
    expect(await start('restore', file, envOf(other)).ended).toEqual({ code: 0, said })
    expect(await (await open(other)).swaps.ofQuote('q1')).toHaveLength(length)
  })

  it('is one private file, replaces no file or records, and is restored only whole and of a known version; its time is recorded', async () => {
    const [place, other, file] = [await makePlace(), await makePlace(), aBackup()]
    const store = await open(place)
    await fill(store)
    const recordedAt = async () => (await store.operator.backlog(0)).backedUpAt
    expect(await recordedAt()).toBeNull()
    await backUp(place, file)
    const [at, before] = [await recordedAt(), readFileSync(file)]
    expect(at).toBeGreaterThan(Date.now() - 60_000)
    expect([readdirSync(dirname(file)), statSync(file).mode & 0o777]).toEqual([['backup.sqlite'], 0o600])
    await expect(backUp(place, file)).rejects.toThrow(`${file} is there already`)
    expect([readFileSync(file).equals(before), await recordedAt()]).toEqual([true, at])
    await expect(restore(place, file)).rejects.toThrow(/already/)
    expect(await store.swaps.ofQuote('q1')).toHaveLength(3)
    const tomorrow = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z');
      UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`
    const change = (text: string) => (path: string) => void new SQLite(path).exec(text).close()
    for (const [spoil, message] of [
      [(path: string) => truncateSync(path, Math.floor(statSync(file).size / 8_192) * 4_096), /malformed|damaged/],
      [change('ALTER TABLE swaps RENAME TO gone'), /holds no records of this service/],
      [change(tomorrow), /newer version/],
    ] as const) {
      const bad = aBackup()
      copyFileSync(file, bad)
      spoil(bad)
      await expect(restore(other, bad)).rejects.toThrow(message)
    }
    expect(existsSync(join(other.dataDir, 'swaps.sqlite'))).toBe(false)
    expect(await restore(other, file)).toBe(3)
  })
})

it('a backup is not restored beside the log of other records, which SQLite would apply to it', async () => {
  const [place, file, dataDir] = [await inSqlite(), aBackup(), aFolder()]
  const store = await open(place)
  await fill(store)
  await backUp(place, file)
  await store.swaps.add(await aNewSwap())
  // A killed process leaves its log.
  const to = join(dataDir, 'swaps.sqlite')
  copyFileSync(join(place.dataDir, 'swaps.sqlite-wal'), `${to}-wal`)
  const there = { ...place, dataDir }
  await expect(restore(there, file)).rejects.toThrow(/-wal is there still, and belongs to the records that were there/)
  expect(existsSync(to)).toBe(false)
  rmSync(`${to}-wal`)
  expect(await restore(there, file)).toBe(3)
  expect(await (await open(there)).swaps.ofQuote('q1')).toHaveLength(3)
})

it('a backup of PostgreSQL is refused when the database is of another version', async () => {
  const place = await inPostgres()
  await open(place)
  const newer = `INSERT INTO kysely_migration VALUES ('0002-newer', '2999-01-01T00:00:00.000Z')`
  await ask(place.database.url?.reveal() ?? '', newer)
  await expect(backUp(place, aBackup())).rejects.toThrow(/another version/)
})

describe('a move of a SQLite file into PostgreSQL', () => {
  /** A file of a service with 600 swaps, and an empty database. */
  const filled = async () => {
    const [{ database }, file] = [await inPostgres(), join(aFolder(), 'swaps.sqlite')]
    const url = database.url?.reveal() ?? ''
    const store = await openFileStore(file)
    await fill(store, 600, '\0')
    const openMoved = (network: NetworkName = 'simnet') => open({ dataDir: '', database, network })
    const query = (text: string) => ask(url, text)
    const command = () => start('move', file, { DATABASE_URL: url })
    return { file, store, openMoved, query, command, moveNow: () => move({ database }, file) }
  }

  it('copies every record, after which no service starts over the file; is refused while the file is open, and into another network or records [store-move]', async () => {
    const { file, store, openMoved, query, command, moveNow } = await filled()
    await expect(moveNow()).rejects.toThrow(/in use: stop the service/)
    const before = await store.swaps.ofQuote('q1')
    await store.close()
    const other = await openMoved('mainnet')
    await expect(moveNow()).rejects.toThrow(/holds records of mainnet/)
    await query(`DELETE FROM store_facts WHERE name = 'network'`)
    await other.partners.add({ id: 'p2', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
    await expect(moveNow()).rejects.toThrow(/has records already/)
    expect(await query('SELECT 1 FROM swaps')).toEqual([])
    await query('DELETE FROM partners')
    await (await openFileStore(file)).close()
    const { code, said } = await command().ended
    expect(code).toBe(0)
    for (const text of ['swaps: 600', 'payments: 600', `operator debit ${600n << 200n} of evm:1:0x2`, 'is equal'])
      expect(said).toContain(text)
    expect(await query(`SELECT value FROM store_facts WHERE name = 'network'`)).toEqual([{ value: 'simnet' }])
    const moved = await openMoved()
    // PostgreSQL stores no NUL.
    const stored = before.map((record) => ({ ...record, ref: record.ref?.replace('\0', '\uFFFD') }))
    expect(await moved.swaps.ofQuote('q1')).toEqual(stored)
    expect((await moved.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(601)
    await expect(openFileStore(file)).rejects.toThrow(/were moved: set DATABASE_URL/)
  })

  it('leaves nothing when a copied record differs or its process is killed, can be repeated, and finds later changes [store-move]', async () => {
    const { store, openMoved, query, command, moveNow } = await filled()
    await store.close()
    await openMoved()
    await query(`CREATE FUNCTION less() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.amount := '1'; RETURN NEW; END $$;
       CREATE TRIGGER less BEFORE INSERT ON ledger_lines FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION less()`)
    await expect(moveNow()).rejects.toThrow(/not what was read: ledger_lines has as many rows/)
    expect(await query('SELECT 1 FROM swaps')).toEqual([])
    // Slow enough to be killed in the middle.
    await query(`DROP TRIGGER less ON ledger_lines;
      ALTER TABLE ledger_lines ADD CONSTRAINT slow CHECK (pg_sleep(0.02) IS NOT NULL)`)
    const { child, ended } = command()
    await expect.poll(() => query(`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%"ledger_lines"%VALUES%'`)).not.toEqual([])
    child.kill('SIGKILL')
    await ended
    await query('ALTER TABLE ledger_lines DROP CONSTRAINT slow')
    await expect.poll(() => query('SELECT count(*)::int AS n FROM swaps')).toEqual([{ n: 0 }])
    for (const isNew of [true, false]) expect(await moveNow()).toMatchObject({ isNew })
    await query(`UPDATE ledger_lines SET amount = '7' WHERE id = 1`)
    await expect(moveNow()).rejects.toThrow(/have changed since: ledger_lines/)
  })
})
