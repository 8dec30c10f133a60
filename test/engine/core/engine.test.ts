import { afterEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { createEngine } from '../../../engine/engine.ts'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { chainFails, chainHangs, createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeSolana } from '../../support/fakeSolana.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestClock, createTestEngine, refusalOf, type TestEngineOptions, TOKEN_KEY } from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0)) await close()
})

const start = async (options: TestEngineOptions = {}) => {
  const on = await createTestEngine({ venues: [createFakeVenue('toy')], ...options })
  closers.push(() => on.close())
  return { ...on, resolve: (chainId: ChainId, address: string) => on.engine.resolveToken({ chainId, address }, on.context) }
}

describe('resolveToken', () => {
  const symbol = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'

  it.each([
    [1, TOKENS.usdcEthereum.address.toLowerCase(), TOKENS.usdcEthereum],
    [-1, 'BTC', nativeToken(-1)],
  ] as const)('on chain %i reads %s', async (chainId, address, token) => {
    expect(await (await start()).resolve(chainId, address)).toEqual(token)
  })

  it.each([
    [1, 'USDC', `${symbol} ${NATIVE} for ETH`],
    [1, 'no address of a token', 'is not a valid EVM address'],
    [1, WALLETS.evm, 'is not a token on chain 1'],
    [-1, TOKENS.usdcEthereum.address, `must be ${NATIVE} or BTC`],
  ] as const)('on chain %i rejects %s with UNSUPPORTED_TOKEN: %s [token-unknown-400]', async (chainId, address, reason) => {
    const { details } = await refusalOf((await start()).resolve(chainId, address), 'UNSUPPORTED_TOKEN')
    expect(details).toEqual({ fields: [{ path: 'address', reason }] })
  })

  it.each([
    ['is unreachable', chainFails('unreachable', 1), 0],
    ['hangs for five seconds', chainHangs(1), 5_000],
  ])('rejects with a retryable INTERNAL while the chain %s [token-unknown-400]', async (_what, token, ms) => {
    const chains = createFakeChains()
    chains.script.token = token
    const { resolve } = await start({ chains })
    fakeTime()
    const call = refusalOf(resolve(1, TOKENS.usdcEthereum.address), 'INTERNAL')
    await advance(ms)
    const { details, publicMessage } = await call
    expect(details).toEqual({ chainId: 1, retryable: true })
    expect(publicMessage).not.toContain('scripted')
  })
})

describe('engine', () => {
  it('health lists the venues in order, and is degraded while the store cannot be read', async () => {
    const { engine, store, clock } = await start({ venues: [createFakeVenue('b'), createFakeVenue('a')] })
    const venues = ['b', 'a'].map((id) => ({ id, name: `Toy ${id}`, trouble: null, off: null, rejecting: [] }))
    expect(await engine.health()).toEqual({ isDegraded: false, venues })
    store.fails = (call) => call === 'probe'
    // Health is cached for a moment.
    clock.at += 5_000
    expect(await engine.health()).toEqual({ isDegraded: true, venues })
  })

  it('lists every registered venue in venueIds, and those of VENUES_ENABLED in health', async () => {
    const ids = VENUE_DEFINITIONS.map(({ id }) => id)
    const env = { NETWORK: 'mainnet', WEBHOOK_SECRET_KEYS: TOKEN_KEY, QUOTE_TOKEN_KEYS: TOKEN_KEY, VENUES_ENABLED: ids[0] }
    const engine = await createEngine(parseConfig(env), {
      http: { send: () => Promise.reject(new Error('offline')), close: async () => undefined },
      chains: createFakeChains(),
      solana: createFakeSolana(),
      store: createMemoryStore(systemClock),
      evidence: 'trustVenues',
      observe: () => undefined,
      clock: createTestClock(),
    })
    expect(engine.venueIds).toEqual(ids)
    expect((await engine.health()).venues.map(({ id }) => id)).toEqual([ids[0]])
  })

  it('bounds the answers and lists of venues by VENUES_ANSWER_BYTES_MAX and VENUES_LIST_BYTES_MAX', async () => {
    const bounds = new Map<string, number | undefined>()
    const http: TestEngineOptions['http'] = async ({ url, bytesMax }) => {
      bounds.set(new URL(url).pathname, bytesMax)
      throw new HttpError('unreachable', 'offline')
    }
    const sizes = { VENUES_ANSWER_BYTES_MAX: '2000000', VENUES_LIST_BYTES_MAX: '5000000' }
    const on = await createTestEngine({ env: { ...sizes, VENUES_ENABLED: 'near-intents,across' }, http })
    closers.push(() => on.close())
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    await refusalOf(on.engine.quote(order, on.context), 'INTERNAL')
    expect([bounds.get('/api/swap/approval'), bounds.get('/v0/tokens')]).toEqual([2_000_000, 5_000_000])
  })

  it('logs each event unchanged: trouble as warn, news as info, routine as debug', () => {
    const call = { event: 'venue.call', requestId: 'r', venue: 'v', elapsedMs: 1 } as const
    const events: readonly [level: string, event: EngineEvent][] = [
      ['warn', { ...call, call: 'track', outcome: 'timeout', kind: 'timeout', reason: 'x' }],
      ['warn', { event: 'payload.refused', requestId: 'r', quoteId: 'q', venue: 'v', mismatches: ['recipient'] }],
      ['info', { event: 'venue.health', venue: 'v', healthy: true, reason: null }],
      ['debug', { ...call, call: 'quote', outcome: 'failure' }],
      ['debug', { ...call, call: 'track', outcome: 'answer' }],
    ]
    const records: unknown[] = []
    const observe = observeToLog((record) => records.push(record))
    for (const [, event] of events) observe(event)
    expect(records).toEqual(events.map(([level, event]) => ({ level, ...event })))
  })
})
