import { afterEach, describe, expect, test } from 'vitest'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  aLiar,
  bindingOf,
  bitcoinToBase,
  deposit,
  executed,
  FEE_ACCOUNT,
  never,
  quoteRequestsIn,
  refOf,
  relayedFrom,
  trackedBy,
  usdcToSolana,
  VENUE_FEE_ACCOUNT,
  venueErrorOf,
} from './support.ts'

/** What the live venue was found to say, which its documents do not, or say otherwise. */

const DAY_MS = 24 * 60 * 60_000

let bench: VenueBench
afterEach(() => bench.close())

type Answer = { readonly quoteRequest: Record<string, unknown>; readonly quote: Record<string, unknown> }

/** A venue that changes its quotes and signs the change with the key we trust. */
const changing = async (change: (answer: Answer) => unknown, settings: Record<string, string> = {}) => {
  bench = await aBench()
  const liar = aLiar()
  const relay = relayedFrom(bench, (path, body) => {
    if (path !== '/v0/quote') return body
    change(body as unknown as Answer)
    return liar.resign(body)
  })
  return againstAnswers(relay, { PUBLIC_KEY: liar.publicKey, ...settings })
}

const judged = async (venue: Venue, order = bitcoinToBase()) => {
  const offer = checkOffer({
    offer: await venue.quote(order, never()),
    order,
    asked: order,
    profile: venue.profile,
    now: bench.clock.now(),
  })
  const binding = bindingOf(order)
  const execution = await venue.execute({ order, offer }, binding, never())
  const problems = await provePayload(venue, execution, { sealed: { order, offer }, binding, now: bench.clock.now() })
  return { offer, execution, problems }
}

describe('a swap that is screened', () => {
  const refusedWith = async (status: number, body: unknown) => {
    bench = await aBench()
    const relay = relayedFrom(bench, (_, answer) => answer)
    const { venue, close } = await againstAnswers((call) => (call.path === '/v0/quote' ? { status, body } : relay(call)))
    const error = await venueErrorOf(venue.quote(bitcoinToBase(), never()))
    await close()
    return error
  }

  test('is declined, with the venue’s own words, and does not count against the venue', async () => {
    const message = 'This address is not eligible for swaps'
    expect(await refusedWith(403, { message, correlationId: '2f7b6a0e' })).toMatchObject({ isDecline: true, message })
    expect(await refusedWith(403, { message: 'recipient is not valid' })).toMatchObject({
      kind: 'badRequest',
      party: 'recipient',
    })
  })

  test('is not mistaken for a key that is refused, nor for a gateway', async () => {
    for (const [status, body] of [
      [401, { message: 'Unauthorized' }],
      [403, { message: 'Invalid API key' }],
      [403, { message: 'JWT expired' }],
      [403, '<html>Attention Required</html>'],
      [403, null],
    ] as const)
      expect(await refusedWith(status, body), JSON.stringify(body)).toMatchObject({ kind: 'unavailable', isDecline: false })
  })
})

describe('a minimum', () => {
  // 981,362,695 expected, at 100 bps.
  test.each([
    ['rounded to fewer digits', '971549000'],
    ['with the withdrawal fee taken after the tolerance', '971548834'],
  ])('%s is taken, executed and proved', async (_what, minAmountOut) => {
    const { venue, close } = await changing(({ quote }) => Reflect.set(quote, 'minAmountOut', minAmountOut))
    const { offer, problems } = await judged(venue)
    expect(offer.slippage?.guaranteedMin).toBe(BigInt(minAmountOut))
    expect(problems).toEqual([])
    await close()
  })

  test('two basis points below what was asked for is a decline', async () => {
    const { venue, close } = await changing(({ quote }) => Reflect.set(quote, 'minAmountOut', '971352795'))
    expect(await venueErrorOf(judged(venue))).toMatchObject({ kind: 'noLiquidity', reason: 'boundTooWide' })
    await close()
  })
})

describe('the life of a deposit address', () => {
  const livingFor = async (days: number) => {
    const { venue, close } = await changing(({ quoteRequest, quote }) => {
      if (quoteRequest['dry'] !== false) return
      const until = new Date(bench.clock.now() + days * DAY_MS).toISOString()
      Object.assign(quote, { deadline: until, timeWhenInactive: until })
    })
    const { problems } = await judged(venue)
    await close()
    return problems
  }

  test.each([1, 3, 4, 14, 30])('of %i days is taken: the venue has changed it before', async (days) => {
    expect(await livingFor(days)).toEqual([])
  })

  test('of 31 days is not', async () => {
    expect(await livingFor(31)).toEqual(['deadline'])
  })
})

describe('fee accounts', () => {
  const ROTATED = 'ab'.repeat(32)

  test('nobody knows are the venue’s own where no fee was asked for, and the price is net of them', async () => {
    const appFees = [
      { recipient: ROTATED, fee: 20 },
      { recipient: 'partner.near', fee: 5 },
    ]
    const { venue, close, notices } = await changing(({ quoteRequest }) => Reflect.set(quoteRequest, 'appFees', appFees), {
      FEE_ACCOUNT,
    })
    const { offer, problems } = await judged(venue)
    expect(new Set(notices)).toEqual(
      new Set([
        `a fee of 20 bps goes to ${ROTATED}, which is neither our account nor known as the venue's`,
        "a fee of 5 bps goes to partner.near, which is neither our account nor known as the venue's",
      ]),
    )
    expect(offer).toMatchObject({ outputAmount: 981_362_695n, fee: { bps: 0, amount: 0n } })
    expect(problems).toEqual([])
    await close()
  })

  test('nobody knows are refused where a fee was asked for: it may have been diverted', async () => {
    const appFees = [
      { recipient: FEE_ACCOUNT, fee: 20 },
      { recipient: ROTATED, fee: 20 },
    ]
    const { venue, close } = await changing(({ quoteRequest }) => Reflect.set(quoteRequest, 'appFees', appFees), { FEE_ACCOUNT })
    expect((await venueErrorOf(venue.quote(bitcoinToBase({ feeBps: 20 }), never()))).message).toContain('appFees')
    await close()
  })

  test('of ours that are left nothing of a small fee take none', async () => {
    for (const ours of [[{ recipient: FEE_ACCOUNT, fee: 0 }], []]) {
      const appFees = [...ours, { recipient: VENUE_FEE_ACCOUNT, fee: 20 }]
      const { venue, close } = await changing(({ quoteRequest }) => Reflect.set(quoteRequest, 'appFees', appFees), {
        FEE_ACCOUNT,
      })
      const { offer, problems } = await judged(venue, bitcoinToBase({ feeBps: 1 }))
      expect(offer.fee).toEqual({ bps: 0, amount: 0n })
      expect(problems).toEqual([])
      await close()
      await bench.close()
    }
    bench = await aBench()
  })
})

describe('the key', () => {
  const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl'

  test('of three parts is a JSON Web Token, and goes as Bearer', async () => {
    bench = await aBench({ apiKey: TOKEN })
    // 20 bps more than without a key: it was taken.
    expect((await bench.venue.quote(bitcoinToBase(), never())).outputAmount).toBe(983_329_416n)
    for (const { headers } of bench.sent) {
      expect(headers['authorization']).toBe(`Bearer ${TOKEN}`)
      expect(headers['x-api-key']).toBeUndefined()
    }
  })

  test.each(['key-0123456789', 'a.b', 'two.parts-only', 'one.two.three.four', 'with..emptypart'])(
    '%s is none, and goes as X-API-Key',
    async (apiKey) => {
      bench = await aBench({ apiKey: apiKey.padEnd(8, '0') })
      await bench.venue.quote(bitcoinToBase(), never())
      for (const { headers } of bench.sent) expect(headers['authorization']).toBeUndefined()
      expect(bench.sent[0]?.headers['x-api-key']).toBe(apiKey.padEnd(8, '0'))
    },
  )
})

describe('a delivery', () => {
  const trackedWith = async (change: Record<string, unknown>) => {
    bench = await aBench()
    const swap = await executed(bench.venue, usdcToSolana())
    await deposit(bench, swap)
    await bench.schedule.advance(60_000)
    const relay = relayedFrom(bench, (path, body) =>
      path === '/v0/status' ? { ...body, swapDetails: { ...(body['swapDetails'] as object), ...change } } : body,
    )
    const { venue, close } = await againstAnswers(relay, bench.sim.settings, () => bench.clock.now())
    const status = await venue.tracker?.track(refOf(swap), trackedBy(swap), never())
    await close()
    return { status, outputAmount: swap.offer.outputAmount }
  }

  test('that names an amount and no transaction is one, when nothing was sent back', async () => {
    for (const refundedAmount of ['0', null]) {
      const { status, outputAmount } = await trackedWith({ destinationChainTxHashes: [], refundedAmount })
      expect(status).toEqual({ state: 'success', venueStatus: 'SUCCESS', deliveredAmount: outputAmount, txHash: null })
      await bench.close()
    }
    bench = await aBench()
  })

  test('that names an amount and no transaction is none, when anything was sent back', async () => {
    expect((await trackedWith({ destinationChainTxHashes: [], refundedAmount: '1' })).status?.state).toBe('processing')
  })
})

describe('time for more solvers to answer', () => {
  test('is a second, unless the operator says otherwise', async () => {
    for (const [setting, asked] of [
      [undefined, 1_000],
      ['0', undefined],
      ['250', 250],
      ['3000', 3_000],
    ] as const) {
      bench = await aBench(setting === undefined ? {} : { settings: { QUOTE_WAITING_TIME_MS: setting } })
      await executed(bench.venue, bitcoinToBase())
      expect(quoteRequestsIn(bench.sent).map((body) => body['quoteWaitingTimeMs'])).toEqual([asked, asked])
      await bench.close()
    }
    bench = await aBench()
  })
})
