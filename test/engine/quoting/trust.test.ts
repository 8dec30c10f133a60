import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { TrustRule } from '../../../engine/venues/venue.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, type FakeVenueOptions, offers, pricesOf } from '../../support/fakeVenue.ts'
import { executeToken, order, quoteOf, startEngine } from '../../support/quoteBench.ts'
import { fakeTime, realTime } from '../../support/raceTime.ts'
import { refusalOf } from '../../support/testEngine.ts'

beforeEach(() => fakeTime())
afterEach(() => realTime())

const rule = (parts: TrustRule['parts'], change: Partial<TrustRule> = {}): TrustRule => ({
  executionType: 'TRANSACTION',
  parts,
  appliesTo: () => true,
  routes: 'all',
  reason: 'the toy reports nothing',
  ...change,
})
const trusted = (rules: readonly TrustRule[], profile: FakeVenueOptions['profile'] = {}, quote = offers(2_000n)) =>
  createFakeVenue('trusted', { quote, profile: { takesOnTrust: rules, ...profile } })

const [proved, onTrust, none] = ['proved', 'taken-on-trust', 'not-applicable'] as const
it.each([
  ['no part is on trust', [], true, [proved, proved, proved]],
  ['every part is on trust', [rule(['recipient', 'minimum', 'refund'])], true, [onTrust, onTrust, onTrust]],
  ['a refund is on trust, and no input is held', [rule(['refund'])], false, [proved, proved, none]],
  ['deposits are on trust', [rule(['recipient'], { executionType: 'DEPOSIT' })], true, [proved, proved, proved]],
  ['other routes are on trust', [rule(['recipient'], { appliesTo: () => false })], true, [proved, proved, proved]],
] as const)('expectedProof of a quote: %s [quote-expected-proof]', async (_when, rules, isHeld, [recipient, minimum, refund]) => {
  const { expectedProof } = await quoteOf(await startEngine([trusted(rules, { holdsInput: () => isHeld })]))
  expect(expectedProof).toEqual({ recipient, minimum, refund })
})

describe('VENUES_ON_TRUST=false [quote-expected-proof]', () => {
  const strict = { env: { VENUES_ON_TRUST: 'false' } }

  it('excludes a venue from the routes that it has on trust, without a call, and from no other route', async () => {
    const venue = trusted([rule(['recipient'], { appliesTo: ({ input }) => input.chainId === 1 })])
    const venues = [venue, createFakeVenue('proved', { quote: offers(1_000n) })]
    const engine = await startEngine(venues, strict)
    expect((await quoteOf(engine)).venue.id).toBe('proved')
    expect(venue.calls.quote).toEqual([])
    expect((await quoteOf(engine, order({ from: pair(TOKENS.usdcBase) }))).venue.id).toBe('trusted')
    expect((await quoteOf(await startEngine(venues))).venue.id).toBe('trusted')
  })

  it('rejects the execution of such a quote from before with QUOTE_EXPIRED, without a call', async () => {
    const venue = trusted([rule(['recipient'])])
    const { quoteToken } = await quoteOf(await startEngine([venue]))
    const { details } = await refusalOf(executeToken(await startEngine([venue], strict), quoteToken), 'QUOTE_EXPIRED')
    expect(details).toEqual({ venue: 'trusted', reason: 'venueDisabled' })
    expect(venue.calls.execute).toEqual([])
  })

  it.each([
    ['serves a route without a fee', 0, {}, 'trusted'],
    ['excludes a route with a fee', 25, {}, null],
    ['serves a route on which the venue takes no fee', 25, { feeRecipient: () => null }, 'trusted'],
  ])('%s, when the fee is on trust', async (_what, feeBps, profile, winner) => {
    const quote = offers(9n, { fee: { bps: 0, amount: 0n as never } })
    const engine = await startEngine([trusted([rule(['fee'])], profile, quote)], { ...strict, caller: { feeBps } })
    const declines = [{ venue: 'trusted', kind: 'unsupportedPair', retryable: false }]
    if (winner === null) expect((await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')).details).toEqual({ declines })
    else expect((await quoteOf(engine)).venue.id).toBe(winner)
  })
})

describe('a fee of a venue beside the input [quote-venue-fee-disclosed]', () => {
  const FEE = 10n ** 15n
  /** One ether is worth 2,000 dollars, so that the fee is worth 2 USDC. */
  const pricing = (ether: string) => pricesOf({ [`1:${NATIVE}`]: ether, [pair(TOKENS.usdcArbitrum).join(':')]: '1' })
  const dear = (outputAmount: bigint, options: FakeVenueOptions = {}, nativeFee = FEE) =>
    createFakeVenue('dear', {
      quote: offers(outputAmount, { nativeFee: nativeFee as never }),
      profile: { nativeFeeMax: () => FEE },
      ...options,
    })

  it('is shown as venueFee, and is part of gas.native', async () => {
    const plain = await quoteOf(await startEngine([createFakeVenue('plain')]))
    const quote = await quoteOf(await startEngine([dear(1_000_000n)]))
    expect([plain.venueFee, quote.venueFee]).toEqual([null, { native: FEE, nativeSymbol: 'ETH' }])
    expect(quote.gas?.native).toBe((plain.gas?.native ?? 0n) + FEE)
    expect(quote.approval).toEqual(plain.approval)
  })

  const priced = pricing('2000')
  const free = { prices: pricing('0.000000001') }
  const coin = order({ to: [1, NATIVE] })
  it.each([
    ['loses with an output below the other by the worth of the fee', 11_999_999n, {}, 10_000_000n, priced, order(), 'plain'],
    ['wins with an output above the other by the worth of the fee', 12_000_001n, {}, 10_000_000n, priced, order(), 'dear'],
    ['ranks last when no list prices it', 19_000_000n, {}, 10_000_000n, null, order(), 'plain'],
    ['is priced by another list than that of the venue', 11_000_000n, free, 10_000_000n, priced, order(), 'plain'],
    ['counts without a price in the coin that is bought: too little', 11n * FEE - 1n, {}, 10n * FEE, null, coin, 'plain'],
    ['counts without a price in the coin that is bought: enough', 11n * FEE + 1n, {}, 10n * FEE, null, coin, 'dear'],
  ] as const)('%s', async (_what, output, options, ofPlain, prices, asked, winner) => {
    const plain = createFakeVenue('plain', { quote: offers(ofPlain), prices })
    const quote = await quoteOf(await startEngine([plain, dear(output, options)]), asked)
    expect([quote.venue.id, quote.output.amount]).toEqual([winner, winner === 'dear' ? output : ofPlain])
  })

  it.each([
    ['above its bound', {}, FEE + 1n],
    ['of a venue without a bound', { profile: {} }, 1n],
    ['below 0', {}, -1n],
    ['of a deposit', { kind: 'DEPOSIT' }, 1n],
  ] as const)('%s leaves no offer', async (_what, options, fee) => {
    const { details } = await refusalOf(quoteOf(await startEngine([dear(9n, options, fee)])), 'NO_LIQUIDITY')
    expect(details).toMatchObject({ declines: [{ venue: 'dear', kind: 'rejected', retryable: true }] })
  })
})
