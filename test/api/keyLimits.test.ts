import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../engine/engine.ts'
import { issueKeyTo } from '../../engine/keys/issueKey.ts'
import { closing } from '../support/closing.ts'
import { type Reply, startEdge } from '../support/edgeServer.ts'
import { type KeysStage, SIGNUP, startKeys } from '../support/keysStage.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
/** Counted as all others are, and never shared by a cache. */
const OWN = '/api/v1/status?quoteToken=t&ref=r'

const own = closing()
const start = async (options: Parameters<typeof startKeys>[0] = {}) => own(await startKeys(options))

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }))
afterEach(() => void vi.useRealTimers())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const signUp = (stage: KeysStage, address: string, body: object = SIGNUP) => stage.call('POST', body, undefined, from(address))
const limitsOf = ({ status, headers }: Reply) => [status, headers['ratelimit'], headers['ratelimit-policy']]

describe('signups [limit-keys-share-address]', () => {
  it('are five a minute from one address, as the headers show while no other limit is lower', async () => {
    const stage = await start()
    const first = await signUp(stage, '192.0.2.1')
    expect(limitsOf(first)).toEqual([201, '"signup";r=4;t=60', '"signup";q=5;w=60'])
    for (let i = 0; i < 4; i += 1) expect((await signUp(stage, '192.0.2.1')).status).toBe(201)
    vi.setSystemTime(NOON + 20_500)
    const refused = await signUp(stage, '192.0.2.1')
    expect(limitsOf(refused)).toEqual([429, '"signup";r=0;t=40', '"signup";q=5;w=60'])
    expect(refused.json.error).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many signups from this address: the limit is 5 a minute. Wait details.retryAfterSec seconds.',
      details: { retryAfterSec: 40 },
    })
    expect(refused.headers['retry-after']).toBe('40')
    expect(await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null)).toHaveLength(5)
    expect((await signUp(stage, '192.0.2.2')).status).toBe(201)
    vi.setSystemTime(NOON + 60_000)
    expect((await signUp(stage, '192.0.2.1')).status).toBe(201)
  })

  it('with a wrong body count as other requests do, and not as signups', async () => {
    const stage = await start({ env: { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '8' } })
    for (let i = 0; i < 7; i += 1) expect((await signUp(stage, '192.0.2.1', {})).status).toBe(400)
    const valid = await signUp(stage, '192.0.2.1')
    expect(limitsOf(valid)).toEqual([201, '"anonymous";r=0;t=60', '"anonymous";q=8;w=60'])
    expect((await signUp(stage, '192.0.2.1', {})).status).toBe(429)
  })

  it('count by address, with any key', async () => {
    const stage = await start()
    const terms = { requestsPerMinute: 1_000 }
    const keys = [undefined, await stage.issue('enterprise', terms), await stage.issue('selfServe', terms)]
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await stage.call('POST', SIGNUP, keys[i % 3], from('192.0.2.9'))).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  })
})

describe('two keys of one partner', () => {
  it('share its limit', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const partner = (await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null))[0]
    if (!partner) throw new Error('nobody signed up')
    const second = (await stage.engine.store.transaction((parts) => issueKeyTo(parts, partner))).apiKey
    await stage.call('GET', undefined, key)
    expect((await stage.call('GET', undefined, second)).headers['ratelimit']).toBe('"self-serve";r=118;t=60')
  })
})

describe('self-serve keys used from one address [limit-keys-share-address]', () => {
  const use = (stage: KeysStage, key: string, address: string) =>
    stage.edge.call(OWN, { headers: { 'x-api-key': key, 'x-forwarded-for': address } })

  it('share a limit, which the headers show where it is lower than their own', async () => {
    const stage = await start({ app: { keysPerAddressPerMinute: 122 } })
    const [one, other] = [await stage.signUp(), await stage.signUp()]
    for (let i = 0; i < 119; i += 1) await use(stage, one, '192.0.2.1')
    expect((await use(stage, one, '192.0.2.1')).headers['ratelimit']).toBe('"self-serve";r=0;t=60')
    // A refused request uses up nothing of the shared limit.
    expect((await use(stage, one, '192.0.2.1')).status).toBe(429)
    const second = await use(stage, other, '192.0.2.1')
    expect(limitsOf(second).slice(1)).toEqual(['"keys-per-address";r=1;t=60', '"keys-per-address";q=122;w=60'])
    await use(stage, other, '192.0.2.1')
    const refused = await use(stage, other, '192.0.2.1')
    expect(limitsOf(refused)).toEqual([429, '"keys-per-address";r=0;t=60', '"keys-per-address";q=122;w=60'])
    expect(refused.json.error.message).toBe(
      'Too many requests with keys from this address: the limit is 122 a minute. Wait details.retryAfterSec seconds.',
    )
    expect((await use(stage, other, '192.0.2.2')).headers['ratelimit']).toBe('"self-serve";r=116;t=60')
  })

  it('share no limit with enterprise keys and with callers without key', async () => {
    const stage = await start({ app: { keysPerAddressPerMinute: 1 } })
    const [key, big] = [await stage.signUp(), await stage.issue('enterprise', { requestsPerMinute: 500 })]
    expect((await use(stage, key, '192.0.2.1')).headers['ratelimit-policy']).toBe('"keys-per-address";q=1;w=60')
    expect((await use(stage, key, '192.0.2.1')).status).toBe(429)
    for (let i = 0; i < 2; i += 1)
      expect((await use(stage, big, '192.0.2.1')).headers['ratelimit-policy']).toBe('"enterprise";q=500;w=60')
    const anonymous = await stage.edge.call(OWN, from('192.0.2.1'))
    expect(anonymous.headers['ratelimit']).toBe('"anonymous";r=999;t=60')
  })
})

describe('the client of a request in the engine', () => {
  it('is the address for callers without key and with self-serve keys, and the partner for enterprise keys', async () => {
    const clients: string[] = []
    const stage = await start()
    const { engine } = stage.engine
    const resolveToken: Engine['resolveToken'] = (asked, context) => {
      clients.push(context.client)
      return engine.resolveToken(asked, context)
    }
    const edge = await startEdge({ engine: { ...engine, resolveToken }, app: { trustedProxies: ['127.0.0.1'] } })
    const ask = (key: string | null, address: string) =>
      edge.call('/api/v1/tokens/resolve?chainId=-1&address=BTC', {
        headers: { ...from(address).headers, ...(key === null ? {} : { 'x-api-key': key }) },
      })
    const big = await stage.issue('enterprise')
    for (const key of [null, await stage.signUp(), await stage.signUp(), big]) await ask(key, '192.0.2.1')
    await ask(big, '192.0.2.2')
    await edge.close()
    const partner = clients[3]
    expect(clients).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1', partner, partner])
    expect(partner).toMatch(/^partner ptn_/)
  })
})
