import http from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../engine/core/caller.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import { issueKeyTo } from '../../engine/keys/issueKey.ts'
import { createRateCounter } from '../../handlers/http/rateCounter.ts'
import { createProxyWatch } from '../../handlers/http/rateLimit.ts'
import type { FromWorker, ToWorker } from '../../scripts/cluster/messages.ts'
import { createPrimaryClient as askPrimary } from '../../scripts/cluster/primaryClient.ts'
import { createSharedState as createKnownToAll } from '../../scripts/cluster/sharedState.ts'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, type EdgeServer, type EdgeWish, type Reply, startEdge, USDC } from '../support/edgeServer.ts'
import { type KeysStage, SIGNUP, startKeys } from '../support/keysStage.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const PROXY = '127.0.0.1'

const PARTNERS: { readonly [apiKey: string]: Caller } = {
  swk_one: { tier: 'selfServe', partnerId: 'one', feeBps: 0, requestsPerMinute: 120 },
  swk_other: { tier: 'selfServe', partnerId: 'other', feeBps: 0, requestsPerMinute: 120 },
  swe_big: { tier: 'enterprise', partnerId: 'big', feeBps: null, requestsPerMinute: 500 },
}

/** Two requests a minute for callers without a key, so that a third is one too many. */
const identify: Engine['identify'] = async (apiKey) => {
  if (apiKey === null) return { ...ANONYMOUS, requestsPerMinute: 2 }
  const caller = PARTNERS[apiKey]
  if (!caller) throw new SwapError('UNAUTHORIZED', 'The API key is not valid.')
  return caller
}

const own = closing()
const start = async (wish: EdgeWish = {}): Promise<EdgeServer> =>
  own(await startEdge({ ...wish, engine: { identify, ...wish.engine } }))

const startStage = async (options: Parameters<typeof startKeys>[0] = {}) => own(await startKeys(options))

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }))
afterEach(() => void vi.useRealTimers())

/** A counted path that no cache shares: its responses have the RateLimit headers. */
const OWN = '/api/v1/status?quoteToken=t&ref=r'

/** The statuses of one request to /chains per entry, each with that x-forwarded-for. */
const statusesFor = async (edge: EdgeServer, forwarded: readonly string[]): Promise<readonly number[]> => {
  const statuses: number[] = []
  for (const entry of forwarded)
    statuses.push((await edge.call('/api/v1/chains', { headers: { 'x-forwarded-for': entry } })).status)
  return statuses
}

describe('the limit of a caller', () => {
  it('ends a minute after the first request, as the headers show [limit-headers]', async () => {
    const edge = await start()
    const first = await edge.call(OWN)
    expect([first.status, first.headers['ratelimit'], first.headers['ratelimit-policy']]).toEqual([
      200,
      '"anonymous";r=1;t=60',
      '"anonymous";q=2;w=60',
    ])
    vi.setSystemTime(NOON + 20_500)
    expect((await edge.call(OWN)).headers['ratelimit']).toBe('"anonymous";r=0;t=40')
    const refused = await edge.call(OWN)
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSec: 40 } })
    expect(refused.headers).toMatchObject({
      'retry-after': '40',
      ratelimit: '"anonymous";r=0;t=40',
      'ratelimit-policy': '"anonymous";q=2;w=60',
      'cache-control': 'no-store',
    })
    vi.setSystemTime(NOON + 59_999)
    expect((await edge.call(OWN)).json.error.details['retryAfterSec']).toBe(1)
    vi.setSystemTime(NOON + 60_000)
    expect((await edge.call(OWN)).headers['ratelimit']).toBe('"anonymous";r=1;t=60')
  })

  it('counts every path and outcome, and refuses a request with its body unread', async () => {
    const quote = vi.fn<Engine['quote']>()
    const edge = await start({ engine: { quote } })
    expect((await edge.call('/nowhere')).headers['ratelimit']).toBe('"anonymous";r=1;t=60')
    const bad = await edge.call('/api/v1/quote', { method: 'POST', body: '{' })
    expect([bad.status, bad.headers['ratelimit']]).toEqual([400, '"anonymous";r=0;t=60'])
    for (const path of ['/openapi.json', '/nowhere', '/api/v1/quote']) expect((await edge.call(path)).status).toBe(429)
    expect((await edge.call('/api/v1/quote', { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(429)
    expect(quote).not.toHaveBeenCalled()
  })

  it('leaves health and preflights uncounted [limit-headers]', async () => {
    const edge = await start()
    expect(await statusesFor(edge, ['', '', ''])).toEqual([200, 200, 429])
    expect((await edge.call('/api/v1/health')).status).toBe(200)
    const headers = { 'access-control-request-method': 'POST' }
    expect((await edge.call('/api/v1/quote', { method: 'OPTIONS', headers })).status).toBe(204)
  })
})

describe('partners', () => {
  it('have one limit each, from every address [limit-anonymous-per-address]', async () => {
    const edge = await start({ app: { trustedProxies: [PROXY] } })
    expect(await statusesFor(edge, ['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([200, 200, 429])
    const call = (apiKey: string, from: string) => edge.call(OWN, { headers: { 'x-api-key': apiKey, 'x-forwarded-for': from } })
    expect((await call('swk_one', '192.0.2.1')).headers).toMatchObject({
      ratelimit: '"self-serve";r=119;t=60',
      'ratelimit-policy': '"self-serve";q=120;w=60',
    })
    expect((await call('swk_one', '198.51.100.7')).headers['ratelimit']).toBe('"self-serve";r=118;t=60')
    expect((await call('swk_other', '192.0.2.1')).headers['ratelimit']).toBe('"self-serve";r=119;t=60')
    expect((await call('swe_big', '192.0.2.1')).headers['ratelimit-policy']).toBe('"enterprise";q=500;w=60')
  })

  it('over their limit receive 429, and are no proxy whatever clients they name', async () => {
    const edge = await start()
    const call = (i: number) => edge.call(OWN, { headers: { 'x-api-key': 'swk_one', 'x-forwarded-for': `192.0.2.${i}` } })
    for (let i = 0; i < 119; i += 1) await call(i)
    const last = await call(119)
    expect([last.status, last.headers['ratelimit']]).toEqual([200, '"self-serve";r=0;t=60'])
    for (let i = 0; i < 6; i += 1) expect((await call(i)).status).toBe(429)
    expect(edge.logs.filter(({ event }) => event === 'proxy.untrusted')).toEqual([])
  })

  it('that are unknown count against the address', async () => {
    const edge = await start()
    const statuses: number[] = []
    for (const apiKey of ['a', 'b', 'c', 'd']) statuses.push((await edge.call(OWN, { headers: { 'x-api-key': apiKey } })).status)
    expect(statuses).toEqual([401, 401, 429, 429])
    expect((await edge.call(OWN)).status).toBe(429)
  })
})

it('two keys of one partner share its limit', async () => {
  const stage = await startStage()
  const key = await stage.signUp()
  const [partner] = await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null)
  if (!partner) throw new Error('nobody signed up')
  const second = (await stage.engine.store.transaction((parts) => issueKeyTo(parts, partner))).apiKey
  await stage.call('GET', undefined, key)
  expect((await stage.call('GET', undefined, second)).headers['ratelimit']).toBe('"self-serve";r=118;t=60')
})

it('the client of a call is its partner for enterprise keys, and its address for all others', async () => {
  const clients: string[] = []
  const resolveToken: Engine['resolveToken'] = async (_asked, { client }) => {
    clients.push(client)
    return USDC
  }
  const edge = await start({ engine: { resolveToken }, app: { trustedProxies: [PROXY] } })
  for (const apiKey of ['', 'swk_one', 'swk_other', 'swe_big']) {
    const headers = { 'x-api-key': apiKey, 'x-forwarded-for': '192.0.2.1' }
    await edge.call('/api/v1/tokens/resolve?chainId=-1&address=BTC', { headers })
  }
  expect(clients).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1', 'partner big'])
})

it.each(['/api/v1/chains', '/openapi.json'])(
  'the shared response of %s counts, and has no RateLimit headers [limit-headers]',
  async (path) => {
    const edge = await start()
    const shared = await edge.call(path)
    expect([shared.status, shared.headers['cache-control']]).toEqual([200, 'public, max-age=3600'])
    expect(Object.keys(shared.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
    expect((await edge.call('/nowhere', { headers: { 'x-api-key': '' } })).headers['ratelimit']).toBe('"anonymous";r=0;t=60')
    const { status, headers } = await edge.call(path)
    const left = '"anonymous";r=0;t=60'
    expect([status, headers['cache-control'], headers['ratelimit']]).toEqual([429, 'no-store', left])
  },
)

describe('the address of a caller', () => {
  const AFTER_TWO = [200, 200, 429]
  const BOTH = [PROXY, '10.0.0.0/8']

  it.each<[string, readonly string[], readonly string[], readonly number[]]>([
    ['is the socket, whose x-forwarded-for counts as untrusted', [], ['192.0.2.1', '192.0.2.2', '192.0.2.3'], AFTER_TWO],
    ...['127.0.0.0/8', '::ffff:127.0.0.1'].map((proxy): [string, string[], string[], number[]] => [
      `is the one that the trusted proxy ${proxy} reports`,
      [proxy],
      ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
      [...AFTER_TWO, 200],
    ]),
    [
      'is the last one before the trusted proxies, whatever the caller wrote before it',
      BOTH,
      ['203.0.113.1, 192.0.2.1', '203.0.113.2,192.0.2.1, 10.1.2.3', '203.0.113.3, 192.0.2.1,10.1.2.3,10.9.9.9'],
      AFTER_TWO,
    ],
    ...['not an address', '192.0.2.1:8080', ''].map((entry): [string, string[], string[], number[]] => [
      `is the proxy that passed on ${JSON.stringify(entry)}`,
      [PROXY, '10.0.0.1'],
      [1, 2, 3, null].map((at) => (at === null ? '10.0.0.1' : `192.0.2.${at}, ${entry}, 10.0.0.1`)),
      [...AFTER_TWO, 429],
    ]),
    [
      'is the /64 of IPv6',
      [PROXY],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::9', '2001:db8:1:3::1', '2001:db8:2:2::1'],
      [...AFTER_TWO, 200, 200],
    ],
    [
      'is the IPv4 address within IPv6',
      [PROXY],
      ['::ffff:192.0.2.1', '192.0.2.1', '::FFFF:C000:0201', '::ffff:192.0.2.2'],
      [...AFTER_TWO, 200],
    ],
  ])('%s [limit-proxy-trust]', async (_what, trustedProxies, forwarded, statuses) => {
    expect(await statusesFor(await start({ app: { trustedProxies } }), forwarded)).toEqual(statuses)
  })

  it.each(['', ', 10.0.0.7'])(
    'over its limit that names many clients is reported, at warn once an hour: "client%s" [limit-proxy-trust]',
    async (proxy) => {
      const edge = await start()
      const reports = () => edge.logs.filter(({ event }) => event === 'proxy.untrusted')
      const clients = Array.from({ length: 7 }, (_none, at) => `192.0.2.${at}${proxy}`)
      await statusesFor(edge, [...clients.slice(0, 2), ...Array(20).fill(clients[2])])
      expect(reports()).toEqual([])
      await statusesFor(edge, clients)
      expect(reports()).toEqual(['warn', 'debug', 'debug'].map((level) => ({ level, event: 'proxy.untrusted', peer: 'private' })))
      vi.setSystemTime(NOON + 3_600_000)
      await statusesFor(edge, clients)
      expect(reports().map(({ level }) => level)).toEqual(['warn', 'debug', 'debug', 'warn'])
    },
  )

  it('behind a trusted proxy is never reported', async () => {
    const edge = await start({ app: { trustedProxies: [PROXY] } })
    const clients = Array.from({ length: 12 }, (_none, at) => `192.0.2.${at}, 9.9.9.9`)
    await statusesFor(edge, clients)
    expect(edge.logs.filter(({ event }) => event === 'proxy.untrusted')).toEqual([])
  })
})

describe('a returned request', () => {
  it('is uncounted once, and in its own minute only', async () => {
    const { count, look, giveBack } = createRateCounter()
    expect(await giveBack('a')).toBe(0)
    await count('a')
    expect((await count('a')).requests).toBe(2)
    expect(await Promise.all([giveBack('a'), giveBack('a'), giveBack('a')])).toEqual([1, 2, 0])
    expect((await look('a')).requests).toBe(0)
    expect((await count('a')).requests).toBe(1)
    vi.setSystemTime(NOON + 60_000)
    expect(await giveBack('a')).toBe(0)
    expect((await count('a')).requests).toBe(1)
  })

  it('is uncounted by every worker of a cluster', async () => {
    const answer = createKnownToAll()
    const counterOfWorker = () => {
      let take: (message: ToWorker) => void = () => undefined
      const send = (message: FromWorker) => {
        if (message.kind !== 'question') return
        void answer(message.question).then((reply) => take({ kind: 'reply', id: message.id, reply }))
      }
      const onMessage = (listener: typeof take) => {
        take = listener
      }
      return createRateCounter(askPrimary(send, onMessage).counts)
    }
    const [one, other] = [counterOfWorker(), counterOfWorker()]
    for (let i = 0; i < 40; i += 1) {
      expect((await (i % 3 === 0 ? other : one).count('a')).requests).toBe(1)
      expect(await other.giveBack('a')).toBe(i + 1)
      expect(await one.giveBack('a')).toBe(0)
    }
  })
})

describe('memory [limit-anonymous-per-address]', () => {
  it('of limited addresses is bounded: the first 1,000 of a minute are observed', () => {
    const peers: string[] = []
    let address = ''
    const watch = createProxyWatch(
      () => address,
      (event) => peers.push(event.event === 'proxy.untrusted' ? event.peer : ''),
    )
    const nameFive = (at: number) => {
      address = at === 0 ? '9.9.9.9' : `10.0.${at >> 8}.${at & 255}`
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        watch(Object.assign(new http.IncomingMessage(new Socket()), { headers: { 'x-forwarded-for': name } }))
    }
    for (let at = 0; at < 1_001; at += 1) nameFive(at)
    expect([peers.length, ...peers.slice(0, 2)]).toEqual([1_000, 'public', 'private'])
    vi.setSystemTime(NOON + 60_000)
    nameFive(1_000)
    expect(peers).toHaveLength(1_001)
  })

  it('of counted addresses is bounded: beyond it new ones share the window of their wider network', async () => {
    const { count } = createRateCounter(null, 2)
    const countsOf = async (addresses: readonly string[]) => {
      const counts: number[] = []
      for (const address of addresses) counts.push((await count(address)).requests)
      return counts
    }
    const [one, other] = ['192.0.2.1', '198.51.100.1']
    const callers = [one, other, '192.0.2.2', '192.0.2.3', '192.0.2.4', '198.51.100.2', one, one]
    // The first two keep their own windows; 192.0.2.2 to .4 share one, 198.51.100.2 has another.
    expect(await countsOf(callers)).toEqual([1, 1, 1, 2, 3, 1, 2, 3])
    vi.setSystemTime(NOON + 180_000)
    expect(await countsOf(Array(3).fill('192.0.2.4'))).toEqual([1, 2, 3])
  })

  it('keeps no wait longer than the window when the clock is set back by an hour', async () => {
    const counter = createRateCounter()
    await counter.count('a')
    vi.setSystemTime(NOON - 3_600_000)
    expect([(await counter.look('a')).msLeft, (await counter.count('a')).msLeft]).toEqual([60_000, 60_000])
  })
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const signUp = (stage: KeysStage, address: string, body: object = SIGNUP) => stage.call('POST', body, undefined, from(address))
const limitsOf = ({ status, headers }: Reply) => [status, headers['ratelimit'], headers['ratelimit-policy']]

describe('signups [limit-keys-share-address]', () => {
  it('are five a minute from one address, as the headers show while no other limit is lower', async () => {
    const stage = await startStage()
    const first = await signUp(stage, '192.0.2.1')
    expect(limitsOf(first)).toEqual([201, '"signup";r=4;t=60', '"signup";q=5;w=60'])
    for (let i = 0; i < 4; i += 1) expect((await signUp(stage, '192.0.2.1')).status).toBe(201)
    vi.setSystemTime(NOON + 20_500)
    const refused = await signUp(stage, '192.0.2.1')
    expect(limitsOf(refused)).toEqual([429, '"signup";r=0;t=40', '"signup";q=5;w=60'])
    expect(refused.json.error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSec: 40 } })
    expect(refused.headers['retry-after']).toBe('40')
    expect(await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null)).toHaveLength(5)
    expect((await signUp(stage, '192.0.2.2')).status).toBe(201)
    vi.setSystemTime(NOON + 60_000)
    expect((await signUp(stage, '192.0.2.1')).status).toBe(201)
  })

  it('with a wrong body count as other requests do, and not as signups', async () => {
    const stage = await startStage({ env: { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '8' } })
    for (let i = 0; i < 7; i += 1) expect((await signUp(stage, '192.0.2.1', {})).status).toBe(400)
    const valid = await signUp(stage, '192.0.2.1')
    expect(limitsOf(valid)).toEqual([201, '"anonymous";r=0;t=60', '"anonymous";q=8;w=60'])
    expect((await signUp(stage, '192.0.2.1', {})).status).toBe(429)
  })

  it('count by address, with any key', async () => {
    const stage = await startStage()
    const terms = { requestsPerMinute: 1_000 }
    const keys = [undefined, await stage.issue('enterprise', terms), await stage.issue('selfServe', terms)]
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await stage.call('POST', SIGNUP, keys[i % 3], from('192.0.2.9'))).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  })
})

describe('self-serve keys used from one address [limit-keys-share-address]', () => {
  const use = (stage: KeysStage, key: string, address: string) =>
    stage.edge.call(OWN, { headers: { 'x-api-key': key, 'x-forwarded-for': address } })

  it('share a limit, which the headers show where it is lower than their own', async () => {
    const stage = await startStage({ app: { keysPerAddressPerMinute: 122 } })
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
    expect((await use(stage, other, '192.0.2.2')).headers['ratelimit']).toBe('"self-serve";r=116;t=60')
  })

  it('share no limit with enterprise keys and with callers without key', async () => {
    const stage = await startStage({ app: { keysPerAddressPerMinute: 1 } })
    const [key, big] = [await stage.signUp(), await stage.issue('enterprise', { requestsPerMinute: 500 })]
    expect((await use(stage, key, '192.0.2.1')).headers['ratelimit-policy']).toBe('"keys-per-address";q=1;w=60')
    expect((await use(stage, key, '192.0.2.1')).status).toBe(429)
    for (let i = 0; i < 2; i += 1)
      expect((await use(stage, big, '192.0.2.1')).headers['ratelimit-policy']).toBe('"enterprise";q=500;w=60')
    const anonymous = await stage.edge.call(OWN, from('192.0.2.1'))
    expect(anonymous.headers['ratelimit']).toBe('"anonymous";r=999;t=60')
  })
})
