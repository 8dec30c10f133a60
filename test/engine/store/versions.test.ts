import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { DummyDriver, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { migrate, obstacleIn } from '../../../engine/store/migrations/migrate.ts'
import { createMigrations, INITIAL } from '../../../engine/store/migrations/migrations.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { warningsOf } from '../../../scripts/serve.ts'
import { landedDatabase, landedFile } from '../../support/landedRecords.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { openFileStore, startStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

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
    expect((await sql`SELECT name FROM kysely_migration ORDER BY name`.execute(db)).rows).toEqual(
      Object.keys(all).map((name) => ({ name })),
    )
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
