import { afterEach, describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import type { RequestContext } from '../../../engine/core/caller.ts'
import type { Order } from '../../../engine/core/order.ts'
import { startRequest } from '../../../engine/net/exchanges.ts'
import { VenueError, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { NotAwaited } from '../../../engine/venues/venueOutcome.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  createFakeVenue,
  declines,
  type FakeVenue,
  type FakeVenueOptions,
  hangs,
  offers,
  statusOf,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { createTestEngine, START_AT, type TestEngine } from '../../support/testEngine.ts'

const OPEN_MS = 15_000
const MANY = 1_000
const LIMITS = { requestsPerSecond: 40, requestsPerMinute: 100, missesPerMinute: 40 } as const

const orderOf = (amount: bigint): Order => anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount })
const plain = orderOf(1_000_000n)
/** What the toy venue in these tests cannot stand. */
const odd = orderOf(666n)

const [malformed, poor] = [declines('badRequest'), declines('noLiquidity')]

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  realTime()
})

type Bench = TestEngine & {
  readonly best: FakeVenue
  readonly other: FakeVenue
  readonly asClient: (client: string) => RequestContext
}

/** The best venue of two, under limits, and another one that any client gets when the best is left out. */
const start = async (options: FakeVenueOptions = {}, more: readonly FakeVenue[] = []): Promise<Bench> => {
  const best = createFakeVenue('best', { now: () => START_AT, profile: { limits: LIMITS }, quote: offers(2_000n), ...options })
  const other = createFakeVenue('other', {
    quote: (asked, signal) => (asked.inputAmount === odd.inputAmount ? declines('noLiquidity') : offers(1_999n))(asked, signal),
  })
  const engine = await createTestEngine({ venues: [best, other, ...more] })
  closers.push(() => engine.close())
  return { ...engine, best, other, asClient: (client) => ({ ...engine.context, client }) }
}

const winnerFor = async ({ engine, asClient }: Bench, client: string, order = plain): Promise<string> =>
  (await engine.quote(order, asClient(client))).venue.id

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i += 1) await work().catch(() => undefined)
}

const troubleOf = async ({ engine }: TestEngine): Promise<string | null | undefined> =>
  (await engine.health()).venues.find(({ id }) => id === 'best')?.trouble

const fails =
  (kind: VenueError['kind'], options: VenueErrorOptions = {}) =>
  async (): Promise<never> => {
    throw new VenueError(kind, 'scripted', options)
  }

const executeOnce = ({ engine, asClient }: Bench, client: string, quoteToken: string) =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, asClient(client))

/** An executed swap of the best venue, by which client. */
const swapOf = async (on: Bench, client: string) => {
  const { quoteToken } = await on.engine.quote(plain, on.asClient(client))
  const { payload, statusRef } = await executeOnce(on, client, quoteToken)
  return { quoteToken, payload, ref: statusRef ?? `0x${'ab'.repeat(32)}` }
}

describe('one client that sends 1,000 requests never changes what another may win: [health-one-client-harmless]', () => {
  it.each([
    ['are declined', declines('noLiquidity')],
    ['are refused for their form', declines('badRequest')],
    ['break the venue', declines('unavailable')],
    ['provoke answers nobody can read', declines('badResponse')],
    ['provoke offers that our own checks refuse', offers(0n)],
    ['have our key refused', declines('unavailable', { nature: 'keyRefused' })],
    ['are too many for the venue', declines('rateLimited', { retryAfterMs: 3_600_000 })],
    ['win', offers(2_000n)],
  ])('quotes that %s', async (what, answer) => {
    const on = await start()
    on.best.script.quote = (asked, signal) =>
      asked.inputAmount === odd.inputAmount ? answer(asked, signal) : offers(2_000n)(asked, signal)
    await times(MANY, () => winnerFor(on, 'mallory', odd))
    expect(await troubleOf(on)).toBe(what === 'have our key refused' ? 'keyRefused' : null)
    expect([await winnerFor(on, 'alice'), await troubleOf(on)]).toEqual(['best', null])
  })

  it('quotes that make the venue hang', async () => {
    fakeTime()
    const on = await start()
    on.best.script.quote = (asked, signal) =>
      asked.inputAmount === odd.inputAmount ? hangs(asked, signal) : offers(2_000n)(asked, signal)
    for (let i = 0; i < MANY; i += 1) await runQuote({ ...on, context: on.asClient('mallory') }, odd)
    expect((await (await runQuote({ ...on, context: on.asClient('alice') }, plain)).quote).venue.id).toBe('best')
    expect(await troubleOf(on)).toBeNull()
  })

  it.each([
    ['unavailable', fails('unavailable')],
    ['badResponse', fails('badResponse')],
    ['rateLimited', fails('rateLimited')],
    ['keyRefused', fails('unavailable', { nature: 'keyRefused' })],
    ['noLiquidity', fails('noLiquidity')],
  ])('executes that fail: %s', async (_what, answer) => {
    const on = await start()
    const { quoteToken } = await on.engine.quote(plain, on.asClient('mallory'))
    on.best.script.execute = answer
    await times(MANY, () => executeOnce(on, 'mallory', quoteToken))
    expect(on.best.calls.execute).toHaveLength(MANY)
    expect(await winnerFor(on, 'alice')).toBe('best')
  })

  it('executes whose payload is not what was quoted', async () => {
    const on = await start()
    const { quoteToken } = await on.engine.quote(plain, on.asClient('mallory'))
    on.best.script.decode = fails('badResponse')
    await times(MANY, () => executeOnce(on, 'mallory', quoteToken))
    expect(on.best.calls.execute).toHaveLength(MANY)
    expect(await winnerFor(on, 'alice')).toBe('best')
  })

  it.each(['unavailable', 'badResponse', 'rateLimited'] as const)('status asks that fail: %s', async (kind) => {
    const on = await start({ kind: 'DEPOSIT' })
    const { quoteToken, ref } = await swapOf(on, 'mallory')
    on.best.script.track = fails(kind)
    await times(MANY, () => on.engine.status({ quoteToken, ref }, on.asClient('mallory')))
    expect(await winnerFor(on, 'alice')).toBe('best')
  })

  it('submits that fail: every one is first proved to be signed, by asking a contract wallet', async () => {
    const on = await start({ kind: 'SIGNATURE' })
    on.chains.script.isValidContractSignature = async () => true
    const { quoteToken } = await swapOf(on, 'mallory')
    on.best.script.submit = fails('badResponse')
    await times(MANY, () =>
      on.engine.submitSignature({ quoteToken, signature: '0xdeadbeef', approvalSignature: null }, on.asClient('mallory')),
    )
    expect(on.chains.calls.filter(({ method }) => method === 'isValidContractSignature')).toHaveLength(MANY)
    expect(on.best.calls.submit).toHaveLength(MANY)
    expect(await winnerFor(on, 'alice')).toBe('best')
  })
})

it('never sends a venue more requests of quotes than its limit: a request without room ends the quote as skipped', async () => {
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

describe('a venue dead at one call is found out, however well it prices: [health-dead-call-found]', () => {
  it('at execute', async () => {
    const on = await start()
    on.best.script.execute = fails('unavailable')
    for (let i = 0; i < 5; i += 1) {
      on.clock.at += 1_000
      const { quoteToken, venue } = await on.engine.quote(plain, on.asClient('alice'))
      expect(venue.id).toBe('best')
      await executeOnce(on, 'alice', quoteToken).catch(() => undefined)
    }
    expect([await troubleOf(on), await winnerFor(on, 'alice')]).toEqual([null, 'other'])
  })

  it('at the payload, on the route of that payload alone [health-dead-call-found]', async () => {
    const on = await start()
    on.best.script.decode = fails('badResponse')
    const { quoteToken } = await on.engine.quote(plain, on.asClient('alice'))
    await times(5, () => executeOnce(on, 'alice', quoteToken))
    expect(await winnerFor(on, 'alice')).toBe('other')
    const elsewhere = anOrder({ from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.usdcEthereum), amount: 1_000_000n })
    expect(await winnerFor(on, 'alice', elsewhere)).toBe('best')
  })

  it('at status, and the last known state is told without asking while it rests', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const ask = () => on.engine.status({ quoteToken, ref }, on.asClient('alice'))
    on.best.script.track = async () => statusOf('processing')
    const known = await ask()
    on.best.script.track = fails('unavailable')
    for (let i = 0; i < 8; i += 1) expect(await ask()).toEqual(known)
    expect(on.best.calls.track).toHaveLength(1 + 5)
    expect([await troubleOf(on), await winnerFor(on, 'alice')]).toEqual([null, 'best'])
  })

  it('at status, by five clients, and a swap of which nothing is known is asked about all the same', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    const statusFor = async (client: string) => {
      const { quoteToken, ref } = await swapOf(on, client)
      return on.engine.status({ quoteToken, ref }, on.asClient(client))
    }
    on.best.script.track = fails('unavailable')
    for (const client of ['a', 'b', 'c', 'd', 'e']) await statusFor(client).catch(() => undefined)
    expect((await on.engine.health()).venues.find(({ id }) => id === 'best')).toMatchObject({ failing: ['status'] })
    on.best.script.track = async () => statusOf('processing')
    expect((await statusFor('f')).state).toBe('processing')
  })

  it.each([
    ['fails four quotes of five and declines the rest', 'failing', declines('badResponse'), offers(1_000n), malformed],
    ['fails quotes that other venues fail as well', null, declines('badResponse'), declines('unavailable'), malformed],
    ['fails quotes with another while a third sells', 'failing', declines('badResponse'), declines('timeout'), offers(1n)],
    ['fails quotes with another while a third declines', 'failing', declines('timeout'), declines('timeout'), poor],
    ['answers four quotes of five with what our checks reject', null, offers(0n), offers(1_000n), malformed],
  ] as const)('by the share of its failures: it %s', async (_what, trouble, ofBest, ofOther, quote) => {
    const on = await start({ profile: {} }, [createFakeVenue('third', { quote })])
    for (let i = 0; i < 60; i += 1) {
      const isDeclined = i % 5 === 4
      on.best.script.quote = isDeclined ? declines('noLiquidity') : ofBest
      on.other.script.quote = isDeclined ? offers(1_000n) : ofOther
      await on.engine.quote(plain, on.asClient(`client ${i % 6}`)).catch(() => undefined)
      on.clock.at += 1_000
    }
    expect(await troubleOf(on)).toBe(trouble)
  })

  it('until silence ends it, which the health watch reports', async () => {
    fakeTime()
    const on = await start()
    const quoteOf = async (client: string) => (await runQuote({ ...on, context: on.asClient(client) }, plain)).quote
    on.best.script.quote = declines('unavailable')
    for (const client of ['a', 'b', 'c', 'd', 'e']) await quoteOf(client)
    on.best.script.quote = offers(2_000n)
    await advance(OPEN_MS)
    await quoteOf('f')
    expect(await troubleOf(on)).toBe('failing')
    await advance(15 * 60_000)
    expect([await troubleOf(on), on.reported('venue.health').at(-1)]).toMatchObject([null, { venue: 'best', healthy: true }])
  })

  it('until one call that must be made is answered', async () => {
    const on = await start()
    const { quoteToken } = await on.engine.quote(plain, on.asClient('alice'))
    on.best.script.quote = declines('unavailable')
    await times(5, () => winnerFor(on, 'alice'))
    on.best.script.quote = offers(2_000n)
    expect([await troubleOf(on), await winnerFor(on, 'alice')]).toEqual([null, 'other'])
    await executeOnce(on, 'alice', quoteToken)
    expect(await winnerFor(on, 'alice')).toBe('best')
  })
})

describe('a venue that asks for a pause [venue-429-pause]', () => {
  it('is left alone for so long, is healthy all the while, and its swaps keep their last known state', async () => {
    const on = await start({ kind: 'DEPOSIT' })
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const ask = () => on.engine.status({ quoteToken, ref }, on.asClient('alice'))
    on.best.script.track = async () => statusOf('processing')
    const known = await ask()
    on.best.script.quote = declines('rateLimited', { retryAfterMs: 7_000 })
    expect(await winnerFor(on, 'alice')).toBe('other')
    on.best.script.quote = offers(2_000n)
    on.best.script.track = async () => statusOf('success')
    on.clock.at += 6_999
    expect(await winnerFor(on, 'alice')).toBe('other')
    expect(await ask()).toEqual(known)
    expect([on.best.calls.quote.length, on.best.calls.track.length, await troubleOf(on)]).toEqual([2, 1, null])
    expect(on.called('track').at(-1)).toMatchObject({ outcome: 'skipped', kind: 'rateLimited' })
    on.clock.at += 1
    expect(await winnerFor(on, 'alice')).toBe('best')
    expect((await ask()).state).toBe('success')
  })
})

describe('a venue that asks for a pause when it is asked for prices', () => {
  it('is asked for neither prices nor quotes until it is over', async () => {
    const asked: number[] = []
    const on = await start({
      prices: {
        usd: async () => {
          asked.push(1)
          throw new VenueError('rateLimited', 'scripted', { retryAfterMs: 7_000 })
        },
      },
    })
    await winnerFor(on, 'alice')
    const first = asked.length
    on.clock.at += 6_999
    expect(await winnerFor(on, 'alice')).toBe('other')
    expect([asked.length, await troubleOf(on)]).toEqual([first, null])
    on.clock.at += 1
    await winnerFor(on, 'alice')
    expect(asked.length).toBeGreaterThan(first)
  })

  it('costs no other client anything', async () => {
    const { usdtEthereum } = TOKENS
    const refused = fails('rateLimited', { retryAfterMs: 60_000 })
    const on = await start({
      prices: {
        usd: (asset: Asset) => (asset.address === usdtEthereum.address ? refused() : Promise.resolve({ usd: '1', readAt: 0 })),
      },
    })
    const odd = anOrder({ from: pair(usdtEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    await times(100, () => winnerFor(on, 'mallory', odd))
    expect(await winnerFor(on, 'alice')).toBe('best')
  })
})

describe('status asks about one swap [venue-429-pause]', () => {
  const SPACED = { profile: { limits: { statusIntervalMs: 5_000 } }, kind: 'DEPOSIT' } as const

  /** By the service's clock, which is a test's own. */
  const pass = async (on: Bench, ms: number): Promise<void> => {
    on.clock.at += ms
    await advance(ms)
  }

  it('are as far apart as the venue wants: sooner, its last word is told again', async () => {
    fakeTime()
    const on = await start(SPACED)
    const trade = await on.engine.quote(plain, on.asClient('alice'))
    const { statusRef } = await executeOnce(on, 'alice', trade.quoteToken)
    const ask = () => on.engine.status({ quoteToken: trade.quoteToken, ref: statusRef ?? '' }, on.asClient('alice'))
    // What was handed out waits, though the venue does not know it yet.
    on.best.script.track = async () => statusOf('not_found')
    expect((await ask()).state).toBe('pending')
    on.best.script.track = async () => statusOf('processing')
    await pass(on, 4_999)
    expect((await ask()).state).toBe('pending')
    expect(on.called('track')).toHaveLength(1)
    await pass(on, 1)
    expect((await ask()).state).toBe('processing')
    expect(on.best.calls.track).toHaveLength(2)
  })

  it('that fail leave the last known state, and are not repeated sooner either', async () => {
    fakeTime()
    const on = await start(SPACED)
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const ask = () => on.engine.status({ quoteToken, ref }, on.asClient('alice'))
    on.best.script.track = async () => statusOf('processing')
    const known = await ask()
    await pass(on, 5_000)
    on.best.script.track = fails('unavailable')
    for (let i = 0; i < 3; i += 1) expect(await ask()).toEqual(known)
    expect(on.best.calls.track).toHaveLength(2)
  })

  it('that were not sent, because one client has to pause, keep no other client from the venue', async () => {
    fakeTime()
    const on = await start(SPACED)
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const askAs = (client: string) => on.engine.status({ quoteToken, ref }, on.asClient(client))
    on.best.script.track = async () => statusOf('processing')
    await askAs('alice')
    on.best.script.quote = declines('rateLimited', { retryAfterMs: 600_000 })
    await winnerFor(on, 'alice')
    on.best.script.track = async () => statusOf('success')
    await pass(on, 5_000)
    expect((await askAs('alice')).state).toBe('processing')
    expect((await askAs('bob')).state).toBe('success')
  })

  it('go on for whoever still waits, and end with the last who does', async () => {
    const on = await start(SPACED)
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const signals: AbortSignal[] = []
    const { promise: word, resolve: tell } = Promise.withResolvers<ReturnType<typeof statusOf>>()
    on.best.script.track = (_asked, signal) => {
      signals.push(signal)
      return word
    }
    const askAs = (client: string) => {
      const leaves = new AbortController()
      const context = { ...on.asClient(client), signal: leaves.signal }
      return { leaves, answer: on.engine.status({ quoteToken, ref }, context).catch((error: unknown) => error) }
    }
    const [alice, bob] = [askAs('alice'), askAs('bob')]
    while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve))
    // Who comes second has its own records to read before it waits too.
    for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    alice.leaves.abort()
    expect(await alice.answer).toBeInstanceOf(NotAwaited)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    tell(statusOf('processing'))
    expect(await bob.answer).toMatchObject({ state: 'processing' })

    // Nothing was said to those who left: whoever comes next asks anew.
    const { quoteToken: other, ref: otherRef } = await swapOf(on, 'carol')
    on.best.script.track = (_asked, signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const leaves = new AbortController()
    const asked = on.engine.status({ quoteToken: other, ref: otherRef }, { ...on.asClient('carol'), signal: leaves.signal })
    asked.catch(() => undefined)
    while (signals.length === 1) await new Promise((resolve) => setImmediate(resolve))
    leaves.abort()
    await expect(asked).rejects.toBeInstanceOf(NotAwaited)
    expect(signals[1]?.aborted).toBe(true)
    on.best.script.track = async () => statusOf('processing')
    expect(await on.engine.status({ quoteToken: other, ref: otherRef }, on.asClient('carol'))).toMatchObject({
      state: 'processing',
    })
    expect(on.called('track').map(({ outcome }) => outcome)).toEqual(['answer', 'cut', 'answer'])
  })

  it('never answer for another swap', async () => {
    const on = await start(SPACED)
    on.best.script.track = async ({ executed }) => statusOf(executed === null ? 'not_found' : 'processing')
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const { quoteToken: unexecuted } = await on.engine.quote(orderOf(1_000_001n), on.asClient('bob'))
    const stateOf = async (token: string) => (await on.engine.status({ quoteToken: token, ref }, on.context)).state
    expect([await stateOf(quoteToken), await stateOf(unexecuted)]).toEqual(['processing', 'not_found'])
  })

  it('are made at once where the clock was set back', async () => {
    const on = await start(SPACED)
    const { quoteToken, ref } = await swapOf(on, 'alice')
    const ask = () => on.engine.status({ quoteToken, ref }, on.asClient('alice'))
    on.best.script.track = async () => statusOf('processing')
    for (const asks of [1, 2]) {
      expect((await ask()).state).toBe('processing')
      expect(on.best.calls.track).toHaveLength(asks)
      on.clock.at -= 60_000
    }
  })
})

describe('price lists', () => {
  it('are not asked of a venue in trouble, and never try whether it is back', async () => {
    fakeTime()
    const asked: number[] = []
    const prices = {
      usd: async () => {
        asked.push(1)
        return { usd: '1', readAt: 0 }
      },
    }
    const on = await start({ prices, quote: declines('unavailable') })
    for (let i = 0; i < 5; i += 1) await runQuote(on, plain)
    expect(asked).toHaveLength(5 * 3)
    await runQuote(on, plain)
    await advance(OPEN_MS)
    await runQuote(on, plain)
    expect([asked.length, on.best.calls.quote.length]).toEqual([5 * 3, 6])
  })

  it('that fail cost a venue nothing while it quotes', async () => {
    const on = await start({ prices: { usd: fails('unavailable') } })
    for (let i = 0; i < 12; i += 1) expect(await winnerFor(on, 'alice')).toBe('best')
    expect(await troubleOf(on)).toBeNull()
  })
})

describe('every call of a venue is one event', () => {
  it('with its outcome, kind and time', async () => {
    fakeTime()
    const on = await start({ kind: 'DEPOSIT', prices: { usd: async () => ({ usd: '1', readAt: 0 }) } })
    const race = startQuote(on, plain)
    await settle(race)
    const { quoteToken } = await race.quote
    await executeOnce(on, 'alice', quoteToken)
    on.best.script.track = fails('timeout')
    await on.engine.status({ quoteToken, ref: 'nowhere' }, on.context).catch(() => undefined)
    const told = on.events.filter((event) => event.event === 'venue.call').filter(({ venue }) => venue === 'best')
    expect(told.map(({ call, outcome, kind, elapsedMs }) => [call, outcome, kind, elapsedMs])).toEqual([
      ['prices', 'answer', undefined, 0],
      ['prices', 'answer', undefined, 0],
      ['prices', 'answer', undefined, 0],
      ['quote', 'offer', undefined, 0],
      ['execute', 'answer', undefined, 0],
    ])
  })

  it('also where the quote ends because a token is none', async () => {
    const on = await start({ quote: hangs })
    on.chains.script.token = async ({ chainId }) => {
      throw new ChainError('notAToken', chainId, 'nothing is there')
    }
    await expect(winnerFor(on, 'alice')).rejects.toMatchObject({ code: 'UNSUPPORTED_TOKEN' })
    expect(on.called('quote').map(({ venue, outcome }) => [venue, outcome])).toEqual([
      ['best', 'cut'],
      ['other', expect.stringMatching(/^(cut|offer)$/)],
    ])
  })
})
