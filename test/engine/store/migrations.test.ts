import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import SQLite from 'better-sqlite3'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import type { Broadcast } from '../../../engine/store/broadcasts.ts'
import { createMigrations } from '../../../engine/store/migrations/migrations.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { writeDocument } from '../../../engine/store/swapDocument.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock, type TestClock } from '../../support/testEngine.ts'

/**
 * `before/swaps.sqlite.gz` was written by the version of 2026-11-22 through its own store: swaps in every state, signatures
 * and transactions at every step, a payout claimed by several. `before/read.json` is what that version read from it, each
 * swap's document by its SHA-256, bigints as `"1n"`.
 */
const before = (name: string): Buffer => readFileSync(new URL(`before/${name}`, import.meta.url))

type Read = {
  readonly swaps: readonly {
    readonly bindingKey: string
    readonly record: Omit<SwapRecord, 'swap'> & { readonly swap: string }
  }[]
  readonly broadcasts: readonly (Broadcast | null)[]
  readonly owed: Readonly<Record<string, bigint>>
}

const toBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value

const READ = JSON.parse(before('read.json').toString(), toBigint) as Read

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** The file as the version before left it. */
const fileOfBefore = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'swaps.sqlite')
  writeFileSync(file, gunzipSync(before('swaps.sqlite.gz')))
  return file
}

const open = async (file: string, clock: TestClock = createTestClock()): Promise<Store> => {
  const store = await openSqliteStore(file, clock)
  closers.push(() => store.close())
  return store
}

const digested = (record: SwapRecord | null) =>
  record && { ...record, swap: createHash('sha256').update(writeDocument(record.swap)).digest('hex') }

const readAll = async ({ swaps, broadcasts, payoutClaims }: Store): Promise<Read> => {
  const found = []
  for (const { bindingKey, record } of READ.swaps) {
    const byKey = digested(await swaps.find(record.quoteId, bindingKey))
    const byId = digested(await swaps.byId(record.id))
    expect(byKey).toEqual(byId)
    if (byId) found.push({ bindingKey, record: byId })
  }
  const owed = Object.keys(READ.owed).map(async (key) => {
    const [txHash, payee = ''] = key.split(' ')
    return [key, await payoutClaims.owed(txHash as TransactionId, payee)] as const
  })
  return {
    swaps: found,
    broadcasts: await Promise.all(READ.swaps.map(({ record }) => broadcasts.find(record.id))),
    owed: Object.fromEntries(await Promise.all(owed)),
  }
}

describe('a file of the version before', () => {
  it('reads back the same, all of it, however often it is opened', async () => {
    const file = fileOfBefore()
    expect(READ.swaps.length).toBeGreaterThan(15)
    for (let i = 0; i < 2; i += 1) {
      const store = await openSqliteStore(file, createTestClock())
      expect(await readAll(store)).toEqual(READ)
      await store.close()
    }
  })

  it('goes on where it was: claims keep their places, and what had ended stays so', async () => {
    const store = await open(fileOfBefore())
    const claimed = (swapId: number, payee: string) =>
      store.payoutClaims.claim({ swapId, txHash: 'pay-1' as TransactionId, payee, least: 3n })
    const [c, b, a] = (await store.swaps.ofQuote('q-many')).map(({ id }) => id) as [number, number, number]
    // Claimed by the version before in the order of c, b for x, and a for y.
    expect(await claimed(c, 'x')).toBe(0n)
    expect(await claimed(b, 'x')).toBe(5n)
    expect(await claimed(a, 'x')).toBe(12n)
    const [ended] = await store.swaps.ofQuote('q-success')
    await createLifecycle(store).transition(ended?.id ?? 0, statusOf('processing'), null)
    expect((await store.swaps.byId(ended?.id ?? 0))?.status.state).toBe('success')
  })

  it('has the deposit addresses it handed out taken, for ever, and of the sandbox none', async () => {
    const store = await open(fileOfBefore())
    const { id: other } = await store.swaps.add(await aNewSwap({ quoteId: 'another', ref: null }))
    const holderOf = (value: string, venue: string) =>
      store.swapKeys.claim({ swapId: other, venue, kind: 'address', value, until: null })
    let taken = 0
    for (const { record } of READ.swaps) {
      const swap = (await store.swaps.byId(record.id))?.swap
      if (swap?.execution.payload.executionType !== 'DEPOSIT' || record.ref === null) continue
      const holder = await holderOf(record.ref, swap.offer.venue)
      expect(holder === other).toBe(record.isSandbox)
      taken += record.isSandbox ? 0 : 1
    }
    expect(taken).toBeGreaterThan(0)
  })

  it('has the tables that a new file has', async () => {
    const columnsOf = (file: string): unknown => {
      const sqlite = new SQLite(file)
      closers.push(() => void sqlite.close())
      const query = `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' ORDER BY 1, 2`
      return sqlite.prepare(query).all()
    }
    const [old, fresh] = [fileOfBefore(), join(fileOfBefore(), '..', 'fresh.sqlite')]
    await open(old)
    await open(fresh)
    expect(columnsOf(old)).toEqual(columnsOf(fresh))
  })
})

describe('the version before, still running beside this one', () => {
  const both = async () => {
    const file = fileOfBefore()
    const old = new SQLite(file)
    closers.push(() => void old.close())
    const clock = createTestClock()
    const store = await open(file, clock)
    const [swap] = await store.swaps.ofQuote('q-new')
    return { old, clock, store, id: swap?.id ?? 0 }
  }

  /** As that version writes and reads them. */
  const claimAsBefore = (old: SQLite.Database, swapId: number, payee: string): number[] => {
    old
      .prepare(
        `insert into "deliveries" ("swap_id", "tx_hash", "payee", "least", "created_at") values (?, 'pay-9', ?, '4', 1)
         on conflict ("tx_hash", "swap_id") do nothing`,
      )
      .run(swapId, payee)
    const rows = old
      .prepare(`select "swap_id" from "deliveries" where "tx_hash" = 'pay-9' and "payee" = ? order by "id"`)
      .all(payee)
    return (rows as { swap_id: number }[]).map(({ swap_id }) => swap_id)
  }

  it('and this one see each other’s claims of one payout, each once', async () => {
    const { old, store } = await both()
    const [a, b, c] = (await store.swaps.ofQuote('q-many')).map(({ id }) => id) as [number, number, number]
    const claim = (swapId: number) =>
      store.payoutClaims.claim({ swapId, txHash: 'pay-9' as TransactionId, payee: 'x', least: 4n })
    expect(claimAsBefore(old, a, 'x')).toEqual([a])
    expect(await claim(b)).toBe(4n)
    expect(await claim(a)).toBe(0n)
    expect(claimAsBefore(old, c, 'x')).toEqual([a, b, c])
    expect(claimAsBefore(old, b, 'x')).toEqual([a, b, c])
    expect(await claim(c)).toBe(8n)
    expect(await store.payoutClaims.owed('pay-9' as TransactionId, 'x')).toBe(12n)
  })

  it('and this one see each other’s deposit addresses', async () => {
    const { old, store } = await both()
    const columns = `"quote_id", "binding_key", "venue", "partner_id", "execution_type", "is_sandbox", "ref", "document", "state",
      "created_at", "updated_at"`
    const insert = old.prepare(
      `insert into "swaps" (${columns}) select 'by-before', "binding_key", "venue", "partner_id", 'DEPOSIT', 0, 'addr-before',
        "document", "state", 5, 5 from "swaps" limit 1`,
    )
    insert.run()
    const [theirs] = await store.swaps.ofQuote('by-before')
    const mine = await store.swaps.add(await aNewSwap({ quoteId: 'by-this', ref: 'addr-this' }))
    const venue = theirs?.swap.offer.venue ?? ''
    const claim = (swapId: number, value: string, of = venue) =>
      store.swapKeys.claim({ swapId, venue: of, kind: 'address', value, until: 10 })
    expect(await claim(mine.id, 'addr-before')).toBe(theirs?.id)
    // What the trigger took for a swap of this version is its own to take.
    expect(await claim(mine.id, 'addr-this', mine.swap.offer.venue)).toBe(mine.id)
  })

  it('and this one see which swaps the other has followed', async () => {
    const { old, store, id, clock } = await both()
    const [other] = await store.swaps.ofQuote('q-sandbox')
    expect([await store.swaps.byId(id), other]).toMatchObject([{ isFollowed: false }, { isFollowed: false }])
    old.prepare(`update "swaps" set "state" = 'processing', "updated_at" = "created_at" + 5 where "id" = ?`).run(id)
    expect(await store.swaps.byId(id)).toMatchObject({ isFollowed: true, status: { state: 'processing' } })
    clock.at = (other?.createdAt ?? 0) + 5
    await store.swaps.setStatus(other?.id ?? 0, statusOf('processing'), null)
    const isFollowed = old.prepare(`select "updated_at" > "created_at" as "yes" from "swaps" where "id" = ?`).get(other?.id)
    expect(isFollowed).toEqual({ yes: 1 })
  })
})

describe('the migrations as PostgreSQL would be told them', () => {
  it('give it keys of its own, and 64 bits to every number that is a key, a time or a height', async () => {
    const told: string[] = []
    const db = new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (one) => new PostgresIntrospector(one),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void told.push(query.sql),
    })
    for (const { up } of Object.values(createMigrations('postgresql'))) await up(db)
    const text = told.join('\n')
    expect(text).not.toMatch(/autoincrement|trigger/i)
    const numbers = [...text.matchAll(/"(\w+)" (integer|bigint)/g)].map(([, name, type]) => `${name} ${type}`)
    expect([...new Set(numbers)].filter((one) => one.endsWith('integer')).sort()).toEqual(['is_sandbox integer', 'posts integer'])
    expect(text.match(/"id" bigint generated by default as identity primary key/g)).toHaveLength(3)
  })
})
