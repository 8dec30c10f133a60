import { closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { DummyDriver, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { migrate, obstacleIn } from '../../../engine/store/migrations/migrate.ts'
import { createMigrations, INITIAL } from '../../../engine/store/migrations/migrations.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { warningsOf } from '../../../scripts/dataFolder.ts'
import { landedDatabase, landedFile } from '../../support/landedRecords.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore, startStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** A service with 51 swaps, and a backup with the first one. */
const aService = async () => {
  const folder = aFolder()
  const [file, backup] = [join(folder, 'swaps.sqlite'), join(folder, 'backup.sqlite')]
  const store = await openFileStore(file)
  const { id } = await store.swaps.add(await aNewSwap({ bindingKey: 'old' }))
  const place = { dataDir: folder, database: { url: null, poolMax: 1 } }
  await backUp(place, backup)
  for (let i = 0; i < 50; i += 1) await store.swaps.add(await aNewSwap({ bindingKey: `new ${i}` }))
  return { file, folder, backup, place, store, id }
}

type Service = Awaited<ReturnType<typeof aService>>

const expectRefused = async ({ store, id }: { store: Store; id: number }, message: RegExp): Promise<void> => {
  const writes = [
    async () => store.swaps.add(await aNewSwap({ bindingKey: 'late' })),
    () => store.swaps.setPosting(id),
    () => store.transaction(({ swaps }) => swaps.setPosting(id)),
    () => store.probe(),
  ]
  for (const write of writes)
    await expect(write()).rejects.toMatchObject({ name: 'StoreError', message: expect.stringMatching(message) })
}

const remove = (file: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

const replace = (file: string, other: string): void => {
  remove(file)
  copyFileSync(other, file)
}

/** Moves the log into the file, and returns the file. */
const settle = (file: string): string => {
  const sqlite = new SQLite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return file
}

const overwrite = (file: string, bytes: Buffer, at = 0): void => {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

if (!isOverPostgres()) {
  describe('a running service writes nothing more to its SQLite file', () => {
    it.each<[string, (service: Service) => void, RegExp]>([
      ['is deleted', ({ file }) => remove(file), /was deleted; stop the service/],
      ['is replaced by another file', ({ file, backup }) => replace(file, backup), /replaced by another file/],
      ['loses its log', ({ file }) => rmSync(`${file}-wal`), /-wal was deleted or replaced/],
      ['is overwritten by a backup', ({ file, backup }) => overwrite(settle(file), readFileSync(backup)), /by other records/],
      ['is emptied', ({ file }) => truncateSync(file), /was cut off/],
      ['is cut off', ({ file }) => truncateSync(settle(file), 8_192), /was cut off/],
      ['is overwritten by other bytes', ({ file }) => overwrite(settle(file), Buffer.alloc(300_000, 'x')), /is no database/],
    ])('that %s [store-file-replaced]', async (_what, happens, message) => {
      const service = await aService()
      happens(service)
      await expectRefused(service, message)
    })

    it('that is moved away during a transaction, which rejects, until it is put back', async () => {
      const service = await aService()
      const { file, store, id } = service
      const work = store.transaction(async ({ swaps }) => {
        await swaps.setPosting(id)
        renameSync(file, `${file}.away`)
      })
      await expect(work).rejects.toThrow(/was deleted/)
      await expectRefused(service, /was deleted/)
      renameSync(`${file}.away`, file)
      await store.swaps.setPosting(id)
      await store.probe()
    })

    it('that is cut off during a checkpoint, and writes while that has written the header only', async () => {
      const service = await aService()
      const { file, folder, store, id } = service
      // The header as the checkpoint writes it, by a copy of both files.
      const copy = join(folder, 'copy.sqlite')
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
      settle(copy)
      const page = readFileSync(copy).subarray(0, 4_096)
      expect(page.readUInt32BE(28) * page.length).toBeGreaterThan(statSync(file).size)
      overwrite(file, page)
      await store.transaction(({ swaps }) => swaps.setPosting(id))
      truncateSync(file, 8_192)
      await expectRefused(service, /was cut off/)
    })

    it('that is damaged, and the next start refuses it with the remedy [store-file-replaced]', async () => {
      const { file, store, id } = await aService()
      await store.close()
      const again = await openFileStore(file)
      settle(file)
      const pages = new SQLite(file)
      const root = pages.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'swaps'`).pluck().get() as number
      pages.close()
      overwrite(file, Buffer.alloc(4_096, 0xff), (root - 1) * 4_096)
      await expect(again.swaps.ofQuote('q1')).rejects.toThrow(/malformed/)
      await expectRefused({ store: again, id }, /damaged/)
      await again.close()
      await expect(openFileStore(file)).rejects.toThrow(/is damaged: .*restore the last backup/s)
    })
  })

  it('a start without the file of before, or over records of another service, stops with the remedy, unless they were restored [store-file-replaced]', async () => {
    const [{ file, store, backup, place }, other] = [await aService(), await aService()]
    await store.close()
    replace(file, other.backup)
    await expect(openFileStore(file)).rejects.toThrow(/has other records than before; where that is meant, delete .*\.id/)
    remove(file)
    await expect(openFileStore(file)).rejects.toThrow(/is gone: put it back, or restore a backup; only to begin without any/)
    for (const restored of [backup, other.backup]) {
      await restore(place, restored)
      const again = await openFileStore(file)
      expect(await again.swaps.ofQuote('q1')).toHaveLength(1)
      await again.close()
      remove(file)
    }
  })
}

if (isOverPostgres())
  it('a running service writes nothing more to its PostgreSQL database while another one has its name, nor after it was restored or made again [store-file-replaced]', async () => {
    const [url, otherUrl] = [await createMigratedDatabase(), await createMigratedDatabase()]
    onTestFinished(() => dropDatabase(url))
    onTestFinished(() => dropDatabase(otherUrl))
    const options = { url: new Secret(url), network: 'simnet', poolMax: 3 } as const
    const store = closing(await openPostgresStore(options, createTestClock()))
    const { id } = await store.swaps.add(await aNewSwap())
    const server = new URL(url)
    server.pathname = '/postgres'
    const [name, other] = [url, otherUrl].map((one) => new URL(one).pathname.slice(1))
    const run = async (...commands: readonly string[]) => {
      for (const command of commands) await ask(server.href, command)
    }
    const swapNames = () =>
      run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${name}', '${other}')`,
        `ALTER DATABASE ${name} RENAME TO ${name}_away`,
        `ALTER DATABASE ${other} RENAME TO ${name}`,
        `ALTER DATABASE ${name}_away RENAME TO ${other}`,
      )
    const expectReplaced = () => expectRefused({ store, id }, /replaced by another one since the service started/)
    await swapNames()
    await expectReplaced()
    expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
    await swapNames()
    await store.swaps.setPosting(id)
    await store.probe()
    // A copy has other tables. A connection is checked again after a second.
    await ask(url, 'SELECT pg_sleep(1.1)')
    await ask(url, 'ALTER TABLE store_facts RENAME TO gone; CREATE TABLE store_facts AS SELECT * FROM gone')
    await expectReplaced()
    await run(`DROP DATABASE ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`)
    await expectReplaced()
  })

const EARLIER =
  'holds records of an earlier build of 2026-11, which this version does not read: keep them for that build, and name another place'

const landedRecords = async () => {
  if (!isOverPostgres()) {
    const { file, ...records } = landedFile()
    return { ...records, place: file, open: () => openFileStore(file) }
  }
  const { url, name, ...records } = await landedDatabase()
  const open = () => openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, createTestClock())
  return { ...records, place: `the database "${name}"`, open }
}

describe('a start over records of an earlier build', () => {
  it('is refused in one line that names them, and leaves them unchanged [store-version-rules]', async () => {
    const { contents, open, place, remove } = await landedRecords()
    onTestFinished(remove)
    const before = await contents()
    for (let i = 0; i < 2; i += 1)
      await expect(open()).rejects.toMatchObject({ name: 'StoreError', message: `${place} ${EARLIER}` })
    expect(await contents()).toEqual(before)
  })

  it('is named in a warning when they are one folder above those of the network, and they stay unread', () => {
    const { folder, file, remove } = landedFile()
    onTestFinished(remove)
    const warningsIn = (name: string) => warningsOf(parseConfig({ NETWORK: 'mainnet', DATA_DIR: join(folder, name) }))
    const warning = `${file} is ignored: records are in ${join(folder, 'mainnet')}. Move or delete it`
    expect(warningsIn('mainnet')).toContain(warning)
    expect(warningsIn('elsewhere').join()).not.toContain(file)
  })

  if (!isOverPostgres())
    it('leaves the log of a killed process unchanged', async () => {
      const [killed, { file, remove: removeFolder }] = [landedFile(), landedFile()]
      for (const one of [killed.remove, removeFolder]) onTestFinished(one)
      const writer = new SQLite(killed.file)
      writer.exec('UPDATE partners SET fee_bps = 7')
      for (const end of ['', '-wal']) copyFileSync(`${killed.file}${end}`, `${file}${end}`)
      writer.close()
      const bytes = () => ['', '-wal'].map((end) => readFileSync(`${file}${end}`).toString('base64'))
      const before = bytes()
      await expect(openFileStore(file)).rejects.toThrow(EARLIER)
      expect(bytes()).toEqual(before)
    })
})

const TOMORROW = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z')`
const READABLE_FROM = `SELECT value FROM store_facts WHERE name = 'readableFrom'`

describe('a start over records', () => {
  it('of a newer version that only added to them works, and new columns get their defaults', async () => {
    const { place, open, store } = await startStore()
    await store.swaps.add(await aNewSwap({ bindingKey: 'before' }))
    await place.change(`ALTER TABLE swaps ADD COLUMN colour text NOT NULL DEFAULT 'plain'`)
    await place.change(TOMORROW)
    await store.swaps.add(await aNewSwap({ bindingKey: 'running' }))
    const again = await open()
    const added = await again.swaps.add(await aNewSwap({ bindingKey: 'restarted' }))
    await again.swaps.setPosting(added.id)
    expect(await again.swaps.ofQuote('q1')).toHaveLength(3)
    const rows = await place.ask('SELECT colour, count(*) AS n FROM swaps GROUP BY colour')
    expect(rows.map(({ colour, n }) => [colour, Number(n)])).toEqual([['plain', 3]])
    expect(await place.ask(READABLE_FROM)).toEqual([{ value: INITIAL }])
  })

  it('that need a step of a newer version is refused, and a running service continues [store-version-rules]', async () => {
    const { place, open, store } = await startStore()
    await place.change(TOMORROW)
    await place.change(`UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`)
    const message = expect.stringMatching(
      /^\S.* holds records of a newer version: they need a version that knows 9999-of-tomorrow; start that version, or name another place$/,
    )
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', message })
    expect(await place.ask(READABLE_FROM)).toEqual([{ value: '9999-of-tomorrow' }])
    await store.swaps.add(await aNewSwap())
  })

  it('of another network is refused, and leaves them unchanged [store-network-bound]', async () => {
    const { place, open, store } = await startStore()
    await store.swaps.add(await aNewSwap())
    const facts = () => place.ask('SELECT name, value FROM store_facts ORDER BY name')
    const before = await facts()
    expect(before).toContainEqual({ name: 'network', value: 'simnet' })
    const message = expect.stringMatching(
      /^\S.* holds records of simnet, and NETWORK is mainnet: set NETWORK=simnet, or name another place$/,
    )
    await expect(open('mainnet')).rejects.toMatchObject({ name: 'StoreError', message })
    expect(await facts()).toEqual(before)
    expect(await (await open('simnet')).swaps.ofQuote('q1')).toHaveLength(1)
  })

  it.each([
    ['without a stated reader', [INITIAL, '0002-more', '0003-newer'], null, /knows 0003-newer/],
    ['that lack a step of this one', [INITIAL, '0003-newer'], INITIAL, /they lack 0002-more/],
  ] as const)('of a newer version %s is refused', (_what, steps, readableFrom, expected) => {
    const obstacle = obstacleIn([INITIAL, '0002-more'], { steps, readableFrom, network: 'simnet' }, 'simnet')
    expect(obstacle).toMatch(expected)
  })
})

describe('the schema', () => {
  it('gets later steps once, keeps its rows, and stays usable for the version before', async () => {
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    onTestFinished(() => db.destroy())
    const all = createMigrations('sqlite')
    const first = Object.fromEntries(Object.entries(all).filter(([name]) => name === INITIAL))
    const bring = (steps: typeof all) => migrate(db, { place: 'here', steps, network: 'simnet' })
    await bring(first)
    await sql`INSERT INTO leases (name, holder, until) VALUES ('a', 'b', 1)`.execute(db)
    for (const steps of [all, all, first]) await bring(steps)
    expect((await sql`SELECT name, holder FROM leases`.execute(db)).rows).toEqual([{ name: 'a', holder: 'b' }])
    const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(all))
  })

  it.each([
    ['sqlite', new SqliteDialect({ database: async () => expect.fail() })],
    ['postgresql', new PostgresDialect({ pool: async () => expect.fail() })],
  ] as const)('is only added to by each step after the first, in %s [store-version-rules]', async (kind, dialect) => {
    const ADDS = /^(create (table|index) .*|alter table "\w+" add column "\w+" (text|bigint|integer)( default .+)?)$/is
    const statements: string[] = []
    const db = new Kysely<unknown>({
      dialect: Object.assign(dialect, { createDriver: () => new DummyDriver() }),
      log: ({ query }) => void statements.push(query.sql),
    })
    const [first, ...later] = Object.entries(createMigrations(kind)).toSorted()
    expect(first?.[0]).toBe(INITIAL)
    for (const [, { up }] of later) await up(db)
    expect(statements.length).toBeGreaterThanOrEqual(later.length)
    expect(statements.filter((text) => !ADDS.test(text))).toEqual([])
  })
})
