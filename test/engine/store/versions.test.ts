import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { migrate, obstacleIn } from '../../../engine/store/migrations/migrate.ts'
import { createMigrations, INITIAL } from '../../../engine/store/migrations/migrations.ts'
import { openForLong } from '../../../engine/store/postgresDatabase.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import { landedDatabase, landedFile } from '../../support/landedRecords.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { PLACES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { notAdded, pictureOf } from './schemaPicture.ts'

const closers: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const EARLIER =
  'holds records of an earlier build of 2026-11, which this version does not read: keep them for that build, and name another place'

const DATABASE = isOverPostgres() ? 'postgresql' : 'sqlite'

const LANDED = {
  sqlite: async () => {
    const { file, ...records } = landedFile()
    closers.push(records.remove)
    return { ...records, place: file, open: () => openSqliteStore({ file, network: 'simnet' }, createTestClock()) }
  },
  postgresql: async () => {
    const { url, name, ...records } = await landedDatabase()
    closers.push(records.remove)
    const open = () => openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, createTestClock())
    return { ...records, place: `the database "${name}"`, open }
  },
} as const

describe('records of an earlier build [store-version-rules]', () => {
  it('are refused in one line that names them, and stay as they are', async () => {
    const { contents, open, place } = await LANDED[DATABASE]()
    const before = await contents()
    for (let i = 0; i < 2; i += 1)
      await expect(open()).rejects.toMatchObject({ name: 'StoreError', message: `${place} ${EARLIER}` })
    expect(await contents()).toEqual(before)
  })

  if (!isOverPostgres())
    it('in SQLite stay as they are when a killed process left a log beside them', async () => {
      const [killed, { folder, file, remove }] = [landedFile(), landedFile()]
      closers.push(killed.remove, remove)
      const writer = new SQLite(killed.file)
      writer.exec(`UPDATE partners SET fee_bps = 7`)
      for (const end of ['', '-wal']) copyFileSync(`${killed.file}${end}`, `${file}${end}`)
      writer.close()
      const bytes = () => ['swaps.sqlite', 'swaps.sqlite-wal'].map((name) => readFileSync(join(folder, name)).toString('base64'))
      const before = bytes()
      await expect(openSqliteStore({ file, network: 'simnet' }, createTestClock())).rejects.toThrow(EARLIER)
      expect(bytes()).toEqual(before)
    })
})

const TOMORROW = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z')`

describe.each(PLACES)('records in %s', (_name, makePlace) => {
  const start = async () => {
    const place = await makePlace()
    closers.push(() => place.remove())
    const open = async (network: 'simnet' | 'mainnet' = 'simnet') => {
      const store = await place.open(createTestClock(), network)
      closers.push(() => store.close())
      return store
    }
    return { place, open, store: await open() }
  }

  it('of a newer version are used where it only added to them: both write, and new columns have their defaults', async () => {
    const { place, open, store } = await start()
    await store.swaps.add(await aNewSwap({ bindingKey: 'before' }))
    for (const text of [
      `ALTER TABLE swaps ADD COLUMN colour text NOT NULL DEFAULT 'plain'`,
      'CREATE TABLE of_tomorrow (id integer)',
      TOMORROW,
    ])
      await place.change(text)
    await store.swaps.add(await aNewSwap({ bindingKey: 'running' }))
    const again = await open()
    const added = await again.swaps.add(await aNewSwap({ bindingKey: 'restarted' }))
    await again.swaps.setPosting(added.id)
    expect(await again.swaps.ofQuote('q1')).toHaveLength(3)
    const rows = await place.ask('SELECT colour, count(*) AS n FROM swaps GROUP BY colour')
    expect(rows.map(({ colour, n }) => [colour, Number(n)])).toEqual([['plain', 3]])
    expect(await place.ask(`SELECT value FROM store_facts WHERE name = 'readableFrom'`)).toEqual([{ value: INITIAL }])
  })

  it('of a newer version are refused, untouched, where they need a step that this one does not know [store-version-rules]', async () => {
    const { place, open, store } = await start()
    await place.change(TOMORROW)
    await place.change(`UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`)
    const message = expect.stringMatching(
      /^\S.* holds records of a newer version: they need a version that knows 9999-of-tomorrow; start that version, or name another place$/,
    )
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', message })
    expect(await place.ask(`SELECT value FROM store_facts WHERE name = 'readableFrom'`)).toEqual([{ value: '9999-of-tomorrow' }])
    // Whoever has them open goes on.
    await store.swaps.add(await aNewSwap())
  })

  it('are of the network of their first start, and refused on another, untouched [store-network-bound]', async () => {
    const { place, open, store } = await start()
    await store.swaps.add(await aNewSwap())
    const facts = 'SELECT name, value FROM store_facts ORDER BY name'
    const before = await place.ask(facts)
    expect(before).toContainEqual({ name: 'network', value: 'simnet' })
    await expect(open('mainnet')).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(
        /^\S.* holds records of simnet, and NETWORK is mainnet: set NETWORK=simnet, or name another place$/,
      ),
    })
    expect(await place.ask(facts)).toEqual(before)
    expect(await (await open('simnet')).swaps.ofQuote('q1')).toHaveLength(1)
  })
})

describe('what stands in the way of records of other steps', () => {
  const OURS = [INITIAL, '0002-more']
  it.each([
    ['none: there are no records', [], null, null],
    ['none: a step of ours is to come', [INITIAL], INITIAL, null],
    ['none: a newer version added to ours', [...OURS, '0003-newer'], INITIAL, null],
    ['an earlier build', ['0001-swaps'], INITIAL, /^holds records of an earlier build/],
    ['a newer version that does not say who can read it', [...OURS, '0003-newer'], null, /knows 0003-newer/],
    ['a newer version that skipped a step of ours', [INITIAL, '0003-newer'], INITIAL, /they lack 0002-more/],
  ] as const)('%s', (_what, steps, readableFrom, expected) => {
    const obstacle = obstacleIn(OURS, { steps, readableFrom, network: 'simnet' }, 'simnet')
    if (expected === null) expect(obstacle).toBeNull()
    else expect(obstacle).toMatch(expected)
  })
})

const databases = {
  sqlite: async () => new Kysely<unknown>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) }),
  postgresql: async () => {
    const url = await createDatabase()
    closers.push(() => dropDatabase(url))
    return openForLong(new Secret(url))
  },
} as const

describe('the schema', () => {
  const kind = DATABASE
  const empty = async () => {
    const db = await databases[kind]()
    closers.push(() => db.destroy())
    return db
  }

  it('is extended by a later step once, which keeps the rows that are there', async () => {
    const db = await empty()
    const bring = (steps: Record<string, Migration>) => migrate(db, { place: 'here', steps, network: 'simnet' })
    let runs = 0
    const later: Migration = {
      up: async (transaction) => {
        runs += 1
        await sql`ALTER TABLE leases ADD COLUMN note text`.execute(transaction)
      },
    }
    await bring(createMigrations(kind))
    await sql`INSERT INTO leases (name, holder, until) VALUES ('a', 'b', 1)`.execute(db)
    for (let i = 0; i < 2; i += 1) await bring({ ...createMigrations(kind), '9998-later': later })
    expect(runs).toBe(1)
    expect((await sql`SELECT name, holder, note FROM leases`.execute(db)).rows).toEqual([{ name: 'a', holder: 'b', note: null }])
    // The version before goes on with what was added.
    await bring(createMigrations(kind))
  })

  it('made by a build whose first step included the tokens is completed, and keeps its tokens', async () => {
    const db = await empty()
    const { [INITIAL]: first, '0002-tokens': tokens, ...rest } = createMigrations(kind)
    await migrate(db, {
      place: 'here',
      network: 'simnet',
      steps: {
        [INITIAL]: {
          up: async (to) => {
            await first?.up(to)
            await tokens?.up(to)
          },
        },
      },
    })
    await sql`INSERT INTO tokens VALUES (1, 'a', 'b', 'c', 6, 7)`.execute(db)
    await migrate(db, { place: 'here', network: 'simnet', steps: createMigrations(kind) })
    expect((await sql`SELECT address FROM tokens`.execute(db)).rows).toEqual([{ address: 'a' }])
    const { rows } = await sql`SELECT name FROM kysely_migration`.execute(db)
    expect(rows).toHaveLength(Object.keys(rest).length + 2)
  })

  it('is only added to by every step after the first [store-version-rules]', async () => {
    const db = await empty()
    const [first, ...later] = Object.entries(createMigrations(kind)).toSorted()
    expect(first?.[0]).toBe(INITIAL)
    await first?.[1].up(db)
    for (const [name, { up }] of later) {
      const before = await pictureOf(db, kind)
      await up(db)
      expect([name, notAdded(before, await pictureOf(db, kind))]).toEqual([name, []])
    }
  })

  it.each([
    ['a column that every row must have', 'ALTER TABLE leases ADD COLUMN x integer NOT NULL', true],
    ['a column less', 'ALTER TABLE leases DROP COLUMN holder', false],
    ['another name', 'ALTER TABLE leases RENAME COLUMN holder TO owner', false],
    ['a rule on old rows', 'CREATE UNIQUE INDEX one_holder ON leases (holder)', false],
  ])('would not be only added to by %s', async (_what, text, needsPreset) => {
    const db = await empty()
    await db.schema.createTable('leases').addColumn('name', 'text').addColumn('holder', 'text').execute()
    const before = await pictureOf(db, kind)
    // SQLite takes such a column with a preset only, by which it asks nothing.
    if (kind === 'sqlite' && needsPreset) return
    await sql.raw(text).execute(db)
    expect(notAdded(before, await pictureOf(db, kind))).not.toEqual([])
  })
})

if (isOverPostgres())
  it('PostgreSQL gives 64 bits to every number that is a key, a time or a height, and numbers keys itself', async () => {
    const db = await databases.postgresql()
    closers.push(() => db.destroy())
    for (const { up } of Object.values(createMigrations('postgresql'))) await up(db)
    const columns = (where: string) =>
      sql
        .raw<{ name: string }>(`SELECT DISTINCT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%' AND ${where} ORDER BY 1`)
        .execute(db)
    expect((await columns(`data_type NOT IN ('text', 'bigint')`)).rows.map(({ name }) => name)).toEqual([
      'answered',
      'decimals',
      'fee_bps',
      'is_final',
      'is_paid',
      'is_sandbox',
      'looks',
      'posts',
      'requests_per_minute',
    ])
    expect((await columns(`identity_generation = 'BY DEFAULT'`)).rows).toEqual([{ name: 'id' }])
  })
