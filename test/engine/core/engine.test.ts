import { afterEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { Caller } from '../../../engine/core/caller.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { createEngine } from '../../../engine/engine.ts'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { type LogSink, observeToLog } from '../../../engine/observe/jsonLog.ts'
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
  type TestEngine,
  type TestEngineOptions,
  TOKEN_KEY,
} from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0)) await close()
})

const start = async (options: Partial<TestEngineOptions> = {}): Promise<TestEngine> => {
  const engine = await createTestEngine({ venues: [createFakeVenue('toy')], ...options })
  closers.push(() => engine.close())
  return engine
}

describe('identify', () => {
  const partner: Caller = { tier: 'selfServe', partnerId: 'p1', feeBps: 20, requestsPerMinute: 120 }

  it("takes no key for an anonymous caller with the operator's limit", async () => {
    const { engine } = await start({ env: { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7' } })
    expect(await engine.identify(null)).toEqual({ tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 7 })
  })

  it('finds the caller behind a key, and refuses a key nobody holds', async () => {
    const { engine } = await start({
      keys: { find: async (key) => (key === 'swk_known' ? partner : null), forget: () => undefined },
    })
    expect(await engine.identify('swk_known')).toEqual(partner)
    for (const key of ['swk_unknown', '', 'undefined', '__proto__']) await refusalOf(engine.identify(key), 'UNAUTHORIZED')
  })

  it('knows no key when none were issued', async () => {
    const { engine } = await start()
    await refusalOf(engine.identify('any'), 'UNAUTHORIZED')
  })

  it('seals the partner and its fee into the quote', async () => {
    const venue = createFakeVenue('toy', { now: () => Date.UTC(2026, 10, 20) })
    const engine = await start({ venues: [venue], caller: partner })
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n, feeBps: 99 })
    const quote = await engine.engine.quote(order, engine.context)
    expect(venue.calls.quote[0]?.order.feeBps).toBe(20)
    expect(quote.fee).toMatchObject({ bps: 20, amount: 2_000n })
    await engine.engine.execute({ quoteToken: quote.quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    expect(await engine.store.kept()).toMatchObject([{ partnerId: 'p1' }])
  })

  it('lets nobody set a fee through the order', async () => {
    const venue = createFakeVenue('toy')
    const engine = await start({ venues: [venue] })
    await engine.engine.quote(
      anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1n, feeBps: 100 }),
      engine.context,
    )
    expect(venue.calls.quote[0]?.order.feeBps).toBe(0)
  })
})

describe('resolveToken', () => {
  const resolve = (
    { engine, context }: TestEngine,
    chainId: Parameters<TestEngine['engine']['resolveToken']>[0]['chainId'],
    address: string,
  ) => engine.resolveToken({ chainId, address }, context)

  it('reads a token, in any spelling of its address', async () => {
    const engine = await start()
    expect(await resolve(engine, 1, TOKENS.usdcEthereum.address.toLowerCase())).toEqual(TOKENS.usdcEthereum)
    expect(await resolve(engine, -2, TOKENS.usdcSolana.address)).toEqual(TOKENS.usdcSolana)
    expect(await resolve(engine, -1, 'BTC')).toEqual(nativeToken(-1))
    expect(await resolve(engine, 10, NATIVE)).toEqual(nativeToken(10))
  })

  const symbol = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'

  it.each([
    [1, 'USDC', `${symbol} ${NATIVE} for ETH`],
    [-2, 'SOL', `${symbol} So11111111111111111111111111111111111111112 for SOL`],
    [1, 'no address of a token', 'is not a valid EVM address'],
    [1, WALLETS.evm, 'is not a token on chain 1'],
    [-1, TOKENS.usdcEthereum.address, `must be ${NATIVE} or BTC`],
    [-2, WALLETS.solana, 'is not a token on chain -2'],
  ] as const)('is UNSUPPORTED_TOKEN on %i for %s: %s [token-unknown-400]', async (chainId, address, reason) => {
    const { details } = await refusalOf(resolve(await start(), chainId, address), 'UNSUPPORTED_TOKEN')
    expect(details).toEqual({ fields: [{ path: 'address', reason }] })
  })

  it.each(['unreachable', 'timeout'] as const)('is INTERNAL, to be tried again, when the chain is %s', async (failure) => {
    const chains = createFakeChains()
    chains.script.token = chainFails(failure, 1)
    const error = await refusalOf(resolve(await start({ chains }), 1, TOKENS.usdcEthereum.address), 'INTERNAL')
    expect(error.details).toEqual({ chainId: 1, retryable: true })
    expect(error.publicMessage).not.toContain('scripted')
  })

  it('gives up on a chain that hangs after five seconds [token-unknown-400]', async () => {
    const chains = createFakeChains()
    chains.script.token = chainHangs(1)
    const engine = await start({ chains })
    fakeTime()
    const call = refusalOf(resolve(engine, 1, TOKENS.usdcEthereum.address), 'INTERNAL')
    await advance(5_000)
    expect((await call).details).toMatchObject({ retryable: true })
  })

  it('hides no defect of ours', async () => {
    const chains = createFakeChains()
    chains.script.token = () => Promise.reject(new TypeError('a bug'))
    await expect(resolve(await start({ chains }), 1, TOKENS.usdcEthereum.address)).rejects.toThrow(TypeError)
  })
})

describe('health', () => {
  it('is ok with every venue listed in order, and degraded when the store cannot be read', async () => {
    const engine = await start({ venues: [createFakeVenue('b'), createFakeVenue('a')] })
    const venues = [
      { id: 'b', name: 'Toy b', trouble: null, off: null, rejecting: [] },
      { id: 'a', name: 'Toy a', trouble: null, off: null, rejecting: [] },
    ]
    expect(await engine.engine.health()).toEqual({ isDegraded: false, venues })
    engine.store.fails = (call) => call === 'probe'
    // What it last saw counts for a moment.
    engine.clock.at += 5_000
    expect(await engine.engine.health()).toEqual({ isDegraded: true, venues })
    expect(engine.engine.venueIds).toEqual(['b', 'a'])
  })
})

describe('the engine', () => {
  const KEYS = { NETWORK: 'mainnet', QUOTE_TOKEN_KEYS: TOKEN_KEY, WEBHOOK_SECRET_KEYS: TOKEN_KEY }

  it('brings the registered venues, and lets excludeVenues name those that are switched off', async () => {
    const [first] = VENUE_DEFINITIONS.map(({ id }) => id)
    const ports = {
      http: { send: () => Promise.reject(new Error('offline')), close: async () => undefined },
      chains: createFakeChains(),
      solana: createFakeSolana(),
      store: createMemoryStore(systemClock),
      evidence: 'trustVenues' as const,
      observe: () => undefined,
    }
    const all = await createEngine(parseConfig(KEYS), ports)
    expect(all.venueIds).toEqual(VENUE_DEFINITIONS.map(({ id }) => id))
    const one = await createEngine(parseConfig({ ...KEYS, VENUES_ENABLED: first }), {
      ...ports,
      clock: createTestClock(),
    })
    expect(one.venueIds).toEqual(all.venueIds)
    expect((await one.health()).venues.map(({ id }) => id)).toEqual([first])
  })

  it.each([
    ['1 MiB, lists to 4 MiB', {}, [1_048_576, 4_194_304]],
    ['the settings', { VENUES_ANSWER_BYTES_MAX: '2000000', VENUES_LIST_BYTES_MAX: '5000000' }, [2_000_000, 5_000_000]],
  ])('bounds the answers of venues: %s', async (_what, env, [answerMax, listMax]) => {
    const bounds = new Map<string, number | undefined>()
    const engine = await createTestEngine({
      env: { ...env, VENUES_ENABLED: 'near-intents,across' },
      http: async ({ url, bytesMax }) => {
        bounds.set(new URL(url).pathname, bytesMax)
        throw new HttpError('unreachable', 'offline')
      },
    })
    closers.push(() => engine.close())
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    await refusalOf(engine.engine.quote(order, engine.context), 'INTERNAL')
    expect([bounds.get('/api/swap/approval'), bounds.get('/v0/tokens')]).toEqual([answerMax, listMax])
  })

  it('refuses a quote of another network with QUOTE_INVALID, though keys and records are shared', async () => {
    const venue = createFakeVenue('toy', { now: () => Date.UTC(2026, 10, 20) })
    const simnet = await start({ venues: [venue] })
    const mainnet = await start({ venues: [venue], env: { NETWORK: 'mainnet' }, store: simnet.store })
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await simnet.engine.quote(order, simnet.context)
    const execute = ({ engine, context }: TestEngine) =>
      engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
    await refusalOf(execute(mainnet), 'QUOTE_INVALID')
    await refusalOf(mainnet.engine.status({ quoteToken, ref: 'any' }, mainnet.context), 'QUOTE_INVALID')
    expect([venue.calls.execute.length, await simnet.store.kept()]).toEqual([0, []])
    await execute(simnet)
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('does not start without a key to seal quotes with', async () => {
    const ports = {
      http: { send: () => Promise.reject(new Error('offline')), close: async () => undefined },
      chains: createFakeChains(),
      solana: createFakeSolana(),
      store: createMemoryStore(systemClock),
      evidence: 'trustVenues' as const,
      observe: () => undefined,
    }
    await expect(createEngine(parseConfig({ NETWORK: 'mainnet' }), ports)).rejects.toThrow(/token key/)
  })

  it('gives every quote an id of its own', async () => {
    const engine = await start()
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1n })
    for (let i = 0; i < 20; i += 1) await engine.engine.quote(order, engine.context)
    expect(new Set(engine.reported('quote.served').map(({ quoteId }) => quoteId)).size).toBe(20)
  })
})

describe('the log of engine events', () => {
  it('holds the event as it is, and warns of trouble', () => {
    const records: unknown[] = []
    const observe = observeToLog((record) => records.push(record))
    const trouble: EngineEvent[] = [
      {
        event: 'venue.call',
        requestId: 'r',
        venue: 'v',
        call: 'track',
        outcome: 'timeout',
        kind: 'timeout',
        reason: 'x',
        elapsedMs: 1,
      },
      { event: 'payload.refused', requestId: 'r', quoteId: 'q', venue: 'v', mismatches: ['recipient'] },
      { event: 'store.failed', requestId: 'r', reason: 'x' },
      { event: 'chain.unread', requestId: 'r', chainId: 1, what: 'allowance', reason: 'x' },
      { event: 'venue.noticed', venue: 'v', what: 'x' },
    ]
    const ordinary: EngineEvent[] = [
      { event: 'signature.submitted', requestId: 'r', quoteId: 'q', venue: 'v' },
      { event: 'venue.health', venue: 'v', healthy: true, reason: null },
    ]
    const quiet: EngineEvent[] = [
      { event: 'venue.call', requestId: 'r', venue: 'v', call: 'quote', outcome: 'failure', elapsedMs: 1 },
      { event: 'venue.call', requestId: 'r', venue: 'v', call: 'quote', outcome: 'unwilling', elapsedMs: 0 },
      { event: 'venue.call', requestId: 'r', venue: 'v', call: 'track', outcome: 'answer', elapsedMs: 1 },
      { event: 'venue.call', requestId: 'r', venue: 'v', call: 'track', outcome: 'skipped', elapsedMs: 1 },
      { event: 'venue.call', requestId: 'r', venue: 'v', call: 'prices', outcome: 'failure', elapsedMs: 1 },
    ]
    for (const event of [...trouble, ...ordinary, ...quiet]) observe(event)
    expect(records).toEqual([
      ...trouble.map((event) => ({ level: 'warn', ...event })),
      ...ordinary.map((event) => ({ level: 'info', ...event })),
      ...quiet.map((event) => ({ level: 'debug', ...event })),
    ])
  })

  it('is told what a venue notices while it serves a request, with the venue, as a warning, and once', async () => {
    // A row of the venue's token list that is another token than its id says.
    const assetId = `nep141:eth-${TOKENS.usdcEthereum.address.toLowerCase()}.omft.near`
    const row = { assetId, blockchain: 'eth', symbol: 'USDC', decimals: 6, contractAddress: TOKENS.usdtEthereum.address }
    const engine = await createTestEngine({
      env: { NETWORK: 'mainnet', VENUES_ENABLED: 'near-intents' },
      http: async () => ({ status: 200, headers: {}, text: JSON.stringify([row]) }),
    })
    closers.push(() => engine.close())
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1n })
    const quote = () => refusalOf(engine.engine.quote(order, engine.context), 'NO_LIQUIDITY')
    for (const wait of [0, 600_000, 600_000]) {
      engine.clock.at += wait
      await quote()
    }
    const records: Parameters<LogSink>[0][] = []
    for (const event of engine.events) observeToLog((record) => records.push(record))(event)
    expect(records.filter(({ event }) => event === 'venue.noticed')).toEqual([
      {
        level: 'warn',
        event: 'venue.noticed',
        venue: 'near-intents',
        what: '0 of 1 rows of the token list are what their id says; the others are left out',
      },
    ])
  })
})
