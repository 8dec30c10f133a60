import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts'
import { startStallingProxy } from '../../support/stallingProxy.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { closing } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const aDatabase = async (): Promise<string> => {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return url
}

type Wish = { readonly poolMax?: number; readonly deadlineMs?: number }

const open = async (url: string, { poolMax = 4, deadlineMs = 3_000 }: Wish = {}): Promise<Store> =>
  closing(await openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax, deadlineMs }, createTestClock()))

/** A store over a new database, with one swap. */
const start = async (wish: Wish = {}) => {
  const url = await aDatabase()
  const store = await open(url, wish)
  const { id } = await store.swaps.add(await aNewSwap({ ref: '' }))
  return { url, store, id }
}

/** The time in ms until a call fails with StoreError. */
const timeToFail = async (call: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await expect(call()).rejects.toBeInstanceOf(StoreError)
  return performance.now() - startedAt
}

/** A transaction that has written to a swap, and ends with `resolve`. */
const holdSwap = async (store: Store, id: number) => {
  const [end, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = store.transaction(async ({ swaps }) => {
    await swaps.setPosting(id)
    held.resolve()
    await end.promise
  })
  await held.promise
  return { ended, resolve: end.resolve }
}

it('a PostgreSQL database is unchanged after a failed migration, and is migrated once when several instances start at the same time', async () => {
  const url = await aDatabase()
  // The last step fails because its table exists.
  await ask(url, 'CREATE TABLE leases (name text)')
  await expect(open(url)).rejects.toThrow('leases')
  const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'`
  expect(await ask(url, tables)).toEqual([{ table_name: 'leases' }])
  await ask(url, 'DROP TABLE leases')
  const stores = await Promise.all(Array.from({ length: 5 }, () => open(url)))
  const added = await stores[0]?.swaps.add(await aNewSwap())
  for (const { swaps } of stores) expect(await swaps.find('q1', 'a|b')).toEqual(added)
  const names = (await ask(url, 'SELECT name FROM kysely_migration')).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

describe('a PostgreSQL transaction', () => {
  it('is undone after a failed statement, also when its work ignores the error', async () => {
    const { store } = await start()
    const work = store.transaction(async ({ swaps, payments }) => {
      await swaps.add(await aNewSwap({ quoteId: 'q2' }))
      await payments.setFinal(Number.NaN, { chainId: 1, txHash: '0x' as never }).catch(() => undefined)
      return 'kept'
    })
    await expect(work).rejects.toThrow(StoreError)
    expect(await store.swaps.ofQuote('q2')).toEqual([])
  })

  it('that never ends is ended by the deadline, and releases its locks', async () => {
    const { store, id } = await start({ deadlineMs: 300 })
    const { ended, resolve } = await holdSwap(store, id)
    const failure = expect(ended).rejects.toBeInstanceOf(StoreError)
    await vi.waitFor(() => store.swaps.setStatus(id, statusOf('processing'), null), { timeout: 15_000 })
    resolve()
    await failure
    expect(await store.swaps.byId(id)).toMatchObject({ postingAt: null, status: { state: 'processing' } })
  })

  it('waits without a connection, so that others can read and write', async () => {
    const { store, id } = await start({ poolMax: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 20 }, () => store.transaction(() => promise))
    expect(await store.swaps.byId(id)).toMatchObject({ id })
    await store.swaps.setPosting(id)
    resolve()
    await Promise.all(waiting)
  })

  it('runs again when a single call changed its rows', async () => {
    const { store, id } = await start()
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

it('a call that gets no connection of the pool fails at its deadline', async () => {
  const { url, store, id } = await start({ poolMax: 2, deadlineMs: 400 })
  const { ended, resolve } = await holdSwap(await open(url), id)
  const times = await Promise.all([1, 2, 3, 4].map(() => timeToFail(() => store.swaps.setPosting(id))))
  expect(Math.max(...times)).toBeLessThan(1_000)
  resolve()
  await ended
  await store.probe()
})

describe('a PostgreSQL server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.close())

  const fresh = async (name: string): Promise<string> => {
    await ask(server.urlOf(), `CREATE DATABASE ${name}`)
    return server.urlOf(name)
  }

  it('that hangs delays the first calls by the deadline and later ones not at all, until it answers [store-postgres-hangs]', async () => {
    const proxy = closing(await startStallingProxy(server.port))
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
    await vi.waitFor(() => store.probe(), { timeout: 5_000 })
  })

  it('fails with messages that contain neither host nor user nor password [store-postgres-hangs]', async () => {
    await fresh('told')
    await ask(server.urlOf(), `CREATE ROLE lowly LOGIN PASSWORD 'hush-hush'`)
    const here = `127.0.0.1:${server.port}`
    for (const [user, host, database, message] of [
      ['nobody', here, 'told', 'the database refuses the user or the password (28000)'],
      ['lowly', here, 'missing', 'there is no such database (3D000)'],
      ['lowly', 'no-such-host.invalid', 'told', 'no connection to the database (ENOTFOUND)'],
      ['lowly', here, 'told?sslmode=verify-full', 'no connection to the database (The server does not support SSL connections)'],
    ] as const) {
      const error: unknown = await open(`postgres://${user}:hush-hush@${host}/${database}`).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'StoreError', message: `the store failed: ${message}` })
      const shown = inspect(error, { depth: 10, showHidden: true })
      for (const word of ['lowly', 'hush-hush', 'nobody', '127.0.0.1', 'invalid']) expect(shown).not.toContain(word)
    }
  })
})
