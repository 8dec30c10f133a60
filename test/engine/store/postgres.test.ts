import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { openPostgresDatabase } from '../../../engine/store/postgresDatabase.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { type PostgresServer, startPostgres } from '../../../scripts/kills/postgresServer.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { startStallingProxy } from '../../support/stallingProxy.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** What PostgreSQL does otherwise than a file. What all stores promise is in the other suites. */

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aDatabase = async (): Promise<string> => {
  const url = await createDatabase()
  closers.push(() => dropDatabase(url))
  return url
}

type Wish = { readonly poolMax?: number; readonly deadlineMs?: number }

const open = async (url: string, { poolMax = 4, deadlineMs = 3_000 }: Wish = {}): Promise<Store> => {
  const store = await openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax, deadlineMs }, createTestClock())
  closers.push(() => store.close())
  return store
}

const failureOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

/** How long a call took to fail as a store in trouble. */
const timeToFail = async (call: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  expect(await failureOf(call())).toBeInstanceOf(StoreError)
  return performance.now() - startedAt
}

describe('a PostgreSQL database', () => {
  it('is brought to the current schema once, by however many start at once on an empty one', async () => {
    const url = await aDatabase()
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(url)))
    const added = await stores[0]?.swaps.add(await aNewSwap())
    for (const { swaps } of stores) expect(await swaps.find('q1', 'a|b')).toEqual(added)
    const names = (await ask(url, 'SELECT name FROM kysely_migration')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has nothing of a migration that did not come to its end', async () => {
    const url = await aDatabase()
    // The last step cannot be done: its table is there.
    await ask(url, 'CREATE TABLE leases (name text)')
    expect(await failureOf(open(url))).toMatchObject({ message: expect.stringContaining('leases') })
    const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'`
    expect(await ask(url, tables)).toEqual([{ table_name: 'leases' }])
    await ask(url, 'DROP TABLE leases')
    await open(url)
  })

  it('compares all its text by bytes, whatever it was made with', async () => {
    const url = await aDatabase()
    await open(url)
    const others = await ask(
      url,
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    )
    expect(others).toEqual([])
  })

  it('gives every number as it is, and none that is not exact', async () => {
    const database = await openPostgresDatabase({ url: new Secret(await aDatabase()), network: 'simnet', poolMax: 2 })
    closers.push(() => database.destroy())
    const read = async (text: string) => (await sql.raw<{ n: unknown }>(`SELECT ${text} AS n`).execute(database)).rows[0]?.n
    expect(await read('9007199254740991::bigint')).toBe(Number.MAX_SAFE_INTEGER)
    expect(await read('(-9007199254740991)::bigint')).toBe(Number.MIN_SAFE_INTEGER)
    await expect(read('9007199254740992::bigint')).rejects.toThrow(RangeError)
    expect(await read('count(*)')).toBe(1)
  })
})

describe('transactions in a PostgreSQL database', () => {
  it('that meet each other end all the same, each having seen what the others left: a hundred of two processes', async () => {
    const url = await aDatabase()
    const [one, two] = [await open(url), await open(url)]
    const { id } = await one.swaps.add(await aNewSwap({ ref: '' }))
    const append = ({ transaction }: Store) =>
      transaction(async ({ swaps }) => {
        const ref = (await swaps.byId(id))?.ref ?? ''
        await swaps.setSubmitted(id, `${ref}+`)
      })
    for (let i = 0; i < 5; i += 1) await Promise.all(Array.from({ length: 20 }, (_, j) => append(j % 2 ? one : two)))
    expect((await two.swaps.byId(id))?.ref).toBe('+'.repeat(100))
  })

  it('are undone when a statement failed, though their work made nothing of that', async () => {
    const store = await open(await aDatabase())
    const work = store.transaction(async ({ swaps, payments }) => {
      await swaps.add(await aNewSwap())
      await payments.setFinal(Number.NaN, { chainId: 1, txHash: '0x' as never }).catch(() => undefined)
      return 'kept'
    })
    await expect(work).rejects.toThrow(StoreError)
    expect(await store.swaps.ofQuote('q1')).toEqual([])
  })

  it('refuse what their work did not wait for', async () => {
    const store = await open(await aDatabase())
    const { swaps } = await store.transaction(async (parts) => parts)
    await expect(swaps.add(await aNewSwap())).rejects.toThrow()
    expect(await store.swaps.ofQuote('q1')).toEqual([])
  })

  it('that hold on to what others need cost those their deadline, and not more', async () => {
    const store = await open(await aDatabase(), { deadlineMs: 500 })
    const { id } = await store.swaps.add(await aNewSwap())
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = store.transaction(async ({ swaps }) => {
      await swaps.setPosting(id)
      held.resolve()
      await promise
    })
    await held.promise
    const waited = await timeToFail(() => store.transaction(({ swaps }) => swaps.setPosting(id)))
    expect(waited).toBeLessThan(1_000)
    // The others are served meanwhile: the database is well.
    expect(await store.swaps.byId(id)).toMatchObject({ postingAt: null })
    resolve()
    await holding
    expect(await store.swaps.byId(id)).toMatchObject({ postingAt: expect.any(Number) })
  })

  it('leave nothing behind when their process is killed in the middle of them, and keep nobody waiting', async () => {
    const url = await aDatabase()
    const store = await open(url)
    const module = new URL('../../../engine/store/postgresStore.ts', import.meta.url).href
    const secret = new URL('../../../engine/core/secret.ts', import.meta.url).href
    const program = `
      const { openPostgresStore } = await import(${JSON.stringify(module)})
      const { Secret } = await import(${JSON.stringify(secret)})
      const store = await openPostgresStore({ url: new Secret(${JSON.stringify(url)}), network: 'simnet', poolMax: 2 }, { now: () => 1 })
      await store.transaction(async ({ builds }) => {
        await builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'one' }, 1_000)
        process.stdout.write('written')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const killed = once(child, 'exit')
    child.kill('SIGKILL')
    await killed
    const reserved = store.transaction(({ builds }) => builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'two' }, 1_000))
    expect(await reserved).toBe(true)
  })

  it('that never end are ended, and give back what they hold', async () => {
    const store = await open(await aDatabase(), { deadlineMs: 300 })
    const { id } = await store.swaps.add(await aNewSwap())
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const stuck = store.transaction(async ({ swaps }) => {
      await swaps.setPosting(id)
      held.resolve()
      await promise
    })
    await held.promise
    const failure = failureOf(stuck)
    await expect
      .poll(() =>
        store.swaps.setStatus(id, statusOf('processing'), null).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    resolve()
    expect(await failure).toBeInstanceOf(StoreError)
    expect(await store.swaps.byId(id)).toMatchObject({ postingAt: null, status: { state: 'processing' } })
  })

  it('leave connections to who only reads, however many wait for their turn', async () => {
    const store = await open(await aDatabase(), { poolMax: 2 })
    const { id } = await store.swaps.add(await aNewSwap())
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 20 }, () => store.transaction(() => promise))
    expect(await store.swaps.byId(id)).toMatchObject({ id })
    await store.swaps.setPosting(id)
    resolve()
    await Promise.all(waiting)
  })

  it('are run again where a single call changed what they change', async () => {
    const store = await open(await aDatabase())
    const { id } = await store.swaps.add(await aNewSwap())
    let runs = 0
    await store.transaction(async ({ swaps }) => {
      const before = await swaps.byId(id)
      runs += 1
      if (runs === 1) await store.swaps.setSubmitted(id, 'beside')
      await swaps.setStatus(id, statusOf('processing'), `${before?.ref} and within`)
    })
    expect(runs).toBe(2)
    expect(await store.swaps.byId(id)).toMatchObject({ ref: 'beside and within', submittedAt: expect.any(Number) })
  })
})

describe('a pool of connections', () => {
  it('that are all taken costs who waits for one the deadline', async () => {
    const url = await aDatabase()
    const store = await open(url, { poolMax: 2, deadlineMs: 400 })
    const other = await open(url)
    const { id } = await store.swaps.add(await aNewSwap())
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = other.transaction(async ({ swaps }) => {
      await swaps.setPosting(id)
      held.resolve()
      await promise
    })
    await held.promise
    const times = await Promise.all([1, 2, 3, 4].map(() => timeToFail(() => store.swaps.setPosting(id))))
    expect(Math.max(...times)).toBeLessThan(1_000)
    resolve()
    await holding
    await store.probe()
  })
})

describe('what partners are told, in a PostgreSQL database', () => {
  it('has an order that whoever reads page by page misses nothing of, however many write at once', async () => {
    const store = await open(await aDatabase())
    const { partners, partnerEvents } = store
    for (const id of ['p1', 'p2']) await partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
    const event = { swapId: null, event: 'swap.settled', document: {}, delivery: 'none' } as const
    const { promise, resolve } = Promise.withResolvers<void>()
    const isAdded = Promise.withResolvers<void>()
    const slow = store.transaction(async (parts) => {
      await parts.partnerEvents.add({ ...event, partnerId: 'p1' })
      isAdded.resolve()
      await promise
    })
    await isAdded.promise
    const add = (parts: Pick<Store, 'partnerEvents'>, partnerId: string) => parts.partnerEvents.add({ ...event, partnerId })
    const quick = [add(store, 'p1'), store.transaction((parts) => add(parts, 'p1'))]
    const seen: number[] = []
    for (let i = 0; i < 30; i += 1)
      for (const { place } of await partnerEvents.ofPartner('p1', { afterPlace: seen.at(-1) ?? 0, limit: 9 })) seen.push(place)
    // Another partner's do not wait.
    await add(store, 'p2')
    resolve()
    await Promise.all([slow, ...quick])
    for (const { place } of await partnerEvents.ofPartner('p1', { afterPlace: seen.at(-1) ?? 0, limit: 9 })) seen.push(place)
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('a PostgreSQL server in trouble', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.close())

  const fresh = async (name: string): Promise<string> => {
    await ask(server.urlOf(), `CREATE DATABASE ${name}`)
    return server.urlOf(name)
  }

  it('that went away fails every call as a store in trouble, and is found again when it is back', async () => {
    const store = await open(await fresh('away'))
    const added = await store.swaps.add(await aNewSwap())
    const inTheMiddle = store.transaction(async ({ swaps }) => {
      await swaps.setPosting(added.id)
      await server.crash()
      await swaps.setPosting(added.id)
    })
    expect(await failureOf(inTheMiddle)).toBeInstanceOf(StoreError)
    for (let i = 0; i < 6; i += 1) expect(await failureOf(store.probe())).toBeInstanceOf(StoreError)
    await server.restart()
    expect(await store.swaps.find('q1', 'a|b')).toEqual(added)
    await store.transaction(({ swaps }) => swaps.setPosting(added.id))
  })

  it('that hangs costs one call its deadline, and those after it nothing, until it answers again [store-postgres-hangs]', async () => {
    const proxy = await startStallingProxy(server.port)
    closers.push(() => proxy.close())
    const url = new URL(await fresh('hanging'))
    url.port = String(proxy.port)
    const store = await open(url.href, { deadlineMs: 400 })
    await Promise.all([1, 2, 3].map(() => store.probe()))
    proxy.stall()
    const waited = await Promise.all(Array.from({ length: 8 }, () => timeToFail(() => store.probe())))
    expect(Math.max(...waited)).toBeLessThan(1_000)
    expect(await timeToFail(() => store.transaction(async () => undefined))).toBeLessThan(100)
    expect(await timeToFail(() => store.probe())).toBeLessThan(100)
    proxy.resume()
    await expect
      .poll(
        () =>
          store.probe().then(
            () => true,
            () => false,
          ),
        { timeout: 5_000 },
      )
      .toBe(true)
  })

  it('tells neither host nor user nor password, whatever fails [store-postgres-hangs]', async () => {
    await fresh('told')
    await ask(server.urlOf(), `CREATE ROLE lowly LOGIN PASSWORD 'hush-hush'`)
    const url = (user: string, host: string, database: string) => `postgres://${user}:hush-hush@${host}/${database}`
    const here = `127.0.0.1:${server.port}`
    const texts = [
      [url('nobody', here, 'told'), 'the database refuses the user or the password (28000)'],
      [url('lowly', here, 'told'), 'the database does not permit it (42501)'],
      [url('lowly', here, 'missing'), 'there is no such database (3D000)'],
      [url('lowly', '127.0.0.1:9', 'told'), 'no connection to the database (ECONNREFUSED)'],
      [url('lowly', 'no-such-host.invalid', 'told'), 'no connection to the database (ENOTFOUND)'],
      [
        `${url('lowly', here, 'told')}?sslmode=verify-full`,
        'no connection to the database (The server does not support SSL connections)',
      ],
    ] as const
    for (const [text, told] of texts) {
      const error = await failureOf(open(text))
      expect(error).toMatchObject({ name: 'StoreError', message: `the store failed: ${told}` })
      const shown = inspect(error, { depth: 10, showHidden: true })
      for (const word of ['lowly', 'hush-hush', 'nobody', '127.0.0.1', 'invalid']) expect(shown).not.toContain(word)
    }
  })
})
