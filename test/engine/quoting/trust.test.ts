import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { TrustRule } from '../../../engine/venues/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, offers, pricesOf } from '../../support/fakeVenue.ts'
import { fakeTime, realTime, runQuote } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

let open: TestEngine[] = []

beforeEach(() => fakeTime())

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
  realTime()
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  open.push(engine)
  return engine
}

const order = (): Order =>
  anOrder({
    from: pair(TOKENS.usdcEthereum),
    to: pair(TOKENS.usdcArbitrum),
    amount: 1_000_000n,
  })
const quoteOf = async (engine: TestEngine, asked: Order = order()) => (await runQuote(engine, asked)).quote

const rule = (parts: TrustRule['parts'], change: Partial<TrustRule> = {}): TrustRule => ({
  executionType: 'TRANSACTION',
  parts,
  appliesTo: () => true,
  routes: 'all',
  reason: 'the toy says nothing',
  ...change,
})

describe('what a payload will prove [quote-expected-proof]', () => {
  it.each([
    ['everything, and nothing to refund', [], false, 'proved', 'proved', 'not-applicable'],
    ['everything, the refund of what is held too', [], true, 'proved', 'proved', 'proved'],
    ['all but the minimum', [rule(['minimum'])], true, 'proved', 'taken-on-trust', 'proved'],
    ['nothing', [rule(['recipient', 'minimum', 'refund'])], true, 'taken-on-trust', 'taken-on-trust', 'taken-on-trust'],
    ['no refund where nothing is held, whatever is listed', [rule(['refund'])], false, 'proved', 'proved', 'not-applicable'],
    [
      'everything, where payloads of another kind prove less',
      [rule(['recipient'], { executionType: 'DEPOSIT' })],
      true,
      'proved',
      'proved',
      'proved',
    ],
    [
      'everything, where other routes prove less',
      [rule(['recipient'], { appliesTo: () => false })],
      true,
      'proved',
      'proved',
      'proved',
    ],
  ] as const)('is told with the quote: %s', async (_what, takesOnTrust, isHeld, recipient, minimum, refund) => {
    const engine = await start({
      venues: [
        createFakeVenue('a', {
          profile: { takesOnTrust, holdsInput: () => isHeld },
        }),
      ],
    })
    expect((await quoteOf(engine)).expectedProof).toEqual({
      recipient,
      minimum,
      refund,
    })
  })
})

describe('VENUES_ON_TRUST=false [quote-expected-proof]', () => {
  const env = { VENUES_ON_TRUST: 'false' }

  it('leaves a route out, before its venue is asked, on which its word would be taken', async () => {
    const trusted = createFakeVenue('trusted', {
      quote: offers(2_000n),
      profile: {
        takesOnTrust: [
          rule(['recipient'], {
            appliesTo: ({ input }) => input.chainId === 1,
          }),
        ],
      },
    })
    const proved = createFakeVenue('proved', { quote: offers(1_000n) })
    const strict = await start({ venues: [trusted, proved], env })
    expect((await quoteOf(strict)).venue.id).toBe('proved')
    expect(trusted.calls.quote).toEqual([])
    const other = anOrder({
      from: pair(TOKENS.usdcBase),
      to: pair(TOKENS.usdcArbitrum),
      amount: 1_000_000n,
    })
    expect((await quoteOf(strict, other)).venue.id).toBe('trusted')
    expect((await quoteOf(await start({ venues: [trusted, proved] }))).venue.id).toBe('trusted')
  })

  it('does not execute such a quote that was given before either', async () => {
    const venue = createFakeVenue('trusted', { profile: { takesOnTrust: [rule(['recipient'])] } })
    const { quoteToken } = await quoteOf(await start({ venues: [venue] }))
    const strict = await start({ venues: [venue], env })
    const call = strict.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, strict.context)
    const error = await refusalOf(call, 'QUOTE_EXPIRED')
    expect(error.details).toEqual({ venue: 'trusted', reason: 'venueDisabled' })
    expect(venue.calls.execute).toEqual([])
  })

  it('is told as unsupportedPair, so that every venue is accounted for', async () => {
    const engine = await start({
      venues: [
        createFakeVenue('a', {
          profile: { takesOnTrust: [rule(['minimum'])] },
        }),
      ],
      env,
    })
    const error = await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')
    expect(error.details).toEqual({
      declines: [{ venue: 'a', kind: 'unsupportedPair', retryable: false }],
    })
  })

  it('counts an unproved fee where one is charged and can be taken', async () => {
    const profile = { takesOnTrust: [rule(['fee'])] }
    const free = await start({
      venues: [createFakeVenue('a', { profile })],
      env,
    })
    expect((await quoteOf(free)).venue.id).toBe('a')
    const charging = await start({
      venues: [createFakeVenue('a', { profile })],
      env,
      caller: { feeBps: 25 },
    })
    await refusalOf(quoteOf(charging), 'NO_LIQUIDITY')
    const untaken = createFakeVenue('a', {
      profile: { ...profile, feeRecipient: () => null },
      quote: offers(9n, { fee: { bps: 0, amount: 0n as never } }),
    })
    expect((await quoteOf(await start({ venues: [untaken], env, caller: { feeBps: 25 } }))).venue.id).toBe('a')
  })
})

describe('a fee beside the input [quote-venue-fee-disclosed]', () => {
  const FEE = 10n ** 15n
  const bounded = { nativeFeeMax: () => FEE }
  /** One ether is 2,000 dollars, so that the fee is worth 2 USDC. */
  const prices = pricesOf({
    [`1:${NATIVE}`]: '2000',
    [pair(TOKENS.usdcArbitrum).join(':')]: '1',
  })
  const dear = (outputAmount: bigint) =>
    createFakeVenue('dear', {
      quote: offers(outputAmount, { nativeFee: FEE as never }),
      profile: bounded,
    })

  it('is told apart, and is part of the coins a wallet must hold', async () => {
    const plain = await quoteOf(await start({ venues: [createFakeVenue('a')] }))
    const quote = await quoteOf(await start({ venues: [dear(1_000_000n)] }))
    expect(plain.venueFee).toBeNull()
    expect(quote.venueFee).toEqual({ native: FEE, nativeSymbol: 'ETH' })
    expect(quote.gas?.native).toBe((plain.gas?.native ?? 0n) + FEE)
    expect(quote.approval).toEqual(plain.approval)
  })

  it.each([
    [11_999_999n, 'plain'],
    [12_000_001n, 'dear'],
  ])('is subtracted from an output of %s at the reference price', async (outputAmount, winner) => {
    const venues = [createFakeVenue('plain', { quote: offers(10_000_000n), prices }), dear(outputAmount)]
    const quote = await quoteOf(await start({ venues }))
    expect(quote.venue.id).toBe(winner)
    if (winner === 'dear') expect(quote.output.amount).toBe(outputAmount)
  })

  it('is not priced by the list of the venue that takes it: it would be worth nothing there', async () => {
    const free = pricesOf({ [`1:${NATIVE}`]: '0.000000001', [pair(TOKENS.usdcArbitrum).join(':')]: '1' })
    const liar = createFakeVenue('a-liar', {
      quote: offers(11_000_000n, { nativeFee: FEE as never }),
      profile: bounded,
      prices: free,
    })
    const alone = await quoteOf(await start({ venues: [liar, createFakeVenue('plain', { quote: offers(10_000_000n) })] }))
    expect(alone.venue.id).toBe('plain')
    const venues = [liar, createFakeVenue('plain', { quote: offers(10_000_000n), prices })]
    expect((await quoteOf(await start({ venues }))).venue.id).toBe('plain')
  })

  it('that cannot be priced ranks behind offers without one', async () => {
    const quote = await quoteOf(
      await start({
        venues: [createFakeVenue('plain', { quote: offers(10_000_000n) }), dear(19_000_000n)],
      }),
    )
    expect(quote.venue.id).toBe('plain')
  })

  it('in the very coin that is bought needs no price', async () => {
    const asked = anOrder({
      from: pair(TOKENS.usdcEthereum),
      to: [1, NATIVE],
      amount: 1_000_000n,
    })
    const plain = createFakeVenue('plain', { quote: offers(10n * FEE) })
    expect((await quoteOf(await start({ venues: [plain, dear(11n * FEE - 1n)] }), asked)).venue.id).toBe('plain')
    expect((await quoteOf(await start({ venues: [plain, dear(11n * FEE + 1n)] }), asked)).venue.id).toBe('dear')
  })

  it('above what the venue is known to take, or of a payload that cannot carry one, is no offer', async () => {
    for (const venue of [
      createFakeVenue('a', {
        quote: offers(9n, { nativeFee: (FEE + 1n) as never }),
        profile: bounded,
      }),
      createFakeVenue('a', { quote: offers(9n, { nativeFee: 1n as never }) }),
      createFakeVenue('a', {
        quote: offers(9n, { nativeFee: -1n as never }),
        profile: bounded,
      }),
      createFakeVenue('a', {
        kind: 'DEPOSIT',
        quote: offers(9n, { nativeFee: 1n as never }),
        profile: bounded,
      }),
      createFakeVenue('a', {
        kind: 'SIGNATURE',
        quote: offers(9n, { nativeFee: 1n as never }),
        profile: bounded,
      }),
    ]) {
      const error = await refusalOf(quoteOf(await start({ venues: [venue] })), 'NO_LIQUIDITY')
      expect(error.details).toMatchObject({ declines: [{ venue: 'a', kind: 'rejected', retryable: true }] })
    }
  })
})
