import { afterEach, describe, expect, it } from 'vitest'
import { createLifecycle } from '../../engine/execution/lifecycle.ts'
import { KEY_KEPT_MS } from '../../engine/keys/keyStore.ts'
import { WALLETS } from '../support/anOrder.ts'
import { expectBalanced } from '../support/expectBalanced.ts'
import { TOKENS } from '../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../support/fakeVenue.ts'
import { type KeysStage, startKeys } from '../support/keysStage.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../support/postgres/database.ts'
import { aNewSwap } from '../support/storedSwap.ts'
import { createTestClock } from '../support/testEngine.ts'

/** Instances of the service that share one PostgreSQL database, over HTTP. */

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const ORDER = {
  inputChainId: 1,
  outputChainId: 42161,
  inputToken: TOKENS.usdcEthereum.address,
  outputToken: TOKENS.usdcArbitrum.address,
  inputAmount: '1000000',
  userAddress: WALLETS.evm,
}

const start = async (count = 2) => {
  const url = await createMigratedDatabase()
  closers.push(() => dropDatabase(url))
  const clock = createTestClock()
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })
  const startOne = async (): Promise<KeysStage> => {
    const env = { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000', RATE_LIMIT_KEYS_PER_ADDRESS: '0' }
    const stage = await startKeys({ venues: [venue], clock, store: createMemoryStore(clock, url), env })
    closers.push(stage.close)
    return stage
  }
  const stages: KeysStage[] = []
  for (let i = 0; i < count; i += 1) stages.push(await startOne())
  return { url, clock, venue, stages: stages as [KeysStage, KeysStage, ...KeysStage[]] }
}

const keyed = (apiKey?: string) => ({ headers: apiKey === undefined ? {} : { 'x-api-key': apiKey } })

const quote = async ({ edge }: KeysStage, apiKey?: string) => {
  const { status, text, json } = await edge.call('/api/v1/quote', { method: 'POST', body: ORDER, ...keyed(apiKey) })
  if (status !== 200) throw new Error(text)
  return json.data as { quoteToken: string; fee: { bps: number } }
}

const execute = ({ edge }: KeysStage, quoteToken: string, apiKey?: string) =>
  edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken }, ...keyed(apiKey) })

const status = ({ edge }: KeysStage, quoteToken: string, ref: string) =>
  edge.call(`/api/v1/status?${new URLSearchParams({ quoteToken, ref })}`)

describe('instances over one database', () => {
  it('quote on one, execute on another, and are asked for the status on a third', async () => {
    const { stages, venue } = await start(3)
    const [one, two, three] = stages
    const { quoteToken } = await quote(one)
    const { json } = await execute(two, quoteToken)
    const ref = String(json.data['statusRef'])
    venue.script.track = async () => statusOf('processing')
    expect((await status(three ?? one, quoteToken, ref)).json.data['status']).toBe('processing')
    venue.script.track = async () => statusOf('success')
    for (const stage of stages) expect((await status(stage, quoteToken, ref)).json.data['status']).toBe('success')
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('see what was changed of a key on another within the time that they keep it, and at once where it was changed', async () => {
    const { stages, clock } = await start()
    const [one, two] = stages
    const key = await one.signUp({ feeBps: 10 })
    expect((await quote(two, key)).fee.bps).toBe(10)
    await one.call('PATCH', { feeBps: 30 }, key)
    expect((await quote(one, key)).fee.bps).toBe(30)
    expect((await two.account(key))['feeBps']).toBe(30)
    clock.at += KEY_KEPT_MS
    expect((await quote(two, key)).fee.bps).toBe(30)
    const [{ hash } = { hash: '' }] = await one.engine.store.apiKeys.ofPartner(String((await one.account(key))['partnerId']))
    await one.engine.store.apiKeys.revoke(hash)
    clock.at += KEY_KEPT_MS
    for (const stage of stages) expect((await stage.call('GET', undefined, key)).status).toBe(401)
  })

  it('answer two hundred executes of few quotes at once with one deposit each, and never with 5xx', async () => {
    const { stages, venue } = await start()
    const tokens: string[] = []
    for (let i = 0; i < 20; i += 1) tokens.push((await quote(stages[i % 2] ?? stages[0])).quoteToken)
    const calls = Array.from({ length: 200 }, async (_, i) => {
      const token = tokens[i % tokens.length] ?? ''
      const { status: code, json, text } = await execute(stages[Math.floor(i / 20) % 2] ?? stages[0], token)
      return { token, code, text: code === 200 ? JSON.stringify(json.data) : text }
    })
    const replies = await Promise.all(calls)
    expect(replies.filter(({ code }) => code !== 200)).toEqual([])
    const byToken = Map.groupBy(replies, ({ token }) => token)
    for (const same of byToken.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1)
    expect(venue.calls.execute).toHaveLength(tokens.length)
    expect(await stages[0].engine.store.kept()).toHaveLength(tokens.length)
  }, 60_000)

  it('have one of them look after open swaps, and another once that one has stopped', async () => {
    const { stages, clock, venue } = await start()
    const [one, two] = stages
    const key = await one.signUp()
    venue.script.track = async () => statusOf('processing')
    for (const stage of stages) await execute(stage, (await quote(stage, key)).quoteToken, key)
    clock.at += 3_600_000
    const reports = await Promise.all([one.engine.engine.settlement.runOnce(), two.engine.engine.settlement.runOnce()])
    expect(reports.filter((report) => report !== null)).toMatchObject([{ looked: 2 }])
    expect(venue.calls.track).toHaveLength(2)
    const [holder, other] = reports[0] === null ? [two, one] : [one, two]
    expect(await other.engine.engine.settlement.runOnce()).toBeNull()
    await holder.engine.engine.settlement.stop()
    expect(await other.engine.engine.settlement.runOnce()).not.toBeNull()
  })

  it('tell a partner of all ends, in a feed without holes for whoever reads meanwhile', async () => {
    const { stages } = await start()
    const [one, two] = stages
    const key = await one.issue('enterprise', { requestsPerMinute: 1_000_000 })
    const partnerId = String((await one.account(key))['partnerId'])
    const ids: number[] = []
    for (let i = 0; i < 15; i += 1) {
      const swap = await aNewSwap({ quoteId: `q${i}`, ref: null, executedBy: partnerId, partnerId })
      ids.push((await one.engine.store.swaps.add(swap)).id)
    }
    let isOver = false
    // Both end each of them at once.
    const endAll = async ({ engine }: KeysStage) => {
      const { transition } = createLifecycle(engine.store)
      for (const id of ids) await transition(id, statusOf('failed'), null)
    }
    const ending = Promise.all(stages.map(endAll)).finally(() => {
      isOver = true
    })
    const read: string[] = []
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const after = read.at(-1)
      const query = new URLSearchParams({ limit: '20', ...(after !== undefined && { after }) })
      const { json } = await two.edge.call(`/api/v1/keys/events?${query}`, keyed(key))
      for (const { id } of json.data['events'] as { id: string }[]) read.push(id)
    }
    await ending
    await expectBalanced(one.engine.store)
    expect(read).toEqual(ids.map((_, at) => String(at + 1)))
  }, 60_000)
})

const RAISING = (what: string) => `
  CREATE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${what} RETURN NEW; END $$;
  CREATE TRIGGER trouble BEFORE INSERT ON swaps FOR EACH ROW EXECUTE FUNCTION raise_it()`
const HEALED = 'DROP TRIGGER trouble ON swaps; DROP FUNCTION raise_it'

describe('a database in trouble', () => {
  it.each([
    ['disk is full', `RAISE EXCEPTION 'full' USING ERRCODE = '53100';`],
    ['transactions never stand', `RAISE EXCEPTION 'again' USING ERRCODE = '40001';`],
    ['server is going down', `RAISE EXCEPTION 'down' USING ERRCODE = '57P01';`],
  ])(
    'whose %s costs the answers that need it, which say that it may work later, and heals',
    async (_what, raise) => {
      const { url, stages } = await start()
      const { quoteToken } = await quote(stages[0])
      await ask(url, RAISING(raise))
      for (const stage of stages) {
        const { status: code, json } = await execute(stage, quoteToken)
        expect([code, json.error.code, json.error.details]).toEqual([500, 'INTERNAL', { retryable: true }])
        expect(JSON.stringify(json)).not.toMatch(/full|again|down|postgres/)
      }
      await ask(url, HEALED)
      const replies = await Promise.all(stages.map((stage) => execute(stage, quoteToken)))
      expect(replies.map(({ status: code }) => code)).toEqual([200, 200])
      expect(replies[0]?.json.data).toEqual(replies[1]?.json.data)
    },
    60_000,
  )

  it('that undoes a transaction for another’s sake costs nothing: it is run again', async () => {
    const { url, stages, venue } = await start()
    const { quoteToken } = await quote(stages[0])
    await ask(
      url,
      `CREATE SEQUENCE tries; ${RAISING(`IF nextval('tries') < 4 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;`)}`,
    )
    expect((await execute(stages[1], quoteToken)).status).toBe(200)
    expect(venue.calls.execute).toHaveLength(1)
    expect(await ask(url, 'SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 4 }])
  })

  it('that cuts all connections costs at most the answers under way', async () => {
    const { url, stages } = await start()
    const tokens: string[] = []
    for (let i = 0; i < 12; i += 1) tokens.push((await quote(stages[i % 2] ?? stages[0])).quoteToken)
    // Their records are open by then.
    for (const stage of stages) await stage.signUp()
    const executeAll = () => Promise.all(tokens.map((token, i) => execute(stages[i % 2] ?? stages[0], token)))
    const cut = () =>
      ask(
        url,
        // Until they have ended.
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'swap-service' AND datname = current_database()`,
      )
    const [replies] = await Promise.all([executeAll(), cut()])
    for (const { status: code, json } of replies)
      expect([code, code === 200 ? null : json.error.details]).toEqual(code === 200 ? [200, null] : [500, { retryable: true }])
    expect((await executeAll()).map(({ status: code }) => code)).toEqual(tokens.map(() => 200))
  }, 60_000)

  it('whose connections are all taken up costs who waits for one its answer, in time, and heals', async () => {
    const { url, stages } = await start()
    const [one, two] = stages
    const key = await one.signUp()
    const { quoteToken } = await quote(one)
    const locked = ask(url, 'BEGIN; LOCK TABLE swaps, api_keys IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(5); COMMIT')
    await expect
      .poll(() =>
        ask(url, `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK TABLE swaps%' AND wait_event = 'PgSleep'`),
      )
      .toHaveLength(1)
    const startedAt = performance.now()
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => execute(i % 2 ? one : two, quoteToken)))
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    for (const { status: code, json } of replies)
      if (code !== 200) expect([code, json.error.details]).toEqual([500, { retryable: true }])
    await locked
    expect((await execute(one, quoteToken)).status).toBe(200)
    expect((await two.call('GET', undefined, key)).status).toBe(200)
  }, 60_000)
})
