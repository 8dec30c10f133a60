import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { createMigrations, isAdditive } from '../../../engine/store/migrations/migrations.ts'
import { openForLong } from '../../../engine/store/postgresDatabase.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { PLACES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { notAdded, pictureOf } from './schemaPicture.ts'

/** Records that a newer version of the service has had, which may be running beside this one. */

const closers: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const TOMORROW = `INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2999-01-01T00:00:00.000Z')`

describe.each(PLACES)('records in %s that a newer version has had', (_name, makePlace) => {
  const start = async () => {
    const place = await makePlace()
    closers.push(() => place.remove())
    const open = async () => {
      const store = await place.open(createTestClock())
      closers.push(() => store.close())
      return store
    }
    return { place, open, store: await open() }
  }

  it('are used, where it only added to them: both versions write, and what this one knows nothing of is as preset', async () => {
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
    // What the newer one needs is not for this one to say.
    expect(await place.ask(`SELECT value FROM store_facts WHERE name = 'readableFrom'`)).toEqual([
      { value: '0021-setting-changes' },
    ])
  })

  it('are refused, untouched, where this version could not live with what it did', async () => {
    const { place, open, store } = await start()
    await place.change(TOMORROW)
    await place.change(`UPDATE store_facts SET value = '9999-of-tomorrow' WHERE name = 'readableFrom'`)
    const message =
      'the records are of a newer version of this service: it needs one that knows 9999-of-tomorrow, and this one does not'
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', message })
    expect(await place.ask(`SELECT value FROM store_facts WHERE name = 'readableFrom'`)).toEqual([{ value: '9999-of-tomorrow' }])
    // Whoever has them open goes on.
    await store.swaps.add(await aNewSwap())
  })

  it('are refused, where it does not say since when they can be used, or has not had what this one did', async () => {
    const { place, open } = await start()
    await place.change(TOMORROW)
    await place.change(`DELETE FROM store_facts WHERE name = 'readableFrom'`)
    await expect(open()).rejects.toThrow(/of a newer version/)
    await place.change(`INSERT INTO store_facts VALUES ('readableFrom', '0021-setting-changes')`)
    await open()
    await place.change(`DELETE FROM kysely_migration WHERE name LIKE '0023%'`)
    await expect(open()).rejects.toThrow(/has not had 0023/)
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

describe.each(['sqlite', 'postgresql'] as const)('a step that is said to be additive, in %s', (kind) => {
  it('changes nothing that is there, asks nothing of old rows, and puts no new rule on them', async () => {
    const db = await databases[kind]()
    closers.push(() => db.destroy())
    let steps = 0
    for (const [name, { up }] of Object.entries(createMigrations(kind)).toSorted()) {
      const before = await pictureOf(db, kind)
      await up(db)
      if (!isAdditive(name)) continue
      steps += 1
      expect([name, notAdded(before, await pictureOf(db, kind))]).toEqual([name, []])
    }
    expect(steps).toBeGreaterThan(0)
  })

  it.each([
    ['a column that every row must have', 'ALTER TABLE leases ADD COLUMN x integer NOT NULL', true],
    ['a column less', 'ALTER TABLE leases DROP COLUMN holder', false],
    ['another name', 'ALTER TABLE leases RENAME COLUMN holder TO owner', false],
    ['a rule on old rows', 'CREATE UNIQUE INDEX one_holder ON leases (holder)', false],
  ])('would be found out: %s', async (_what, text, needsPreset) => {
    const db = await databases[kind]()
    closers.push(() => db.destroy())
    await db.schema.createTable('leases').addColumn('name', 'text').addColumn('holder', 'text').execute()
    const before = await pictureOf(db, kind)
    // SQLite takes such a column with a preset only, by which it asks nothing.
    if (kind === 'sqlite' && needsPreset) return
    await sql.raw(text).execute(db)
    expect(notAdded(before, await pictureOf(db, kind))).not.toEqual([])
  })
})
