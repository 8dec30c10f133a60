import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { DummyDriver, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { migrate, obstacleIn } from '../../../engine/store/migrations/migrate.ts'
import { createMigrations, INITIAL } from '../../../engine/store/migrations/migrations.ts'
import { openForLong } from '../../../engine/store/postgresDatabase.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { landedDatabase, landedFile } from '../../support/landedRecords.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { openFileStore, startStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const EARLIER =
  'holds records of an earlier build of 2026-11, which this version does not read: keep them for that build, and name another place'

const KIND = isOverPostgres() ? 'postgresql' : 'sqlite'

const LANDED = {
  sqlite: async () => {
    const { file, ...records } = landedFile()
    return { ...records, place: file, open: () => openFileStore(file) }
  },
  postgresql: async () => {
    const { url, name, ...records } = await landedDatabase()
    const open = () => openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, createTestClock())
    return { ...records, place: `the database "${name}"`, open }
  },
} as const

describe('a start over records of an earlier build', () => {
  it('is refused in one line that names them, and leaves them unchanged [store-version-rules]', async () => {
    const { contents, open, place, remove } = await LANDED[KIND]()
    onTestFinished(remove)
    const before = await contents()
    for (let i = 0; i < 2; i += 1)
      await expect(open()).rejects.toMatchObject({ name: 'StoreError', message: `${place} ${EARLIER}` })
    expect(await contents()).toEqual(before)
  })

  it.skipIf(isOverPostgres())('leaves the log of a killed process unchanged', async () => {
    const [killed, { folder, file, remove }] = [landedFile(), landedFile()]
    onTestFinished(killed.remove)
    onTestFinished(remove)
    const writer = new SQLite(killed.file)
    writer.exec(`UPDATE partners SET fee_bps = 7`)
    for (const end of ['', '-wal']) copyFileSync(`${killed.file}${end}`, `${file}${end}`)
    writer.close()
    const bytes = () => ['swaps.sqlite', 'swaps.sqlite-wal'].map((name) => readFileSync(join(folder, name)).toString('base64'))
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
    await place.change('CREATE TABLE of_tomorrow (id integer)')
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

  const OURS = [INITIAL, '0002-more']
  it.each([
    ['no records', [], null, null],
    ['records without the last step of this version', [INITIAL], INITIAL, null],
    ['records of a newer version that added to them', [...OURS, '0003-newer'], INITIAL, null],
    ['records of an earlier build', ['0001-swaps'], INITIAL, /^holds records of an earlier build/],
    ['records of a newer version without a stated reader', [...OURS, '0003-newer'], null, /knows 0003-newer/],
    ['records of a newer version that lack a step of this one', [INITIAL, '0003-newer'], INITIAL, /they lack 0002-more/],
  ] as const)('judges %s', (_what, steps, readableFrom, expected) => {
    const obstacle = obstacleIn(OURS, { steps, readableFrom, network: 'simnet' }, 'simnet')
    expect(obstacle).toEqual(expected === null ? null : expect.stringMatching(expected))
  })
})

describe('the schema', () => {
  const empty = async () => {
    const url = isOverPostgres() ? await createDatabase() : null
    const db =
      url === null
        ? new Kysely<unknown>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
        : openForLong(new Secret(url))
    onTestFinished(async () => {
      await db.destroy()
      if (url !== null) await dropDatabase(url)
    })
    return db
  }
  const bring = (db: Kysely<unknown>, steps: Record<string, Migration>) =>
    migrate(db, { place: 'here', steps, network: 'simnet' })

  it('gets a later step once, keeps its rows, and stays usable for the version before', async () => {
    const db = await empty()
    let runs = 0
    const later: Migration = {
      up: async (transaction) => {
        runs += 1
        await sql`ALTER TABLE leases ADD COLUMN note text`.execute(transaction)
      },
    }
    await bring(db, createMigrations(KIND))
    await sql`INSERT INTO leases (name, holder, until) VALUES ('a', 'b', 1)`.execute(db)
    for (let i = 0; i < 2; i += 1) await bring(db, { ...createMigrations(KIND), '9998-later': later })
    expect(runs).toBe(1)
    expect((await sql`SELECT name, holder, note FROM leases`.execute(db)).rows).toEqual([{ name: 'a', holder: 'b', note: null }])
    await bring(db, createMigrations(KIND))
  })

  it('of a build whose first step included the tokens is completed, and keeps its tokens', async () => {
    const db = await empty()
    const steps = createMigrations(KIND)
    const up: Migration['up'] = async (to) => {
      await steps[INITIAL]?.up(to)
      await steps['0002-tokens']?.up(to)
    }
    await bring(db, { [INITIAL]: { up } })
    await sql`INSERT INTO tokens VALUES (1, 'a', 'b', 'c', 6, 7)`.execute(db)
    await bring(db, steps)
    expect((await sql`SELECT address FROM tokens`.execute(db)).rows).toEqual([{ address: 'a' }])
    expect((await sql`SELECT name FROM kysely_migration`.execute(db)).rows).toHaveLength(Object.keys(steps).length)
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

  it.runIf(isOverPostgres())('in PostgreSQL has 64 bits for keys, times and heights, and generates its keys', async () => {
    const db = await empty()
    for (const { up } of Object.values(createMigrations(KIND))) await up(db)
    const columns = async (where: string) => {
      const text = `SELECT DISTINCT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%' AND ${where} ORDER BY 1`
      return (await sql.raw<{ name: string }>(text).execute(db)).rows.map(({ name }) => name).join(' ')
    }
    const small = 'answered decimals fee_bps is_final is_paid is_sandbox looks posts requests_per_minute'
    expect(await columns(`data_type NOT IN ('text', 'bigint')`)).toBe(small)
    expect(await columns(`identity_generation = 'BY DEFAULT'`)).toBe('id')
  })
})
