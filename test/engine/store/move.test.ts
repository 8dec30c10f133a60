import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkName } from '../../../engine/core/networkName.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { move } from '../../../engine/store/backup/move.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { landedFile } from '../../support/landedRecords.ts'
import { ask, createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const openMoved = async (url: string, network: NetworkName = 'simnet') =>
  closing(await openPostgresStore({ url: new Secret(url), network, poolMax: 2 }, createTestClock()))

/** A file with `count` swaps, each with a payment and a fee, and an empty database. */
const start = async (count = 3) => {
  const [file, url] = [join(aFolder(), 'swaps.sqlite'), await createDatabase()]
  onTestFinished(() => dropDatabase(url))
  const store = await openFileStore(file)
  const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 1n << 200n } as const
  const lines = [line, { ...line, account: 'partner:p1', side: 'credit' }] as const
  const swap = await aNewSwap()
  await store.transaction(async ({ swaps, payments, ledger }) => {
    for (let i = 0; i < count; i += 1) {
      const { id } = await swaps.add({ ...swap, bindingKey: `b${i}`, ref: `\0${i}é` })
      await payments.claim(id, [aPayment(i)])
      await ledger.book({ key: `fee:${i}`, kind: 'fee', swapId: id, document: {}, lines })
    }
  })
  const moveTo = (to = url, from = file) => move({ database: { url: new Secret(to), poolMax: 2 } }, from)
  const run = () => {
    const script = new URL('../../../scripts/operator/move.ts', import.meta.url).pathname
    const env = { PATH: process.env['PATH'], DATABASE_URL: url }
    const child = spawn(process.execPath, [script, file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const closed = once(child, 'close')
    const ended = async () => {
      const said = (await child.stderr.setEncoding('utf8').toArray()).join('')
      return { code: (await closed)[0], said }
    }
    return { child, ended: ended() }
  }
  return { file, url, store, moveTo, run }
}

describe('a move of a SQLite file into PostgreSQL', () => {
  it('copies every record, and the command reports tables and accounts [store-move]', async () => {
    const { store, url, run } = await start(600)
    const before = await store.swaps.ofQuote('q1')
    await store.close()
    const { code, said } = await run().ended
    expect(code).toBe(0)
    for (const text of ['swaps: 600', 'payments: 600', `operator debit ${600n << 200n} of evm:1:0x2`, 'is equal'])
      expect(said).toContain(text)
    const moved = await openMoved(url)
    // PostgreSQL stores no NUL.
    const stored = before.map((record) => ({ ...record, ref: record.ref?.replace('\0', '\uFFFD') }))
    expect(await moved.swaps.ofQuote('q1')).toEqual(stored)
    expect((await moved.swaps.add(await aNewSwap({ quoteId: 'q2' }))).id).toBe(601)
  })

  it('stops later services from starting over the file', async () => {
    const { file, store, moveTo } = await start()
    await store.close()
    await moveTo()
    await expect(openFileStore(file)).rejects.toThrow(/were moved: set DATABASE_URL/)
  })

  it('is refused while a service has the file open, and into a database with records', async () => {
    const { file, url, store, moveTo } = await start()
    await expect(moveTo()).rejects.toThrow(/in use: stop the service/)
    await store.swaps.add(await aNewSwap({ quoteId: 'q2' }))
    await store.close()
    const other = await openMoved(url)
    await other.partners.add({ id: 'p1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
    await expect(moveTo()).rejects.toThrow(/has records already/)
    expect(await other.swaps.ofQuote('q1')).toEqual([])
    await openFileStore(file)
  })

  it('leaves nothing when its process is killed, can be repeated, and finds later changes of the copy', async () => {
    const { store, url, moveTo, run } = await start(600)
    await store.close()
    await openMoved(url)
    // Slow enough to be killed in the middle.
    await ask(url, 'ALTER TABLE ledger_lines ADD CONSTRAINT slow CHECK (pg_sleep(0.02) IS NOT NULL)')
    const first = run()
    await expect.poll(() => ask(url, `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%"ledger_lines"%VALUES%'`)).not.toEqual([])
    first.child.kill('SIGKILL')
    await first.ended
    await ask(url, 'ALTER TABLE ledger_lines DROP CONSTRAINT slow')
    await expect.poll(() => ask(url, 'SELECT count(*)::int AS n FROM swaps')).toEqual([{ n: 0 }])
    for (const isNew of [true, false]) expect(await moveTo()).toMatchObject({ isNew })
    await ask(url, `UPDATE ledger_lines SET amount = '7' WHERE id = 1`)
    await expect(moveTo()).rejects.toThrow(/have changed since: ledger_lines/)
  })

  it('leaves nothing when a copied record differs [store-move]', async () => {
    const { store, url, moveTo } = await start()
    await store.close()
    await openMoved(url)
    await ask(
      url,
      `CREATE FUNCTION less() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.amount := '1'; RETURN NEW; END $$;
       CREATE TRIGGER less BEFORE INSERT ON ledger_lines FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION less()`,
    )
    await expect(moveTo()).rejects.toThrow(/not what was read: ledger_lines has as many rows/)
    expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
    await ask(url, 'DROP TRIGGER less ON ledger_lines')
    expect(await moveTo()).toMatchObject({ isNew: true })
  })

  it('is refused for records of an earlier build, which stay unchanged', async () => {
    const [{ url, moveTo }, { file, contents, remove }] = [await start(), landedFile()]
    onTestFinished(remove)
    const before = await contents()
    await expect(moveTo(url, file)).rejects.toThrow(`${file} holds records of an earlier build`)
    expect(await contents()).toEqual(before)
  })

  it('copies the network, and is refused into a database of another network', async () => {
    const { store, url, moveTo } = await start()
    await store.close()
    await (await openMoved(url, 'mainnet')).close()
    await expect(moveTo()).rejects.toThrow(/holds records of mainnet/)
    expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
    const empty = await createDatabase()
    onTestFinished(() => dropDatabase(empty))
    await moveTo(empty)
    expect(await ask(empty, `SELECT value FROM store_facts WHERE name = 'network'`)).toEqual([{ value: 'simnet' }])
  })
})
