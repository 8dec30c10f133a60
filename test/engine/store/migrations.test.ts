import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import SQLite from 'better-sqlite3'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { Payment } from '../../../engine/core/payment.ts'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import type { Broadcast } from '../../../engine/store/broadcasts.ts'
import { createMigrations } from '../../../engine/store/migrations/migrations.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { writeDocument } from '../../../engine/store/swapDocument.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
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
    readonly record: Omit<SwapRecord, 'swap' | 'endedAt'> & { readonly swap: string; readonly endedAt?: number | null }
  }[]
  readonly broadcasts: readonly (Broadcast | null)[]
}

const toBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value

const READ = JSON.parse(before('read.json').toString(), toBigint) as Read

const hex = (byte: string) => `0x${byte.repeat(32)}` as TransactionId
const TX = hex('a1')
const PAYEE = { chainId: 42161, token: TOKENS.usdcArbitrum.address, recipient: WALLETS.evm } as const
/** As the version before spells who was paid of what. */
const payeeOf = ({ chainId, token, recipient }: Pick<Payment, 'chainId' | 'token' | 'recipient'>) =>
  `${chainId}:${token}:${recipient}`

const output = (log: number, rest: Partial<Payment> = {}): Payment => ({
  kind: 'output',
  ...PAYEE,
  txHash: TX,
  place: `${TX}/log:${log}`,
  amount: 4n,
  orderId: null,
  paidAt: null,
  isFinal: false,
  ...rest,
})

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

const readAll = async ({ swaps, broadcasts }: Store): Promise<Read> => {
  const found = []
  for (const { bindingKey, record } of READ.swaps) {
    const byKey = digested(await swaps.find(record.quoteId, bindingKey))
    const byId = digested(await swaps.byId(record.id))
    expect(byKey).toEqual(byId)
    if (byId) found.push({ bindingKey, record: byId })
  }
  return {
    swaps: found,
    broadcasts: await Promise.all(READ.swaps.map(({ record }) => broadcasts.find(record.id))),
  }
}

/** When the swaps of a file had ended, as its version told it: by the last change. */
const endsOf = (file: string): ReadonlyMap<number, number> => {
  const sqlite = new SQLite(file)
  const query = `select "id", "updated_at" from "swaps" where "state" in ('success', 'refunded', 'failed')`
  const rows = sqlite.prepare(query).all() as { id: number; updated_at: number }[]
  sqlite.close()
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

describe('a file of the version before', () => {
  it('reads back the same, all of it, however often it is opened', async () => {
    const file = fileOfBefore()
    expect(READ.swaps.length).toBeGreaterThan(15)
    const { swaps, broadcasts } = READ
    const endedAt = endsOf(file)
    const withEnds = swaps.map(({ bindingKey, record }) => ({
      bindingKey,
      record: {
        ...record,
        endedAt: endedAt.get(record.id) ?? null,
        feeOf: 'partner',
        executedBy: null,
        tokenKey: null,
        requestId: '',
      },
    }))
    expect(endedAt.size).toBe(3)
    for (let i = 0; i < 2; i += 1) {
      const store = await openSqliteStore(file, createTestClock())
      expect(await readAll(store)).toEqual({ swaps: withEnds, broadcasts })
      await store.close()
    }
  })

  it('goes on where it was: what was claimed of a transaction is taken, as a whole, and is no proof for who claimed it', async () => {
    const file = fileOfBefore()
    const old = new SQLite(file)
    const claim = old.prepare(
      `insert into "deliveries" ("swap_id", "tx_hash", "payee", "least", "created_at") values (?, ?, ?, '4', 1)`,
    )
    for (const swapId of [12, 13]) claim.run(swapId, TX, payeeOf(PAYEE))
    old.close()
    const { payments } = await open(file)
    const whole = (swapId: number) => ({ swapId, place: null, token: PAYEE.token, recipient: PAYEE.recipient })
    expect(await payments.takenFrom(11, output(0), 'block:0/')).toEqual([whole(12), whole(13)])
    expect(await payments.takenFrom(12, output(0), 'block:0/')).toEqual([whole(13)])
    expect(await payments.takenFrom(11, { chainId: 10, txHash: TX }, 'block:0/')).toEqual([])
    for (const swapId of [11, 12, 13]) expect(await payments.ofSwap(swapId)).toEqual([])
  })

  it('goes on where it was: what had ended stays so', async () => {
    const store = await open(fileOfBefore())
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
        `insert into "deliveries" ("swap_id", "tx_hash", "payee", "least", "created_at") values (?, '${TX}', ?, '4', 1)
         on conflict ("tx_hash", "swap_id") do nothing`,
      )
      .run(swapId, payee)
    const rows = old
      .prepare(`select "swap_id" from "deliveries" where "tx_hash" = '${TX}' and "payee" = ? order by "id"`)
      .all(payee)
    return (rows as { swap_id: number }[]).map(({ swap_id }) => swap_id)
  }

  it('and this one see each other’s claims of one payout, each once', async () => {
    const { old, store } = await both()
    const { payments } = store
    const payee = payeeOf(PAYEE)
    const [a, b, c] = (await store.swaps.ofQuote('q-many')).map(({ id }) => id) as [number, number, number]
    expect(await payments.claim(b, [output(1), output(2)])).toBe(true)
    expect(await payments.claim(b, [output(1), output(2)])).toBe(true)
    expect(claimAsBefore(old, a, payee)).toEqual([b, a])
    expect(claimAsBefore(old, b, payee)).toEqual([b, a])
    const taken = await payments.takenFrom(c, output(3), 'block:0/')
    expect(taken.map(({ place }) => place)).toEqual([output(1).place, output(2).place, null])
    expect(await payments.takenFrom(b, output(3), 'block:0/')).toMatchObject([{ place: null }])
    expect(await payments.ofSwap(b)).toEqual([output(1), output(2)])
    expect(await payments.ofSwap(a)).toEqual([])
  })

  it('is told of no refund, and of no payment in', async () => {
    const { old, store } = await both()
    const [a] = (await store.swaps.ofQuote('q-many')).map(({ id }) => id) as [number]
    for (const kind of ['refund', 'input', 'extra'] as const) await store.payments.claim(a, [output(7, { kind, place: kind })])
    expect(old.prepare(`select count(*) as "count" from "deliveries" where "tx_hash" = ?`).get(TX)).toEqual({ count: 0 })
    expect(await store.payments.ofSwap(a)).toHaveLength(3)
  })

  it('sees an end, whose time this one knows then', async () => {
    const { old, store, id } = await both()
    old.prepare(`update "swaps" set "state" = 'success', "updated_at" = "created_at" + 9 where "id" = ?`).run(id)
    const record = await store.swaps.byId(id)
    expect(record).toMatchObject({ status: { state: 'success' }, endedAt: (record?.createdAt ?? 0) + 9 })
    old.prepare(`update "swaps" set "state" = 'failed', "updated_at" = "created_at" + 99 where "id" = ?`).run(id)
    expect((await store.swaps.byId(id))?.endedAt).toBe((record?.createdAt ?? 0) + 9)
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
    expect([...new Set(numbers)].filter((one) => one.endsWith('integer')).sort()).toEqual([
      'answered integer',
      'fee_bps integer',
      'is_final integer',
      'is_paid integer',
      'is_sandbox integer',
      'looks integer',
      'posts integer',
      'requests_per_minute integer',
    ])
    expect(text.match(/"id" bigint generated by default as identity primary key/g)).toHaveLength(8)
  })
})
