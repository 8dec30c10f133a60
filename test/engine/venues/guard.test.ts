import { afterEach, describe, expect, it } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import { startRequest } from '../../../engine/net/exchanges.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { NotAwaited } from '../../../engine/venues/venueOutcome.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  createFakeVenue,
  declines,
  type FakeVenue,
  type FakeVenueOptions,
  offers,
  statusOf,
  type VenueScript,
} from '../../support/fakeVenue.ts'
import { guardedVenue } from '../../support/guardedVenue.ts'
import { asClient, executeToken, order, startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime, runQuote } from '../../support/raceTime.ts'
import { createTestEngine, START_AT, type TestEngine } from '../../support/testEngine.ts'

const OPEN_MS = 15_000
/** More than every limit and every memory of one client. */
const MANY = 150
const LIMITS = { requestsPerSecond: 40, requestsPerMinute: 100, missesPerMinute: 40 } as const

/** An order that makes the toy venue of these tests fail. */
const odd = order({ amount: 666n })
const [malformed, poor] = [declines('badRequest'), declines('noLiquidity')]
const notSent = declines('unavailable', { nature: 'notSent' })

afterEach(() => realTime())

type Bench = TestEngine & { readonly best: FakeVenue; readonly other: FakeVenue }

/** The best venue of two, under limits, and another one that any client gets when the best is left out. */
const start = async (options: FakeVenueOptions = {}, more: readonly FakeVenue[] = []): Promise<Bench> => {
  const best = createFakeVenue('best', { now: () => START_AT, profile: { limits: LIMITS }, quote: offers(2_000n), ...options })
  const other = createFakeVenue('other', {
    quote: (asked, signal) => (asked.inputAmount === odd.inputAmount ? poor : offers(1_999n))(asked, signal),
  })
  return { ...(await startEngine([best, other, ...more])), best, other }
}

const quoteAs = (on: TestEngine, client: string, asked: Order = order()) => on.engine.quote(asked, asClient(on, client).context)
const winnerFor = async (on: TestEngine, client: string, asked?: Order) => (await quoteAs(on, client, asked)).venue.id
const executeAs = (on: TestEngine, client: string, quoteToken: string) => executeToken(asClient(on, client), quoteToken)

const times = async (count: number, work: (at: number) => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i += 1) await work(i).catch(() => undefined)
}

const healthOf = async ({ engine }: TestEngine) => (await engine.health()).venues.find(({ id }) => id === 'best')
const troubleOf = async (on: TestEngine) => (await healthOf(on))?.trouble

/** A swap of the best venue that its client executed, and requests of its status. */
const swapOf = async (on: Bench, client = 'alice') => {
  const { quoteToken } = await quoteAs(on, client)
  const { statusRef } = await executeAs(on, client, quoteToken)
  const ref = statusRef ?? `0x${'ab'.repeat(32)}`
  const status = (by = client, signal = on.context.signal) =>
    on.engine.status({ quoteToken, ref }, { ...asClient(on, by).context, signal })
  const report = (state: Parameters<typeof statusOf>[0]) => {
    on.best.script.track = async () => statusOf(state)
  }
  return { quoteToken, ref, status, report }
}

describe('after 150 calls for one client another one gets the same venue [health-one-client-harmless]', () => {
  const keyRefused = declines('unavailable', { nature: 'keyRefused' })
  const limited = declines('rateLimited', { retryAfterMs: 3_600_000 })

  it.each<[call: keyof VenueScript, string, answer: VenueScript['quote'], trouble?: string]>([
    ['quote', 'that wins', offers(2_000n)],
    ['quote', 'whose form the venue refuses', malformed],
    ['quote', 'that fails', declines('unavailable')],
    ['quote', 'with an offer that our checks reject', offers(0n)],
    ['quote', 'with our key refused', keyRefused, 'keyRefused'],
    ['quote', 'above the limit of the venue', limited],
    ['execute', 'that fails', declines('unavailable')],
    ['execute', 'with our key refused', keyRefused],
    ['execute', 'above the limit of the venue', limited],
    ['decode', 'of an unreadable payload', declines('badResponse')],
    ['track', 'that fails', declines('unavailable')],
    ['track', 'above the limit of the venue', limited],
    ['submit', 'of a valid signature that fails', declines('badResponse')],
  ])('%s %s', async (call, _what, answer, trouble) => {
    const on = await start({ kind: call === 'track' ? 'DEPOSIT' : call === 'submit' ? 'SIGNATURE' : 'TRANSACTION' })
    on.chains.script.isValidContractSignature = async () => true
    const { quoteToken } = await quoteAs(on, 'mallory')
    const { context } = asClient(on, 'mallory')
    const request = { quoteToken, signature: '0xdeadbeef', approvalSignature: null } as const
    const ref = call === 'track' || call === 'submit' ? (await executeAs(on, 'mallory', quoteToken)).statusRef : null
    const toOdd: VenueScript['quote'] = (...asked) =>
      (asked[0].inputAmount === odd.inputAmount ? answer : offers(2_000n))(...asked)
    Object.assign(on.best.script, { [call]: call === 'quote' ? toOdd : answer })
    await times(MANY, (): Promise<unknown> => {
      if (call === 'quote') return winnerFor(on, 'mallory', odd)
      if (call === 'track') return on.engine.status({ quoteToken, ref: ref ?? '' }, context)
      return call === 'submit' ? on.engine.submitSignature(request, context) : executeAs(on, 'mallory', quoteToken)
    })
    const { execute, submit } = on.best.calls
    if (call !== 'quote' && call !== 'track') expect(call === 'submit' ? submit : execute).toHaveLength(MANY)
    if (call === 'quote') expect(await troubleOf(on)).toBe(trouble ?? null)
    expect([await winnerFor(on, 'alice'), await troubleOf(on)]).toEqual(['best', null])
  })
})

it('the requests of quotes never exceed the limit of a venue: a quote without room for one is skipped', async () => {
  let sent = 0
  const quote: FakeVenueOptions['quote'] = async (...asked) => {
    for (let i = 0; i < 3; i += 1) {
      await new Promise(setImmediate)
      startRequest()
      sent += 1
    }
    return offers(2_000n)(...asked)
  }
  const on = await start({ quote, profile: { limits: { requestsPerSecond: 5 } } })
  await Promise.all(Array.from({ length: 20 }, (_client, i) => winnerFor(on, `client ${i}`)))
  expect(sent).toBeLessThanOrEqual(4)
  const ends = on.called('quote').filter(({ venue, outcome }) => venue === 'best' && outcome !== 'answer')
  expect([ends.length > 0, new Set(ends.map(({ outcome }) => outcome))]).toEqual([true, new Set(['skipped'])])
  // Neither the breaker nor a pause holds the venue back, and a quote is admitted when all of its requests have room.
  on.clock.at += 4_000
  expect([await winnerFor(on, 'alice'), await troubleOf(on), sent]).toEqual(['best', null, 7])
})

it('the limit of a venue holds although the wall clock is set forth and back', async () => {
  const venue = createFakeVenue('best', { profile: { limits: { requestsPerMinute: 5 } } })
  const on = await startEngine([venue], { monotonic: () => 0 })
  for (const minutes of [2, -2, 2, -2, 2, -2]) {
    on.clock.at += minutes * 60_000
    await quoteAs(on, 'alice').catch(() => undefined)
  }
  expect(venue.calls.quote.length).toBeLessThanOrEqual(5)
})

describe('a venue that fails at one call, however well it prices [health-dead-call-found]', () => {
  it('execute: loses its quotes for the client that met five failures', async () => {
    const on = await start()
    on.best.script.execute = declines('unavailable')
    for (let i = 0; i < 5; i += 1) {
      on.clock.at += 1_000
      const { quoteToken, venue } = await quoteAs(on, 'alice')
      expect(venue.id).toBe('best')
      await executeAs(on, 'alice', quoteToken).catch(() => undefined)
    }
    expect([await troubleOf(on), await winnerFor(on, 'alice')]).toEqual([null, 'other'])
  })

  it('payload: loses its quotes after five rejected payloads, on that route only [health-dead-call-found]', async () => {
    const on = await start()
    on.best.script.decode = async () => Promise.reject(new VenueError('badResponse', 'scripted'))
    const { quoteToken } = await quoteAs(on, 'alice')
    await times(4, () => executeAs(on, 'alice', quoteToken))
    expect(await winnerFor(on, 'alice')).toBe('best')
    await times(1, () => executeAs(on, 'alice', quoteToken))
    const back = order({ from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.usdcEthereum) })
    expect([await winnerFor(on, 'alice'), await winnerFor(on, 'alice', back)]).toEqual(['other', 'best'])
    on.clock.at += OPEN_MS
    expect(await winnerFor(on, 'alice')).toBe('best')
  })

  it('status: keeps its quotes, and after five failures its swap has the last known state without a call', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    const { status, report } = await swapOf(on)
    report('processing')
    const known = await status()
    on.best.script.track = declines('unavailable')
    for (let i = 0; i < 8; i += 1) expect(await status()).toEqual(known)
    expect(on.best.calls.track).toHaveLength(1 + 5)
    expect([await troubleOf(on), await winnerFor(on, 'alice')]).toEqual([null, 'best'])
  })

  it('status: is unhealthy after failures of five clients, and is still asked about a swap without a known state', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    on.best.script.track = declines('unavailable')
    for (const client of ['a', 'b', 'c', 'd', 'e']) await times(1, (await swapOf(on, client)).status as () => Promise<unknown>)
    expect(await healthOf(on)).toMatchObject({ failing: ['status'] })
    const { status, report } = await swapOf(on, 'f')
    report('processing')
    expect((await status()).state).toBe('processing')
  })

  it('status: is unhealthy after failures of five swaps that settlement follows, each counted once, and keeps its quotes', async () => {
    const fake = createFakeVenue('best')
    fake.script.track = declines('unavailable')
    const venue = guardedVenue(fake)
    const calling = {
      observe: () => undefined,
      client: 'settlement',
      canWait: true,
      signal: new AbortController().signal,
    } as const
    const follow = (ref: string) => times(3, async () => venue.tracker?.track(ref, {} as never, calling))
    for (const ref of ['a', 'b', 'c', 'd']) await follow(ref)
    expect(venue.trouble).toBeNull()
    await follow('e')
    expect([venue.trouble, venue.failing, venue.isResting]).toEqual(['failing', ['status'], false])
  })

  it.each([
    ['unhealthy: four quotes of five fail', 'failing', declines('badResponse'), offers(1_000n), malformed],
    ['healthy: other venues fail the same quotes', null, declines('badResponse'), declines('unavailable'), malformed],
    ['unhealthy: another fails and a third sells', 'failing', declines('badResponse'), declines('timeout'), offers(1n)],
    ['unhealthy: another fails and a third declines', 'failing', declines('timeout'), declines('timeout'), poor],
    ['healthy: our checks reject four answers of five', null, offers(0n), offers(1_000n), malformed],
    ['healthy: the service cannot send four of five', null, notSent, offers(1_000n), malformed],
  ] as const)('quote: is %s', async (_what, trouble, ofBest, ofOther, quote) => {
    const on = await start({ profile: {} }, [createFakeVenue('third', { quote })])
    for (let i = 0; i < 60; i += 1) {
      const isDeclined = i % 5 === 4
      on.best.script.quote = isDeclined ? poor : ofBest
      on.other.script.quote = isDeclined ? offers(1_000n) : ofOther
      await times(1, () => quoteAs(on, `client ${i % 6}`))
      on.clock.at += 1_000
    }
    expect(await troubleOf(on)).toBe(trouble)
  })

  it('quote: is skipped and unhealthy after failures of five clients, and healthy after 15 minutes of silence', async () => {
    fakeTime()
    const on = await start({ quote: declines('unavailable') })
    const quotes = async (...clients: readonly string[]) => {
      for (const client of clients) await runQuote(asClient(on, client), order())
    }
    await quotes('a', 'b', 'c', 'd')
    expect([await troubleOf(on), (await on.engine.health()).isDegraded]).toEqual([null, false])
    await quotes('e', 'e')
    expect(await healthOf(on)).toMatchObject({ id: 'best', name: 'Toy best', trouble: 'failing', failing: ['quote'] })
    expect([(await on.engine.health()).isDegraded, on.best.calls.quote.length]).toEqual([true, 5])
    expect(on.called('quote').at(-2)).toMatchObject({ venue: 'best', outcome: 'skipped' })
    on.best.script.quote = offers(2_000n)
    await advance(OPEN_MS)
    await quotes('f')
    expect(await troubleOf(on)).toBe('failing')
    await advance(15 * 60_000)
    expect(await troubleOf(on)).toBeNull()
    const changes = [{ healthy: false, reason: 'failing at quote' }, { healthy: true }]
    expect(on.reported('venue.health')).toMatchObject(changes.map((change) => ({ venue: 'best', ...change })))
  })
})

describe('a venue that asks for a pause [venue-429-pause]', () => {
  const pausing = declines('rateLimited', { retryAfterMs: 7_000 })

  it('receives no quote and no status request until the pause ends, is healthy, and its swaps keep their state', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    const { status, report } = await swapOf(on)
    report('processing')
    const known = await status()
    on.best.script.quote = pausing
    expect(await winnerFor(on, 'alice')).toBe('other')
    on.best.script.quote = offers(2_000n)
    report('success')
    on.clock.at += 6_999
    expect([await winnerFor(on, 'alice'), await status()]).toEqual(['other', known])
    expect([on.best.calls.quote.length, on.best.calls.track.length, await troubleOf(on)]).toEqual([2, 1, null])
    expect(on.called('track').at(-1)).toMatchObject({ outcome: 'skipped', kind: 'rateLimited' })
    on.clock.at += 1
    expect([await winnerFor(on, 'alice'), (await status()).state]).toEqual(['best', 'success'])
  })

  it('in an answer about prices receives no quote until the pause ends', async () => {
    const on = await start({ prices: { usd: pausing } })
    await winnerFor(on, 'alice')
    on.clock.at += 6_999
    expect([await winnerFor(on, 'alice'), await troubleOf(on)]).toEqual(['other', null])
    const { length } = on.best.calls.quote
    on.clock.at += 1
    await winnerFor(on, 'alice')
    expect(on.best.calls.quote.length).toBeGreaterThan(length)
  })
})

describe('status requests about one swap within the interval of the venue [venue-429-pause]', () => {
  const SPACED = { profile: { limits: { statusIntervalMs: 5_000 } }, kind: 'DEPOSIT' } as const

  const startSpaced = async () => {
    fakeTime()
    const on = await start(SPACED)
    const pass = async (ms: number): Promise<void> => {
      on.clock.at += ms
      await advance(ms)
    }
    return { on, pass, ...(await swapOf(on)) }
  }

  it('return the last report, and the last known state after a failure, without a call', async () => {
    const { on, pass, status, report } = await startSpaced()
    const [calls, state] = [() => on.best.calls.track.length, async () => (await status()).state]
    // A swap that was handed out is pending while its venue does not know it.
    report('not_found')
    expect(await state()).toBe('pending')
    report('processing')
    await pass(4_999)
    expect([await state(), calls()]).toEqual(['pending', 1])
    await pass(1)
    expect([await state(), calls()]).toEqual(['processing', 2])
    await pass(5_000)
    on.best.script.track = declines('unavailable')
    for (let i = 0; i < 3; i += 1) expect([await state(), calls()]).toEqual(['processing', 3])
    // The clock is set back.
    on.clock.at -= 60_000
    expect([await state(), calls()]).toEqual(['processing', 4])
  })

  it('call the venue for another client after a call that was not sent, because its client has to pause', async () => {
    const { on, pass, status, report } = await startSpaced()
    report('processing')
    await status()
    on.best.script.quote = declines('rateLimited', { retryAfterMs: 600_000 })
    await winnerFor(on, 'alice')
    report('success')
    await pass(5_000)
    expect([(await status()).state, (await status('bob')).state]).toEqual(['processing', 'success'])
  })

  it('share one call, which continues for a client that still waits, and ends with the last one', async () => {
    const on = await start(SPACED)
    const { status, report } = await swapOf(on)
    const signals: AbortSignal[] = []
    on.best.script.track = (_asked, signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const [alice, bob] = [new AbortController(), new AbortController()]
    const both = [status('alice', alice.signal), status('bob', bob.signal)].map((one) => one.catch((error: unknown) => error))
    while (signals.length === 0) await new Promise(setImmediate)
    // The second client reads its own records before it waits for the same call.
    for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate)
    alice.abort()
    expect([await both[0], signals.map(({ aborted }) => aborted)]).toEqual([expect.any(NotAwaited), [false]])
    bob.abort()
    expect([await both[1], signals.map(({ aborted }) => aborted)]).toEqual([expect.any(NotAwaited), [true]])
    report('processing')
    expect(await status()).toMatchObject({ state: 'processing' })
  })

  it('never return the report of another swap with the same reference', async () => {
    const on = await start(SPACED)
    on.best.script.track = async ({ executed }) => statusOf(executed === null ? 'not_found' : 'processing')
    const { status, ref } = await swapOf(on)
    const { quoteToken } = await quoteAs(on, 'bob', order({ amount: 1_000_001n }))
    expect((await status()).state).toBe('processing')
    expect((await on.engine.status({ quoteToken, ref }, on.context)).state).toBe('not_found')
  })
})

it('price lists that fail leave a venue that quotes in the race, and healthy', async () => {
  const on = await start({ prices: { usd: declines('unavailable') } })
  for (let i = 0; i < 12; i += 1) expect(await winnerFor(on, 'alice')).toBe('best')
  expect(await troubleOf(on)).toBeNull()
})

it.each([
  ['leaves out a bridge that is an enabled venue, until its breaker opens', 'across,lifi', ''],
  ['names a bridge whose venue is disabled', 'lifi', 'across,'],
])('a request to LI.FI %s', async (_what, enabled, first) => {
  const bridges: (string | null)[] = []
  const { engine, context, close } = await createTestEngine({
    env: { NETWORK: 'mainnet', VENUES_ENABLED: enabled, VENUE_LIFI_API_KEY: 'a-key-0123456789' },
    http: async ({ url }) => {
      const { host, searchParams } = new URL(url)
      if (host !== 'li.quest') return { status: 500, headers: {}, text: '{}' }
      bridges.push(searchParams.get('allowBridges'))
      return { status: 404, headers: {}, text: '{"message":"none","code":1002}' }
    },
  })
  const asked = order({ from: pair(TOKENS.usdcBase), amount: 250_000_000n })
  await times(8, (at) => engine.quote(asked, { ...context, client: `client ${at}` }))
  await close()
  const others = 'polymer,polymerStandard,lifiIntents'
  expect([bridges[0], bridges.at(-1)]).toEqual([`${first}${others}`, `across,${others}`])
})
