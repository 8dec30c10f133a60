import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { move } from '../../../engine/store/backup/move.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { landedFile } from '../../support/landedRecords.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'move-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return join(folder, 'swaps.sqlite')
}

const aDatabase = async (): Promise<string> => {
  const url = await createDatabase()
  closers.push(() => dropDatabase(url))
  return url
}

const placeOf = (url: string) => ({ database: { url: new Secret(url), poolMax: 2 } })

const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 1n << 200n } as const

const fill = async (store: Store, swaps: number): Promise<void> => {
  await store.transaction(async (parts) => {
    for (let i = 0; i < swaps; i += 1) {
      const { id } = await parts.swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref: `\0${i}é` }))
      await parts.payments.claim(id, [aPayment(i)])
      const lines = [line, { ...line, account: 'partner:p1', side: 'credit' }] as const
      await parts.ledger.book({ key: `fee:${i}`, kind: 'fee', swapId: id, document: {}, lines })
    }
  })
}

const aService = async (swaps = 3): Promise<{ file: string; store: Store }> => {
  const file = aFile()
  const store = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
  closers.push(() => store.close())
  await fill(store, swaps)
  return { file, store }
}

const openMoved = async (url: string): Promise<Store> => {
  const store = await openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, createTestClock())
  closers.push(() => store.close())
  return store
}

const runMove = (file: string, url: string) => {
  const script = new URL('../../../scripts/operator/move.ts', import.meta.url).pathname
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  const child = spawn(process.execPath, [script, file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, said })) }
}

describe('records that are moved from a file into PostgreSQL', () => {
  it('are all there, table by table and account by account, and the command says so [store-move]', async () => {
    const { file, store } = await aService(1_200)
    const [before, url] = [await store.swaps.ofQuote('q1'), await aDatabase()]
    await store.close()
    const { code, said } = await runMove(file, url).ended
    expect(code).toBe(0)
    for (const told of ['swaps: 1200', 'payments: 1200', `operator debit ${1_200n << 200n} of evm:1:0x2`, 'is equal'])
      expect(said).toContain(told)
    const moved = await openMoved(url)
    // PostgreSQL keeps no NUL.
    const asKept = before.map((record) => ({ ...record, ref: record.ref?.replace('\0', '\uFFFD') }))
    expect(await moved.swaps.ofQuote('q1')).toEqual(asKept)
    expect((await moved.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(1_201)
  })

  it('are kept by the database from then on: no service starts over the file', async () => {
    const { file, store } = await aService()
    await store.close()
    await move(placeOf(await aDatabase()), file)
    await expect(openSqliteStore({ file, network: 'simnet' }, createTestClock())).rejects.toThrow(/were moved: set DATABASE_URL/)
  })

  it('are not moved while a service has the file, nor into a database that holds anything', async () => {
    const [{ file, store }, url] = [await aService(), await aDatabase()]
    await expect(move(placeOf(url), file)).rejects.toThrow(/in use: stop the service/)
    await store.swaps.add(await aNewSwap({ quoteId: 'q2' }))
    await store.close()
    const other = await openMoved(url)
    await other.partners.add({ id: 'p1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
    await expect(move(placeOf(url), file)).rejects.toThrow(/has records already/)
    expect(await other.swaps.ofQuote('q1')).toEqual([])
    await (await openSqliteStore({ file, network: 'simnet' }, createTestClock())).close()
  })

  it('may be moved again after any end of the command: once it was done it is found done, and what changed since is not touched', async () => {
    const [{ file, store }, url] = [await aService(600), await aDatabase()]
    await store.close()
    await openMoved(url)
    // So slow that it is met in the middle.
    await ask(url, 'ALTER TABLE ledger_lines ADD CONSTRAINT slow CHECK (pg_sleep(0.02) IS NOT NULL)')
    const first = runMove(file, url)
    await expect.poll(() => ask(url, `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%"ledger_lines"%VALUES%'`)).not.toEqual([])
    first.child.kill('SIGKILL')
    await first.ended
    await ask(url, 'ALTER TABLE ledger_lines DROP CONSTRAINT slow')
    await expect.poll(() => ask(url, 'SELECT count(*)::int AS n FROM swaps')).toEqual([{ n: 0 }])
    expect(await move(placeOf(url), file)).toMatchObject({ isNew: true })
    expect(await move(placeOf(url), file)).toMatchObject({ isNew: false })
    await ask(url, `UPDATE ledger_lines SET amount = '7' WHERE id = 1`)
    await expect(move(placeOf(url), file)).rejects.toThrow(/have changed since: ledger_lines/)
  }, 60_000)

  it('leave nothing behind where one of them is not the same on the other side [store-move]', async () => {
    const [{ file, store }, url] = [await aService(), await aDatabase()]
    await store.close()
    await openMoved(url)
    await ask(
      url,
      `CREATE FUNCTION less() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.amount := '1'; RETURN NEW; END $$;
       CREATE TRIGGER less BEFORE INSERT ON ledger_lines FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION less()`,
    )
    await expect(move(placeOf(url), file)).rejects.toThrow(/not what was read: ledger_lines has as many rows/)
    expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
    await ask(url, 'DROP TRIGGER less ON ledger_lines')
    expect(await move(placeOf(url), file)).toMatchObject({ isNew: true })
  })

  it('of an earlier build are refused, and stay as they are', async () => {
    const [{ file, contents, remove }, url] = [landedFile(), await aDatabase()]
    closers.push(remove)
    const before = await contents()
    await expect(move(placeOf(url), file)).rejects.toThrow(`${file} holds records of an earlier build`)
    expect(await contents()).toEqual(before)
  })

  it('are moved with their network, and into no database of another one', async () => {
    const [{ file, store }, url] = [await aService(), await aDatabase()]
    await store.close()
    await (await openPostgresStore({ url: new Secret(url), network: 'mainnet', poolMax: 2 }, createTestClock())).close()
    await expect(move(placeOf(url), file)).rejects.toThrow(/holds records of mainnet/)
    expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
    const empty = await aDatabase()
    await move(placeOf(empty), file)
    expect(await ask(empty, `SELECT value FROM store_facts WHERE name = 'network'`)).toEqual([{ value: 'simnet' }])
  })
})
