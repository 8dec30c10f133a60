import { expect, it } from 'vitest'
import { MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { ExecutionType, Offer } from '../../../engine/core/offer.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { feeFor } from '../../../engine/quoting/fee.ts'
import { gasCost } from '../../../engine/quoting/gasCost.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { convertAtPrices, usdValue } from '../../../engine/quoting/usdPrice.ts'
import type { TrustRule, Venue, VenueProfile } from '../../../engine/venues/venue.ts'
import { anOrder, type OrderWish } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue, type FakeVenueOptions, offers, pricesOf, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { executeToken, firm, offerOf, order, startEngine } from '../../support/quoteBench.ts'
import { ANYBODY, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const { usdcEthereum, usdcArbitrum, usdcSolana, daiArbitrum } = TOKENS
const { profile } = createFakeVenue('toy')
const BTC = [-1, 'BTC'] as const
const MILLION = 1_000_000n

const quoteOf = ({ engine, context }: TestEngine, asked: Order = order()) => engine.quote(asked, context)

const NOW = 1_000_000

const offer = (wish: Partial<Offer> = {}): Offer =>
  offerOf('toy', MILLION, { slippage: firm(995_000n), spender: TOY_CONTRACT, expiresAt: NOW + 1, ...wish })

const check = (wish: Partial<Offer>, asked: Partial<OrderWish> = {}, by: VenueProfile = profile): Offer => {
  const sent = order(asked)
  return checkOffer({ offer: offer(wish), order: sent, asked: sent, profile: by, now: NOW })
}

const bounded = { ...profile, nativeFeeMax: () => 9n }
const deposit = { executionType: 'DEPOSIT', spender: null } as const
it.each<[string, Partial<Offer>, Partial<OrderWish>]>([
  ['no spender and no expiry', { spender: null, expiresAt: null }, {}],
  ['no time and no gas', { estimatedTimeSeconds: 0, gasUnits: 0n }, {}],
  ['the longest time and the most gas', { estimatedTimeSeconds: 604_800, gasUnits: 10n ** 12n }, {}],
  ['the greatest amounts', { outputAmount: toAmount(MAX_AMOUNT), slippage: firm(MAX_AMOUNT) }, {}],
  ['a minimum of the whole output', { slippage: firm(MILLION) }, {}],
  ['a carry of 2,000 bytes', { carry: 'x'.repeat(1_998) }, {}],
  ['a smaller fee than requested', {}, { feeBps: 25 }],
  ['the greatest fee beside the input', { nativeFee: toAmount(9n) }, {}],
  ['a deposit', deposit, {}],
])('offer rules accept an offer with %s unchanged', (_what, wish, asked) => {
  expect(check(wish, asked, bounded)).toEqual(offer(wish))
})

it.each<[string, Partial<Offer>, Partial<OrderWish>, VenueProfile?]>([
  ['the name of another venue', { venue: 'other' }, {}],
  ['an output of 0', { outputAmount: 0n as never }, {}],
  ['an output of 2^256', { outputAmount: (MAX_AMOUNT + 1n) as never, slippage: null }, {}],
  ['a fee that was not requested', { fee: { bps: 1, amount: toAmount(100n) } }, {}],
  ['a higher fee than requested', { fee: { bps: 26, amount: toAmount(2_600n) } }, { feeBps: 25 }],
  ['a fraction of a basis point', { fee: { bps: 0.5, amount: toAmount(50n) } }, { feeBps: 25 }],
  ['negative basis points', { fee: { bps: -1, amount: toAmount(0n) } }, {}],
  ['a negative fee amount', { fee: { bps: 5, amount: -1n as never } }, { feeBps: 25 }],
  ['a fee amount for a fee of 0', { fee: { bps: 0, amount: toAmount(5n) } }, {}],
  ['negative gas', { gasUnits: -1n }, {}],
  ['more gas than any chain allows', { gasUnits: 10n ** 12n + 1n }, {}],
  ['a negative time', { estimatedTimeSeconds: -1 }, {}],
  ['more than a week', { estimatedTimeSeconds: 604_801 }, {}],
  ['a time that is no number', { estimatedTimeSeconds: Number.NaN }, {}],
  ['an expiry of now', { expiresAt: NOW }, {}],
  ['an expiry that is no number', { expiresAt: Number.NaN }, {}],
  ['a spender of a native coin', {}, { from: [1, NATIVE] }],
  ['a spender that is no contract of the venue', { spender: addressFor('evm', 'unrelated') }, {}],
  ['a minimum of 0', { slippage: firm(0n) }, {}],
  ['a minimum above the output', { slippage: firm(MILLION + 1n) }, {}],
  ['no minimum', { slippage: null }, {}],
  ['a carry of 2,001 bytes', { carry: `€${'x'.repeat(1_996)}` }, {}],
  ['a fee beside the input above its bound', { nativeFee: toAmount(10n) }, {}, bounded],
  ['a fee beside the input without a bound', { nativeFee: toAmount(1n) }, {}],
  ['a fee beside the input below 0', { nativeFee: -1n as never }, {}, bounded],
  ['a fee beside the input of a deposit', { ...deposit, nativeFee: toAmount(1n) }, {}, bounded],
])('offer rules reject an offer with %s', (_what, wish, asked, by) => {
  expect(() => check(wish, asked, by)).toThrow(expect.objectContaining({ name: 'VenueError', kind: 'rejected' }))
})

it('offer rules name every broken rule, and the first one as the check', () => {
  const broken = { estimatedTimeSeconds: -1, expiresAt: 0.5 }
  const message = 'the time is out of range, the expiry is no time'
  expect(() => check(broken)).toThrow(expect.objectContaining({ check: 'theTimeIsOutOfRange', message }))
})

it('offer rules accept a preview without a guaranteed minimum', () => {
  const binding = { ...profile, bindsAtQuote: { recipient: ['always'], refundTo: [] } } as const
  expect(check({ slippage: null }, { to: pair(usdcSolana) }, binding).slippage).toBeNull()
})

it.each([
  ['the share', 'less than half of it', 5_048n, 10_101n],
  ['the figure', 'half of it', 5_050n, 5_050n],
  ['the figure', 'the share', 10_101n, 10_101n],
  ['the figure', 'twice the share', 20_202n, 20_202n],
  ['the share', 'more than twice of it', 20_206n, 10_101n],
  ['the share', 'nothing', 0n, 10_101n],
])('offer rules show %s for a fee of 1 %% reported as %s [fee-amount-plausible]', (_shown, _of, amount, shown) => {
  expect(check({ fee: { bps: 100, amount: toAmount(amount) } }, { feeBps: 100 }).fee).toEqual({ bps: 100, amount: shown })
})

it.each<[string, number | null, number, bigint]>([
  ['the tolerance of the caller', 50, 50, 994_898n],
  ['the tolerance of the caller, although the venue received more', 50, 80, 994_898n],
  ['the tolerance that the venue received, when the caller names none', null, 120, 987_898n],
])('offer rules decline a minimum below %s, with a leeway of a basis point and two units', (_whose, given, sent, least) => {
  const asked = order({ slippageBps: sent })
  const judged = (minimum: bigint) => () =>
    checkOffer({ offer: offer({ slippage: firm(minimum) }), profile, now: NOW, order: { ...asked, slippageBps: given }, asked })
  expect(judged(least)).not.toThrow()
  const decline = { kind: 'noLiquidity', reason: 'boundTooWide', isDecline: true }
  for (const minimum of [least - 1n, 1n]) expect(judged(minimum)).toThrow(expect.objectContaining(decline))
})

it.each([
  ['the tolerance of the caller', 37, 80, '300', 37],
  ['the documented default of the venue, when the caller names none', null, 80, '300', 80],
  ['at most 300 basis points by default', null, 2_500, '300', 300],
  ['at most what the operator allows by default', null, 80, '60', 60],
  ['the least that the venue accepts, for a smaller one', 1, 80, '300', 5],
  ['the most that the venue accepts, for a greater one', 5_000, 80, '300', 2_000],
])('a venue receives %s, at quote and execute [quote-executable-has-minimum]', async (_whose, given, defaultBps, most, sent) => {
  const slippage = () => ({ defaultBps, minBps: 5, maxBps: 2_000 })
  const quote = offers(MILLION, { slippage: firm(MILLION) })
  const venue = createFakeVenue('toy', { now: () => START_AT, quote, profile: { slippage } })
  const engine = await startEngine([venue], { env: { QUOTE_SLIPPAGE_BPS_MAX_DEFAULT: most } })
  await executeToken(engine, (await quoteOf(engine, { ...order(), slippageBps: given })).quoteToken)
  const received = [venue.calls.quote[0]?.order, venue.calls.execute[0]?.sealed.order]
  expect(received.map((asked) => asked?.slippageBps)).toEqual([sent, sent])
})

it.each([null, 50])('an offer below the tolerance %s is declined [quote-executable-has-minimum]', async (slippageBps) => {
  const engine = await startEngine([createFakeVenue('liar', { quote: offers(MILLION, { slippage: firm(1n) }) })])
  const { details } = await refusalOf(quoteOf(engine, { ...order(), slippageBps }), 'NO_LIQUIDITY')
  expect(details).toEqual({ declines: [{ venue: 'liar', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }] })
})

it('slippage.bps: is the distance between output and guaranteed minimum, rounded up [quote-executable-has-minimum]', async () => {
  const quote = offers(MILLION, { slippage: firm(995_999n) })
  const { slippage } = await quoteOf(await startEngine([createFakeVenue('toy', { quote })]))
  expect(slippage).toEqual({ bps: 41, isFirm: true, guaranteedMin: 995_999n })
})

it.each<[RouteType, number, Pick<OrderWish, 'from' | 'to'>]>([
  ['EVM_SAME_CHAIN', 0, { from: pair(usdcArbitrum), to: pair(daiArbitrum) }],
  ['SOLANA_SAME_CHAIN', 0, { from: pair(usdcSolana), to: [-2, NATIVE_SOL] }],
  ['EVM_CROSS_CHAIN', 15, { from: pair(usdcEthereum), to: pair(usdcArbitrum) }],
  ['CROSS_ECOSYSTEM', 25, { from: pair(usdcEthereum), to: pair(usdcSolana) }],
  ['NATIVE_BITCOIN', 30, { from: BTC, to: pair(usdcEthereum) }],
])('integrator fee on %s: that of the key, else %i bps by route, else 0 [fee-amount-plausible]', (_type, bps, wish) => {
  const route = anOrder({ ...wish, amount: 1n })
  const feeOf = (feeBps: number | null, schedule: 'none' | 'route') => feeFor(route, { ...ANYBODY, feeBps }, schedule)
  expect([feeOf(null, 'none'), feeOf(null, 'route')]).toEqual([0, bps].map((each) => ({ bps: each, of: 'operator' })))
  for (const own of [0, 7])
    for (const schedule of ['none', 'route'] as const) expect(feeOf(own, schedule)).toEqual({ bps: own, of: 'partner' })
})

const GWEI = 10n ** 9n
const coin: Partial<OrderWish> = { from: [1, NATIVE] }
const bitcoin: Partial<OrderWish> = { from: BTC, to: pair(usdcEthereum) }
const solana: Partial<OrderWish> = { from: pair(usdcSolana) }
type Prices = readonly [feePrice: bigint | null, nativeUsd: string | null]

type Gas = readonly [native: bigint, usd: string | null, nativeSymbol?: string]

it.each<[string, Partial<OrderWish>, ExecutionType, bigint | null, Prices, Gas | null]>([
  ['the figure of the venue', {}, 'TRANSACTION', 100_000n, [2n * GWEI, '2500.5'], [200_000n * GWEI, '0.5001']],
  ['the estimate of a contract call', {}, 'TRANSACTION', null, [GWEI, '1000'], [250_000n * GWEI, '0.25']],
  ['a token transfer for a deposit', {}, 'DEPOSIT', null, [GWEI, '1000'], [65_000n * GWEI, '0.065']],
  ['a plain transfer for a deposit of coins', coin, 'DEPOSIT', null, [GWEI, '1000'], [21_000n * GWEI, '0.021']],
  ['one signature on Solana', solana, 'TRANSACTION', null, [5_000n, '200'], [5_000n, '0.001', 'SOL']],
  ['a small payment on Bitcoin', bitcoin, 'DEPOSIT', null, [10n, '100000'], [1_450n, '1.45', 'BTC']],
  ['null for a signature', {}, 'SIGNATURE', null, [5n, '1'], null],
  ['null without a fee price', {}, 'TRANSACTION', 1n, [null, '1'], null],
  ['null for a fee price that cannot be true', {}, 'TRANSACTION', 250_000n, [2n ** 250n, '1'], null],
])('gas of a quote is %s [quote-gas-shown]', (_what, wish, executionType, gasUnits, [feePrice, nativeUsd], gas) => {
  const cost = gasCost(order(wish), { executionType, gasUnits, nativeFee: toAmount(0n) }, { feePrice, nativeUsd })
  const [native, usd, nativeSymbol = 'ETH'] = gas ?? []
  expect(cost).toEqual(gas && { native, usd, nativeSymbol, isEstimated: gasUnits === null })
})

it.each([
  [10n ** 18n, 18, '2500', '2500.00'],
  [1n, 18, '2500', '0.000001'],
  [1_000_000n, 6, '0.0000010001', '0.000002'],
  [100_000n, 6, '1', '0.10'],
  [120_000_000n, 8, '99999.99', '119999.988'],
  [0n, 18, '2500', '0.00'],
  [10n ** 18n, 0, '0.000000000000000001', '1.00'],
])('dollar values %s at %s decimals and %s a unit is %s, rounded up to a millionth', (amount, decimals, usd, value) => {
  expect(usdValue(amount, decimals, usd)).toBe(value)
})

it('dollar values are null for a text that is no price', () => {
  for (const usd of [null, '', '0.0', '-1', '1e3', '1.', '.5', '1'.repeat(21), '0.0000000000000000001']) {
    const priced = { decimals: 6, usd: '1' }
    expect(usdValue(10n ** 18n, 18, usd), `${usd}`).toBeNull()
    expect(convertAtPrices({ amount: 1n, decimals: 6, usd }, priced), `${usd}`).toBeNull()
    expect(convertAtPrices({ amount: 1n, ...priced }, { decimals: 6, usd }), `${usd}`).toBeNull()
  }
})

it('dollar values convert by price and decimals, rounded down', () => {
  const btc = { amount: 100_000_000n, decimals: 8, usd: '100000.5' }
  expect(convertAtPrices(btc, { decimals: 6, usd: '0.5' })).toBe(200_001_000_000n)
  expect(convertAtPrices({ amount: 2n, decimals: 0, usd: '1' }, { decimals: 0, usd: '3' })).toBe(0n)
})

const rule = (parts: TrustRule['parts'], change: Partial<TrustRule> = {}): TrustRule => {
  return { executionType: 'TRANSACTION', parts, appliesTo: () => true, routes: 'all', reason: 'none', ...change }
}
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

const strict = { env: { VENUES_ON_TRUST: 'false' } }

it('VENUES_ON_TRUST=false excludes a venue from routes and earlier quotes that it has on trust, without a call [quote-expected-proof]', async () => {
  const venue = trusted([rule(['recipient'], { appliesTo: ({ input }) => input.chainId === 1 })])
  const venues = [venue, createFakeVenue('proved', { quote: offers(1_000n) })]
  const before = await quoteOf(await startEngine(venues))
  expect(before.venue.id).toBe('trusted')
  const engine = await startEngine(venues, strict)
  expect((await quoteOf(engine)).venue.id).toBe('proved')
  const { details } = await refusalOf(executeToken(engine, before.quoteToken), 'QUOTE_EXPIRED')
  expect(details).toEqual({ venue: 'trusted', reason: 'venueDisabled' })
  expect([venue.calls.quote.length, venue.calls.execute.length]).toEqual([1, 0])
  expect((await quoteOf(engine, order({ from: pair(TOKENS.usdcBase) }))).venue.id).toBe('trusted')
})

it.each([
  ['serves a route without a fee', 0, {}, 'trusted'],
  ['excludes a route with a fee', 25, {}, null],
  ['serves a route on which the venue takes no fee', 25, { feeRecipient: () => null }, 'trusted'],
])('VENUES_ON_TRUST=false %s, when the fee is on trust [quote-expected-proof]', async (_what, feeBps, profile, winner) => {
  const quote = offers(9n, { fee: { bps: 0, amount: 0n as never } })
  const engine = await startEngine([trusted([rule(['fee'])], profile, quote)], { ...strict, caller: { feeBps } })
  const declines = [{ venue: 'trusted', kind: 'unsupportedPair', retryable: false }]
  if (winner === null) expect((await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')).details).toEqual({ declines })
  else expect((await quoteOf(engine)).venue.id).toBe(winner)
})

const FEE = 10n ** 15n
/** One ether is worth 2,000 dollars, so that the fee is worth 2 USDC. */
const pricing = (ether: string) => pricesOf({ [`1:${NATIVE}`]: ether, [pair(usdcArbitrum).join(':')]: '1' })
const dear = (outputAmount: bigint, prices: Venue['prices'] = null) => {
  const quote = offers(outputAmount, { nativeFee: toAmount(FEE) })
  return createFakeVenue('dear', { quote, prices, profile: { nativeFeeMax: () => FEE } })
}

it('a fee beside the input is shown as venueFee, and is part of gas.native [quote-venue-fee-disclosed]', async () => {
  const plain = await quoteOf(await startEngine([createFakeVenue('plain')]))
  const quote = await quoteOf(await startEngine([dear(MILLION)]))
  expect([plain.venueFee, quote.venueFee]).toEqual([null, { native: FEE, nativeSymbol: 'ETH' }])
  expect(quote.gas?.native).toBe((plain.gas?.native ?? 0n) + FEE)
  expect(quote.approval).toEqual(plain.approval)
})

const [priced, cheap, toCoin] = [pricing('2000'), pricing('0.000000001'), order({ to: [1, NATIVE] })]
it.each<[string, bigint, bigint, lists: [plain: Venue['prices'], dear?: Venue['prices']], Order, string]>([
  ['loses with an output below the other by its worth', 11_999_999n, 10_000_000n, [priced], order(), 'plain'],
  ['wins with an output above the other by its worth', 12_000_001n, 10_000_000n, [priced], order(), 'dear'],
  ['ranks last when no list prices it', 19_000_000n, 10_000_000n, [null], order(), 'plain'],
  ['is priced by another list than that of its venue', 11_000_000n, 10_000_000n, [priced, cheap], order(), 'plain'],
  ['needs no price in the coin that is bought: too little', 11n * FEE - 1n, 10n * FEE, [null], toCoin, 'plain'],
  ['needs no price in the coin that is bought: enough', 11n * FEE + 1n, 10n * FEE, [null], toCoin, 'dear'],
])('a fee beside the input %s [quote-venue-fee-disclosed]', async (_what, output, ofPlain, [own, ofDear], asked, winner) => {
  const plain = createFakeVenue('plain', { quote: offers(ofPlain), prices: own })
  const quote = await quoteOf(await startEngine([plain, dear(output, ofDear)]), asked)
  expect([quote.venue.id, quote.output.amount]).toEqual([winner, winner === 'dear' ? output : ofPlain])
})
