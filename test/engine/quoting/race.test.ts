import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Offer } from '../../../engine/core/offer.ts'
import type { Order } from '../../../engine/core/order.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { verdictOf } from '../../../engine/venues/venueOutcome.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  createFakeVenue,
  declines,
  delayed,
  type FakeVenue,
  type FakeVenueOptions,
  fails,
  hangs,
  ignoresSignal,
  offers,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, type Race, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

const HARD_MS = 4_000
const SOFT_MS = 1_500

const order = (wish: Partial<Order> = {}): Order => ({
  ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }),
  ...wish,
})

const toSolana = (): Order => anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcSolana), amount: 1_000_000n })

/** Fixes the recipient at quote time: without one it can only price a preview. */
const PREVIEWS = { bindsAtQuote: { recipient: ['always'], refundTo: [] } } as const satisfies FakeVenueOptions['profile']

let open: TestEngine[] = []

beforeEach(() => {
  fakeTime()
})

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
  realTime()
})

const start = async (venues: readonly FakeVenue[], options: Partial<TestEngineOptions> = {}): Promise<TestEngine> => {
  const engine = await createTestEngine({ venues, ...options })
  open.push(engine)
  return engine
}

const winnerOf = async (race: Race): Promise<string> => (await race.quote).venue.id

describe('the race', () => {
  it('asks all venues at once and takes the best', async () => {
    const venues = [900n, 1_000n, 950n].map((amount, i) => createFakeVenue(`v${i}`, { quote: delayed(100, offers(amount)) }))
    const race = await runQuote(await start(venues), order())
    expect(await winnerOf(race)).toBe('v1')
    expect(race.elapsedMs()).toBe(100)
  })

  it('has asked every venue before the first of them answers', async () => {
    const venues = ['a', 'b', 'c'].map((id) => createFakeVenue(id, { quote: hangs }))
    const race = startQuote(await start(venues), order())
    expect(venues.map(({ calls }) => calls.quote.length)).toEqual([1, 1, 1])
    await advance(HARD_MS)
    await refusalOf(race.quote, 'INTERNAL')
  })

  it.each([
    ['hangs', hangs],
    ['ignores its signal', ignoresSignal],
    ['throws what is no VenueError', fails(new TypeError('undefined is not a function'))],
    ['throws no error at all', fails('a string')],
    [
      'throws before it returns a promise',
      () => {
        throw new Error('synchronously')
      },
    ],
    ['answers with nothing', async () => undefined as unknown as Partial<Offer>],
    ['answers with an offer without a fee', offers(2n, { fee: undefined as unknown as Offer['fee'] })],
    ["answers with another venue's name", offers(2_000n, { venue: 'good' })],
    ['is out of order', declines('unavailable')],
  ])('serves the others when one venue %s [quote-one-venue-fails]', async (_what, quote) => {
    const bad = createFakeVenue('bad', { quote })
    const good = createFakeVenue('good', { quote: offers(1_000n) })
    const race = await runQuote(await start([bad, good]), order())
    expect(await winnerOf(race)).toBe('good')
    expect(race.elapsedMs()).toBeLessThanOrEqual(SOFT_MS)
  })

  it.each([
    ['a carry too large for a token', offers(2_000n, { carry: { note: 'x'.repeat(5_000) } })],
    ['a carry that is no JSON', offers(2_000n, { carry: { amount: 1n } as unknown as Offer['carry'] })],
    [
      'a carry that refers to itself',
      async () => {
        const carry: Record<string, unknown> = {}
        carry['self'] = carry
        return { carry: carry as Offer['carry'] }
      },
    ],
    ['no output amount', offers(2_000n, { outputAmount: undefined as unknown as Offer['outputAmount'] })],
    ['an output above 2^256', async () => ({ outputAmount: (1n << 256n) as Offer['outputAmount'], slippage: null })],
    ['an endless time', offers(2_000n, { estimatedTimeSeconds: Number.POSITIVE_INFINITY })],
    ['a time that is no number', offers(2_000n, { estimatedTimeSeconds: Number.NaN })],
    ['a negative time', offers(2_000n, { estimatedTimeSeconds: -1 })],
    ['a negative amount of gas', offers(2_000n, { gasUnits: -1n })],
    ['absurd gas', offers(2_000n, { gasUnits: 1n << 256n })],
    ['an expiry that is no time', offers(2_000n, { expiresAt: Number.NaN })],
    ['a negative fee', offers(2_000n, { fee: { bps: -1, amount: 0n as Offer['outputAmount'] } })],
    ['a fee amount without a fee', offers(2_000n, { fee: { bps: 0, amount: 5n as Offer['outputAmount'] } })],
  ])('drops an offer with %s and serves the next', async (_what, quote) => {
    const engine = await start([createFakeVenue('bad', { quote }), createFakeVenue('good', { quote: offers(1_900n) })])
    const race = await runQuote(engine, order())
    expect(await winnerOf(race)).toBe('good')
    expect(engine.called('quote').find(({ venue }) => venue === 'bad')).toMatchObject({
      outcome: expect.stringMatching(/^(rejected|failure)$/),
    })
  })

  it('answers INTERNAL, to be repeated, within the hard deadline when all venues hang [quote-hard-deadline]', async () => {
    const engine = await start([createFakeVenue('a', { quote: hangs }), createFakeVenue('b', { quote: ignoresSignal })])
    const race = startQuote(engine, order())
    await advance(HARD_MS - 1)
    expect(race.isOver()).toBe(false)
    await advance(1)
    await settle(race)
    const { details, isOutage } = await refusalOf(race.quote, 'INTERNAL')
    expect(race.elapsedMs()).toBe(HARD_MS)
    expect(isOutage).toBe(true)
    expect(details).toEqual({
      retryable: true,
      declines: [
        { venue: 'a', kind: 'timeout', retryable: true },
        { venue: 'b', kind: 'timeout', retryable: true },
      ],
    })
  })

  it('tells a venue that nobody waits any more', async () => {
    const slow = createFakeVenue('slow', { quote: hangs })
    const engine = await start([slow, createFakeVenue('good')])
    const race = startQuote(engine, order())
    const signal = slow.calls.quote[0]?.signal
    await advance(SOFT_MS - 1)
    expect(signal?.aborted).toBe(false)
    await advance(1)
    await settle(race)
    await race.quote
    expect(signal?.aborted).toBe(true)
  })

  it('asks neither excluded venues nor those that do not serve the route [quote-one-venue-fails]', async () => {
    const excluded = createFakeVenue('excluded')
    const elsewhere = createFakeVenue('elsewhere', { profile: { serves: () => false } })
    const engine = await start([excluded, elsewhere, createFakeVenue('good')])
    const race = await runQuote(engine, order({ excludeVenues: ['excluded'] }))
    expect(await winnerOf(race)).toBe('good')
    expect([...excluded.calls.quote, ...elsewhere.calls.quote]).toEqual([])
  })

  it('names no excluded venue, and names one that does not serve the route, when there is no offer', async () => {
    const engine = await start([createFakeVenue('excluded'), createFakeVenue('elsewhere', { profile: { serves: () => false } })])
    const race = await runQuote(engine, order({ excludeVenues: ['excluded'] }))
    const { details } = await refusalOf(race.quote, 'NO_LIQUIDITY')
    expect(details).toEqual({ declines: [{ venue: 'elsewhere', kind: 'unsupportedPair', retryable: false }] })
  })

  it('answers NO_LIQUIDITY at once when no venue is left to ask', async () => {
    const race = await runQuote(await start([]), order())
    expect((await refusalOf(race.quote, 'NO_LIQUIDITY')).details).toEqual({ declines: [] })
    expect(race.elapsedMs()).toBe(0)
  })
})

describe('the soft deadline [quote-hard-deadline]', () => {
  it('ends the race once an executable offer is in', async () => {
    const engine = await start([createFakeVenue('good'), createFakeVenue('slow', { quote: hangs })])
    const race = startQuote(engine, order())
    await advance(SOFT_MS - 1)
    await settle(race)
    expect(race.isOver()).toBe(false)
    await advance(1)
    await settle(race)
    expect(await winnerOf(race)).toBe('good')
    expect(race.elapsedMs()).toBe(SOFT_MS)
  })

  it('does not end the race for a preview, but the first executable offer after it does', async () => {
    const preview = createFakeVenue('preview', { quote: offers(2_000n), profile: PREVIEWS })
    const late = createFakeVenue('late', { quote: delayed(2_000, offers(1_500n)) })
    const engine = await start([preview, late, createFakeVenue('slow', { quote: hangs })])
    const race = startQuote(engine, toSolana())
    await advance(1_999)
    await settle(race)
    expect(race.isOver()).toBe(false)
    await advance(1)
    await settle(race)
    const quote = await race.quote
    expect(quote).toMatchObject({ venue: { id: 'late' }, isExecutable: true })
    expect(race.elapsedMs()).toBe(2_000)
  })

  it('waits for the hard deadline when only previews are in, and serves the preview', async () => {
    const preview = createFakeVenue('preview', { profile: PREVIEWS })
    const engine = await start([preview, createFakeVenue('slow', { quote: hangs })])
    const race = await runQuote(engine, toSolana())
    expect(await race.quote).toMatchObject({ venue: { id: 'preview' }, isExecutable: false })
    expect(race.elapsedMs()).toBe(HARD_MS)
  })

  it('does not hold up a race that every venue has answered', async () => {
    const race = await runQuote(await start([createFakeVenue('a'), createFakeVenue('b')]), order())
    await race.quote
    expect(race.elapsedMs()).toBe(0)
  })

  it('ignores a better offer that comes when the race is decided', async () => {
    const late = createFakeVenue('late', { quote: delayed(SOFT_MS + 1, offers(9_000n)) })
    const engine = await start([createFakeVenue('good', { quote: offers(1_000n) }), late])
    const race = await runQuote(engine, order())
    expect(await winnerOf(race)).toBe('good')
    await advance(1_000)
    expect(engine.called('quote').find(({ venue }) => venue === 'late')).toMatchObject({ outcome: 'slow' })
  })
})

describe('declines', () => {
  it('tells the kind, bounds and chance of every venue', async () => {
    const engine = await start([
      createFakeVenue('small', { quote: declines('amountTooSmall', { minimum: 5_000n }) }),
      createFakeVenue('large', { quote: declines('amountTooLarge', { maximum: 7n, minimum: 3n }) }),
      createFakeVenue('pair', { quote: declines('unsupportedPair') }),
      createFakeVenue('dry', { quote: declines('noLiquidity') }),
      createFakeVenue('limited', { quote: declines('rateLimited') }),
      createFakeVenue('broken', { quote: fails(new Error('boom')) }),
    ])
    const race = await runQuote(engine, order())
    const { details, publicMessage } = await refusalOf(race.quote, 'NO_LIQUIDITY')
    expect(details).toEqual({
      declines: [
        { venue: 'small', kind: 'amountTooSmall', minimum: '5000', retryable: false },
        { venue: 'large', kind: 'amountTooLarge', minimum: '3', maximum: '7', retryable: false },
        { venue: 'pair', kind: 'unsupportedPair', retryable: false },
        { venue: 'dry', kind: 'noLiquidity', retryable: true },
        { venue: 'limited', kind: 'rateLimited', retryable: true },
        { venue: 'broken', kind: 'badResponse', retryable: true },
      ],
    })
    expect(JSON.stringify([details, publicMessage])).not.toMatch(/scripted|boom/)
  })

  it("logs how every venue did, with the request and the venue's own words", async () => {
    const engine = await start([
      createFakeVenue('good', { quote: delayed(40, offers(1_000n)) }),
      createFakeVenue('no', { quote: declines('noLiquidity') }),
      createFakeVenue('slow', { quote: hangs }),
    ])
    await (await runQuote(engine, order())).quote
    const call = { event: 'venue.call', requestId: 'req-1', call: 'quote', route: 'EVM_CROSS_CHAIN' }
    expect(engine.called('quote')).toEqual([
      { ...call, venue: 'good', outcome: 'offer', elapsedMs: 40 },
      { ...call, venue: 'no', outcome: 'decline', kind: 'noLiquidity', reason: 'scripted noLiquidity', elapsedMs: 0 },
      { ...call, venue: 'slow', outcome: 'slow', elapsedMs: SOFT_MS },
    ])
    expect(engine.reported('quote.served')).toMatchObject([
      {
        venue: 'good',
        executable: true,
        offers: 1,
        elapsedMs: SOFT_MS,
        inputAmount: String(order().inputAmount),
        mode: 'best_output',
        runs: [
          { venue: 'good', outcome: 'offer', rank: 1, amount: '1000', elapsedMs: 40 },
          { venue: 'no', outcome: 'decline', kind: 'noLiquidity', reason: 'scripted noLiquidity' },
          { venue: 'slow', outcome: 'cut' },
        ],
        leadBps: null,
      },
    ])
  })

  it('logs a quote that nobody could make in one line too, with what each venue said', async () => {
    const engine = await start([createFakeVenue('no', { quote: declines('amountTooSmall') })])
    await expect((await runQuote(engine, order())).quote).rejects.toThrow()
    expect(engine.reported('quote.served')).toEqual([])
    expect(engine.reported('quote.refused')).toMatchObject([
      {
        requestId: 'req-1',
        code: 'NO_LIQUIDITY',
        runs: [{ venue: 'no', outcome: 'decline', kind: 'amountTooSmall', reason: 'scripted amountTooSmall' }],
      },
    ])
  })
})

describe('the breaker of a venue', () => {
  const FAILURES_MAX = 5
  const CUTS_MAX = 8
  const OPEN_MS = 15_000

  const askTimes = async (engine: TestEngine, times: number, asked: Order = order()): Promise<void> => {
    for (let i = 0; i < times; i += 1) await runQuote(engine, asked)
  }
  let clients = 0
  /** Each quote by a client of its own. */
  const askAsMany = async (engine: TestEngine, times: number): Promise<void> => {
    for (const last = clients + times; clients < last; clients += 1)
      await runQuote({ ...engine, context: { ...engine.context, client: `client ${clients}` } }, order())
  }

  const isHealthy = async ({ engine }: TestEngine, id: string): Promise<boolean> =>
    (await engine.health()).venues.find((venue) => venue.id === id)?.trouble === null

  it('opens after five failures in a row: the venue is left out, told as unavailable, and health says so', async () => {
    const bad = createFakeVenue('bad', { quote: declines('unavailable') })
    const engine = await start([bad])
    await askAsMany(engine, FAILURES_MAX - 1)
    expect(await engine.engine.health()).toEqual({
      isDegraded: false,
      venues: [{ id: 'bad', name: 'Toy bad', trouble: null, off: null, rejecting: [] }],
    })
    await askAsMany(engine, 1)
    expect(await engine.engine.health()).toEqual({
      isDegraded: true,
      venues: [{ id: 'bad', name: 'Toy bad', trouble: 'failing', failing: ['quote'], off: null, rejecting: [] }],
    })
    const race = await runQuote(engine, order())
    expect((await refusalOf(race.quote, 'INTERNAL')).details).toEqual({
      retryable: true,
      declines: [{ venue: 'bad', kind: 'unavailable', retryable: true }],
    })
    expect(bad.calls.quote).toHaveLength(FAILURES_MAX)
    expect(engine.called('quote').at(-1)).toMatchObject({ venue: 'bad', outcome: 'skipped' })
    expect(engine.reported('venue.health')).toEqual([
      { event: 'venue.health', venue: 'bad', healthy: false, reason: 'failing at quote' },
    ])
  })

  it.each([
    ['one that stops when told', hangs],
    ['one that ignores its signal', ignoresSignal],
  ])(
    'rests for a client whose eight races in a row were decided before the answer, and is unhealthy by five clients, for %s',
    async (_what, quote) => {
      const slow = createFakeVenue('slow', { quote })
      const engine = await start([slow, createFakeVenue('good')])
      await askTimes(engine, CUTS_MAX + 4)
      expect((await engine.engine.health()).isDegraded).toBe(false)
      await askAsMany(engine, FAILURES_MAX - 1)
      expect(slow.calls.quote).toHaveLength(CUTS_MAX + FAILURES_MAX - 1)
      expect(await isHealthy(engine, 'slow')).toBe(false)
    },
  )

  it('never opens for cuts of races in which our own event loop was late', async () => {
    const slow = createFakeVenue('slow', { quote: hangs })
    const loopWatch = { start: () => ({ wasLate: () => true, end: () => undefined }) }
    const engine = await start([slow, createFakeVenue('good')], { loopWatch })
    await askTimes(engine, 2 * CUTS_MAX)
    expect(slow.calls.quote).toHaveLength(2 * CUTS_MAX)
    expect(await isHealthy(engine, 'slow')).toBe(true)
  })

  it('is not stuck for ever by a trial that never ends', async () => {
    const venue = createFakeVenue('bad', { quote: ignoresSignal })
    const engine = await start([venue])
    await askTimes(engine, FAILURES_MAX)
    await advance(OPEN_MS)
    await askTimes(engine, 1)
    venue.script.quote = offers(1_000n)
    await advance(OPEN_MS)
    expect(await winnerOf(await runQuote(engine, order()))).toBe('bad')
    expect(await isHealthy(engine, 'bad')).toBe(true)
  })

  it('holds trouble against a venue, takes a decline for an answer, and all else for nothing', () => {
    const trouble = (['unavailable', 'timeout', 'badResponse'] as const).map((kind) => new VenueError(kind, ''))
    const kinds = 'unsupportedPair amountTooSmall amountTooLarge noLiquidity badRequest rateLimited rejected'.split(' ')
    const unexplained = new VenueError('badResponse', '', { nature: 'unexplained' })
    const declined = [...kinds.map((kind) => new VenueError(kind as VenueError['kind'], '')), unexplained]
    expect(new Set(trouble.map(verdictOf))).toEqual(new Set(['failure']))
    expect(new Set(declined.map(verdictOf))).toEqual(new Set(['answer']))
    expect([new Error('ours'), undefined].map(verdictOf)).toEqual(['nothing', 'nothing'])
  })
})
