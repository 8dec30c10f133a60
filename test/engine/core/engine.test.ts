import { afterEach, describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../../engine/config/config.ts'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { Caller } from '../../../engine/core/caller.ts'
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
import {
  createTestClock,
  createTestEngine,
  refusalOf,
  START_AT,
  type TestEngine,
  type TestEngineOptions,
  TOKEN_KEY,
} from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0)) await close()
})

const startWith = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  closers.push(() => engine.close())
  return engine
}

const start = (options: TestEngineOptions = {}) => startWith({ venues: [createFakeVenue('toy')], ...options })

const ORDER = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n, feeBps: 99 })

const wholeEngine = (env: Environment) =>
  createEngine(parseConfig({ NETWORK: 'mainnet', WEBHOOK_SECRET_KEYS: TOKEN_KEY, ...env }), {
    http: { send: () => Promise.reject(new Error('offline')), close: async () => undefined },
    chains: createFakeChains(),
    solana: createFakeSolana(),
    store: createMemoryStore(systemClock),
    evidence: 'trustVenues',
    observe: () => undefined,
    clock: createTestClock(),
  })

describe('identify', () => {
  const partner: Caller = { tier: 'selfServe', partnerId: 'p1', feeBps: 20, requestsPerMinute: 120 }

  it('returns the anonymous caller without a key, the partner of a known key, and UNAUTHORIZED for every other key', async () => {
    const keys = { find: async (key: string) => (key === 'swk_known' ? partner : null), forget: () => undefined }
    const { engine } = await start({ env: { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7' }, keys })
    expect(await engine.identify(null)).toEqual({ tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 7 })
    expect(await engine.identify('swk_known')).toEqual(partner)
    for (const key of ['swk_unknown', '', 'undefined', '__proto__']) await refusalOf(engine.identify(key), 'UNAUTHORIZED')
  })

  it.each([
    ['the fee of the partner', partner, 20, { bps: 20, amount: 2_000n }, 'p1'],
    ['no fee of an anonymous caller', {}, 0, null, null],
  ] as const)('seals %s into the quote, never the fee of the order', async (_what, caller, feeBps, fee, partnerId) => {
    const venue = createFakeVenue('toy', { now: () => START_AT })
    const { engine, context, store } = await start({ venues: [venue], caller })
    const quote = await engine.quote(ORDER, context)
    expect(venue.calls.quote[0]?.order.feeBps).toBe(feeBps)
    if (fee) expect(quote.fee).toMatchObject(fee)
    await engine.execute({ quoteToken: quote.quoteToken, destinationAddress: null, refundAddress: null }, context)
    expect(await store.kept()).toMatchObject([{ partnerId }])
  })
})

describe('resolveToken', () => {
  const resolve = ({ engine, context }: TestEngine, chainId: ChainId, address: string) =>
    engine.resolveToken({ chainId, address }, context)
  const symbol = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'

  it.each([
    [1, TOKENS.usdcEthereum.address.toLowerCase(), TOKENS.usdcEthereum],
    [-2, TOKENS.usdcSolana.address, TOKENS.usdcSolana],
    [-1, 'BTC', nativeToken(-1)],
    [10, NATIVE, nativeToken(10)],
  ] as const)('on %i reads %s', async (chainId, address, token) => {
    expect(await resolve(await start(), chainId, address)).toEqual(token)
  })

  it.each([
    [1, 'USDC', `${symbol} ${NATIVE} for ETH`],
    [-2, 'SOL', `${symbol} So11111111111111111111111111111111111111112 for SOL`],
    [1, 'no address of a token', 'is not a valid EVM address'],
    [1, WALLETS.evm, 'is not a token on chain 1'],
    [-1, TOKENS.usdcEthereum.address, `must be ${NATIVE} or BTC`],
    [-2, WALLETS.solana, 'is not a token on chain -2'],
  ] as const)('on %i rejects %s with UNSUPPORTED_TOKEN: %s [token-unknown-400]', async (chainId, address, reason) => {
    const { details } = await refusalOf(resolve(await start(), chainId, address), 'UNSUPPORTED_TOKEN')
    expect(details).toEqual({ fields: [{ path: 'address', reason }] })
  })

  it.each([
    ['is unreachable', chainFails('unreachable', 1), 0],
    ['times out', chainFails('timeout', 1), 0],
    ['hangs for five seconds', chainHangs(1), 5_000],
  ])('rejects with a retryable INTERNAL while the chain %s [token-unknown-400]', async (_what, token, ms) => {
    const chains = createFakeChains()
    chains.script.token = token
    const engine = await start({ chains })
    fakeTime()
    const call = refusalOf(resolve(engine, 1, TOKENS.usdcEthereum.address), 'INTERNAL')
    await advance(ms)
    const { details, publicMessage } = await call
    expect(details).toEqual({ chainId: 1, retryable: true })
    expect(publicMessage).not.toContain('scripted')
  })

  it('throws a defect of a chain reader as it is', async () => {
    const chains = createFakeChains()
    chains.script.token = () => Promise.reject(new TypeError('a bug'))
    await expect(resolve(await start({ chains }), 1, TOKENS.usdcEthereum.address)).rejects.toThrow(TypeError)
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
    expect(engine.venueIds).toEqual(['b', 'a'])
  })

  it('has every registered venue in venueIds, and in health those of VENUES_ENABLED', async () => {
    const ids = VENUE_DEFINITIONS.map(({ id }) => id)
    const engine = await wholeEngine({ QUOTE_TOKEN_KEYS: TOKEN_KEY, VENUES_ENABLED: ids[0] })
    expect(engine.venueIds).toEqual(ids)
    expect((await engine.health()).venues.map(({ id }) => id)).toEqual([ids[0]])
  })

  it('does not start without a key that seals quotes', async () => {
    await expect(wholeEngine({})).rejects.toThrow(/token key/)
  })

  it.each([
    ['1 MiB, lists 4 MiB, by default', {}, [1_048_576, 4_194_304]],
    ['the settings', { VENUES_ANSWER_BYTES_MAX: '2000000', VENUES_LIST_BYTES_MAX: '5000000' }, [2_000_000, 5_000_000]],
  ])('bounds the answers of venues: %s', async (_what, env, [answerMax, listMax]) => {
    const bounds = new Map<string, number | undefined>()
    const http: TestEngineOptions['http'] = async ({ url, bytesMax }) => {
      bounds.set(new URL(url).pathname, bytesMax)
      throw new HttpError('unreachable', 'offline')
    }
    const { engine, context } = await startWith({ env: { ...env, VENUES_ENABLED: 'near-intents,across' }, http })
    await refusalOf(engine.quote(ORDER, context), 'INTERNAL')
    expect([bounds.get('/api/swap/approval'), bounds.get('/v0/tokens')]).toEqual([answerMax, listMax])
  })

  it('rejects a quote of another network with QUOTE_INVALID, also with the same keys and records', async () => {
    const venue = createFakeVenue('toy', { now: () => START_AT })
    const simnet = await start({ venues: [venue] })
    const mainnet = await start({ venues: [venue], env: { NETWORK: 'mainnet' }, store: simnet.store })
    const { quoteToken } = await simnet.engine.quote(ORDER, simnet.context)
    const execute = ({ engine, context }: TestEngine) =>
      engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
    await refusalOf(execute(mainnet), 'QUOTE_INVALID')
    await refusalOf(mainnet.engine.status({ quoteToken, ref: 'any' }, mainnet.context), 'QUOTE_INVALID')
    expect([venue.calls.execute.length, await simnet.store.kept()]).toEqual([0, []])
    await execute(simnet)
    expect(venue.calls.execute).toHaveLength(1)
  })
})

describe('log of engine events', () => {
  it('contains each event unchanged, with warn for trouble and debug for routine', () => {
    const call = { event: 'venue.call', requestId: 'r', venue: 'v', elapsedMs: 1 } as const
    const events: readonly [level: string, event: EngineEvent][] = [
      ['warn', { ...call, call: 'track', outcome: 'timeout', kind: 'timeout', reason: 'x' }],
      ['warn', { event: 'payload.refused', requestId: 'r', quoteId: 'q', venue: 'v', mismatches: ['recipient'] }],
      ['warn', { event: 'store.failed', requestId: 'r', reason: 'x' }],
      ['warn', { event: 'chain.unread', requestId: 'r', chainId: 1, what: 'allowance', reason: 'x' }],
      ['warn', { event: 'venue.noticed', venue: 'v', what: 'x' }],
      ['info', { event: 'signature.submitted', requestId: 'r', quoteId: 'q', venue: 'v' }],
      ['info', { event: 'venue.health', venue: 'v', healthy: true, reason: null }],
      ['debug', { ...call, call: 'quote', outcome: 'failure' }],
      ['debug', { ...call, call: 'quote', outcome: 'unwilling' }],
      ['debug', { ...call, call: 'track', outcome: 'answer' }],
      ['debug', { ...call, call: 'track', outcome: 'skipped' }],
      ['debug', { ...call, call: 'prices', outcome: 'failure' }],
    ]
    const records: unknown[] = []
    const observe = observeToLog((record) => records.push(record))
    for (const [, event] of events) observe(event)
    expect(records).toEqual(events.map(([level, event]) => ({ level, ...event })))
  })

  it('contains the notice of a venue once, as a warning, however often the venue repeats its cause', async () => {
    // A row of the venue's token list that is another token than its id says.
    const assetId = `nep141:eth-${TOKENS.usdcEthereum.address.toLowerCase()}.omft.near`
    const row = { assetId, blockchain: 'eth', symbol: 'USDC', decimals: 6, contractAddress: TOKENS.usdtEthereum.address }
    const { engine, context, clock, reported } = await startWith({
      env: { NETWORK: 'mainnet', VENUES_ENABLED: 'near-intents' },
      http: async () => ({ status: 200, headers: {}, text: JSON.stringify([row]) }),
    })
    for (const wait of [0, 600_000, 600_000]) {
      clock.at += wait
      await refusalOf(engine.quote(ORDER, context), 'NO_LIQUIDITY')
    }
    const what = '0 of 1 rows of the token list are what their id says; the others are left out'
    expect(reported('venue.noticed')).toEqual([{ event: 'venue.noticed', venue: 'near-intents', what }])
  })
})
