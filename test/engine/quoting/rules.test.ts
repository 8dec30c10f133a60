import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Amount, MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { Caller } from '../../../engine/core/caller.ts'
import type { Offer, Slippage } from '../../../engine/core/offer.ts'
import type { Party, VenueOrder } from '../../../engine/core/order.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { bindsAtQuote, isExecutable } from '../../../engine/quoting/executable.ts'
import { feeFor } from '../../../engine/quoting/fee.ts'
import { gasCost } from '../../../engine/quoting/gasCost.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { convertAtPrices, usdValue } from '../../../engine/quoting/usdPrice.ts'
import type { BindingCase } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { ANYBODY } from '../../support/testEngine.ts'

const ROUTES = {
  EVM_SAME_CHAIN: { from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.daiArbitrum) },
  SOLANA_SAME_CHAIN: { from: pair(TOKENS.usdcSolana), to: [-2, NATIVE_SOL] },
  EVM_CROSS_CHAIN: { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum) },
  CROSS_ECOSYSTEM: { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcSolana) },
  NATIVE_BITCOIN: { from: [-1, 'BTC'], to: pair(TOKENS.usdcEthereum) },
} as const satisfies { [routeType in RouteType]: Pick<OrderWish, 'from' | 'to'> }

const order = (wish: Partial<OrderWish> = {}): VenueOrder => anOrder({ ...ROUTES.EVM_CROSS_CHAIN, amount: 1_000_000n, ...wish })

describe('what any offer must be', () => {
  const { profile } = createFakeVenue('toy')
  const NOW = 1_000_000

  const offer = (wish: Partial<Offer> = {}): Offer => ({
    venue: 'toy',
    executionType: 'TRANSACTION',
    outputAmount: toAmount(1_000_000n),
    fee: { bps: 0, amount: toAmount(0n) },
    slippage: { isFirm: true, guaranteedMin: toAmount(995_000n) },
    gasUnits: 1n,
    spender: TOY_CONTRACT,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: 1,
    expiresAt: NOW + 1,
    decimals: { input: 6, output: 6 },
    carry: null,
    ...wish,
  })

  const firm = (guaranteedMin: bigint): Slippage => ({ isFirm: true, guaranteedMin: guaranteedMin as Amount })

  const check = (one: Offer, wish: Partial<OrderWish> = {}): Offer => {
    const asked = order(wish)
    return checkOffer({ offer: one, order: asked, asked, profile, now: NOW })
  }

  it('lets an ordinary offer through as it is', () => {
    const good = offer()
    expect(check(good)).toBe(good)
    for (const wish of [
      { gasUnits: null, spender: null, estimatedTimeSeconds: null, expiresAt: null },
      { estimatedTimeSeconds: 0, gasUnits: 0n },
      { estimatedTimeSeconds: 604_800 },
      { outputAmount: toAmount(MAX_AMOUNT), slippage: firm(MAX_AMOUNT), gasUnits: 1_000_000_000_000n },
      { slippage: firm(1_000_000n) },
    ] satisfies Partial<Offer>[])
      expect(check(offer(wish))).toMatchObject(wish)
  })

  it.each([
    ['less than half of its share', 5_048n, 10_101n],
    ['half of it', 5_050n, 5_050n],
    ['its share', 10_101n, 10_101n],
    ['twice of it', 20_202n, 20_202n],
    ['more than twice of it', 20_206n, 10_101n],
    ['nothing', 0n, 10_101n],
  ])(
    'tells a fee of one percent that the venue tells as %s by what it can be [fee-amount-plausible]',
    (_what, told, believed) => {
      const one = offer({ fee: { bps: 100, amount: toAmount(told) } })
      expect(check(one, { feeBps: 100 }).fee).toEqual({ bps: 100, amount: believed })
    },
  )

  const native: Partial<OrderWish> = { from: [1, NATIVE] }
  it.each<[string, Partial<Offer>, Partial<OrderWish>]>([
    ['names another venue', { venue: 'other' }, {}],
    ['offers nothing', { outputAmount: 0n as Amount }, {}],
    ['offers less than nothing', { outputAmount: -1n as Amount, slippage: null }, {}],
    ['takes a fee nobody asked for', { fee: { bps: 1, amount: toAmount(100n) } }, {}],
    ['takes a higher fee than asked for', { fee: { bps: 26, amount: toAmount(2_600n) } }, { feeBps: 25 }],
    ['takes a fraction of a basis point', { fee: { bps: 0.5, amount: toAmount(50n) } }, { feeBps: 25 }],
    ['takes a negative fee amount', { fee: { bps: 5, amount: -1n as Amount } }, { feeBps: 25 }],
    ['takes longer than an answer can tell', { estimatedTimeSeconds: 604_801 }, {}],
    ['takes no time that is a number', { estimatedTimeSeconds: Number.NaN }, {}],
    ['expires now', { expiresAt: NOW }, {}],
    ['expired before', { expiresAt: NOW - 1 }, {}],
    ['wants an allowance of a native coin', {}, native],
    ['wants an allowance for a stranger', { spender: addressFor('evm', 'stranger') }, {}],
    ['guarantees nothing', { slippage: firm(0n) }, {}],
    ['guarantees less than nothing', { slippage: firm(-1n) }, {}],
    ['guarantees more than it offers', { slippage: firm(1_000_001n) }, {}],
    ['guarantees nothing that is known', { slippage: null }, {}],
    ['has a carry of 2001 bytes', { carry: 'x'.repeat(1_999) }, {}],
    ['has a carry of too many bytes in few characters', { carry: '€'.repeat(700) }, {}],
  ])('refuses one that %s', (_what, wish, asked) => {
    const refused = (() => {
      try {
        check(offer(wish), asked)
      } catch (error) {
        return error
      }
    })()
    expect(refused).toBeInstanceOf(VenueError)
    expect(refused).toMatchObject({ kind: 'rejected' })
  })

  it('allows a carry of 2000 bytes', () => {
    expect(() => check(offer({ carry: 'x'.repeat(1_998) }))).not.toThrow()
  })

  it('lets a preview go without a guaranteed minimum', () => {
    const binding = { ...profile, bindsAtQuote: { recipient: ['always'], refundTo: [] } } as const
    const asked = order({ to: pair(TOKENS.usdcSolana) })
    expect(() => checkOffer({ offer: offer({ slippage: null }), order: asked, asked, profile: binding, now: NOW })).not.toThrow()
  })

  describe.each<[string, number | null, number, bigint]>([
    ['the caller’s tolerance', 50, 50, 994_900n],
    ['the caller’s, though the venue takes no less than more', 50, 80, 994_900n],
    ['the venue’s own, where the caller gives none', null, 120, 987_900n],
  ])('is bound by %s', (_whose, given, sent, least) => {
    const bounded = (guaranteedMin: bigint) => () => {
      const asked = order({ slippageBps: sent })
      const wish = { offer: offer({ slippage: firm(guaranteedMin) }), profile, now: NOW }
      return checkOffer({ ...wish, order: { ...asked, slippageBps: given }, asked })
    }

    it('with a basis point and two units of leeway', () => {
      expect(bounded(least - 2n)).not.toThrow()
    })

    it.each([1n, 2n, 900_000n])('and declines what guarantees %s units less', (less) => {
      expect(bounded(least - 2n - less > 0n ? least - 2n - less : 1n)).toThrow(
        expect.objectContaining({ kind: 'noLiquidity', reason: 'boundTooWide', isDecline: true }),
      )
    })
  })

  it('accepts a smaller fee than asked for: not every venue can take one', () => {
    expect(() => check(offer(), { feeBps: 25 })).not.toThrow()
  })
})

describe('executable', () => {
  const solanaFrom = { from: pair(TOKENS.usdcSolana), to: pair(TOKENS.usdcEthereum) } as const
  const routes = {
    evm: ROUTES.EVM_CROSS_CHAIN,
    evmToSolana: ROUTES.CROSS_ECOSYSTEM,
    solanaToEvm: solanaFrom,
    solana: ROUTES.SOLANA_SAME_CHAIN,
    fromBitcoin: ROUTES.NATIVE_BITCOIN,
    toBitcoin: { from: pair(TOKENS.usdcEthereum), to: [-1, 'BTC'] },
    bitcoinToSolana: { from: [-1, 'BTC'], to: pair(TOKENS.usdcSolana) },
  } as const satisfies { [name: string]: Pick<OrderWish, 'from' | 'to'> }
  type RouteName = keyof typeof routes

  const APPLIES: { readonly [bindingCase in BindingCase]: readonly RouteName[] } = {
    always: ['evm', 'evmToSolana', 'solanaToEvm', 'solana', 'fromBitcoin', 'toBitcoin', 'bitcoinToSolana'],
    crossEcosystem: ['evmToSolana', 'solanaToEvm', 'fromBitcoin', 'toBitcoin', 'bitcoinToSolana'],
    touchesSolana: ['evmToSolana', 'solanaToEvm', 'solana', 'bitcoinToSolana'],
    fromBitcoin: ['fromBitcoin', 'bitcoinToSolana'],
    fromNativeCoin: ['fromBitcoin', 'bitcoinToSolana'],
  }
  /** Who must be named because the sender cannot stand in. */
  const OWED: { readonly [name in RouteName]: readonly Party[] } = {
    evm: [],
    evmToSolana: ['recipient'],
    solanaToEvm: ['recipient'],
    solana: [],
    fromBitcoin: ['recipient', 'refundTo'],
    toBitcoin: ['recipient'],
    bitcoinToSolana: ['recipient', 'refundTo'],
  }

  const names = Object.keys(routes) as RouteName[]
  const cases = (Object.keys(APPLIES) as BindingCase[]).flatMap((bindingCase) =>
    names.flatMap((name) => (['recipient', 'refundTo'] as const).map((party) => ({ bindingCase, name, party }))),
  )

  it.each(cases)('$party bound at quote time $bindingCase, $name', ({ bindingCase, name, party }) => {
    const { profile } = createFakeVenue('toy', {
      profile: { bindsAtQuote: { recipient: [], refundTo: [], [party]: [bindingCase] } },
    })
    const unnamed = anOrder({ ...routes[name], amount: 1n })
    const binds = APPLIES[bindingCase].includes(name)
    expect(bindsAtQuote(profile, party, unnamed)).toBe(binds)
    expect(bindsAtQuote(profile, party === 'recipient' ? 'refundTo' : 'recipient', unnamed)).toBe(false)
    expect(isExecutable(profile, unnamed)).toBe(!(binds && OWED[name].includes(party)))
    const named = anOrder({ ...routes[name], amount: 1n, recipient: unnamed.recipient, refundTo: unnamed.refundTo })
    expect(isExecutable(profile, named)).toBe(true)
  })

  it('is always so for a venue that binds everything at execute time', () => {
    const { profile } = createFakeVenue('toy')
    for (const name of names) expect(isExecutable(profile, anOrder({ ...routes[name], amount: 1n }))).toBe(true)
  })

  it('wants every address that is owed, not just one', () => {
    const { profile } = createFakeVenue('toy', {
      profile: { bindsAtQuote: { recipient: ['always'], refundTo: ['fromBitcoin'] } },
    })
    const wish = { ...ROUTES.NATIVE_BITCOIN, amount: 1n }
    expect(isExecutable(profile, anOrder({ ...wish, recipient: WALLETS.evm }))).toBe(false)
    expect(isExecutable(profile, anOrder({ ...wish, refundTo: WALLETS.bitcoin }))).toBe(false)
    expect(isExecutable(profile, anOrder({ ...wish, recipient: WALLETS.evm, refundTo: WALLETS.bitcoin }))).toBe(true)
  })
})

describe('the integrator fee [fee-amount-plausible]', () => {
  const partner = (feeBps: number | null): Caller => ({ ...ANYBODY, tier: 'selfServe', partnerId: 'p', feeBps })
  const SCHEDULE = { EVM_SAME_CHAIN: 0, SOLANA_SAME_CHAIN: 0, EVM_CROSS_CHAIN: 15, CROSS_ECOSYSTEM: 25, NATIVE_BITCOIN: 30 }

  it.each(Object.entries(SCHEDULE) as [RouteType, number][])(
    'on %s is nothing by default and %i bps by the schedule',
    (routeType, bps) => {
      const route = anOrder({ ...ROUTES[routeType], amount: 1n })
      expect(feeFor(route, ANYBODY, 'none')).toEqual({ bps: 0, of: 'operator' })
      expect(feeFor(route, ANYBODY, 'route')).toEqual({ bps, of: 'operator' })
      for (const own of [0, 7, 100])
        for (const schedule of ['none', 'route'] as const)
          expect(feeFor(route, partner(own), schedule)).toEqual({ bps: own, of: 'partner' })
      expect(feeFor(route, partner(null), 'route')).toEqual({ bps, of: 'operator' })
    },
  )
})

const NONE = toAmount(0n)

describe('the gas a wallet must hold [quote-gas-shown]', () => {
  const price = { feePrice: 2_000_000_000n, nativeUsd: '2500.5' }

  it.each<[string, Partial<OrderWish>, Pick<Offer, 'executionType' | 'gasUnits'>, bigint, boolean]>([
    ["the venue's own figure", {}, { executionType: 'TRANSACTION', gasUnits: 100_000n }, 100_000n, false],
    ['an estimate of a contract call', {}, { executionType: 'TRANSACTION', gasUnits: null }, 250_000n, true],
    ['a token transfer for a deposit', {}, { executionType: 'DEPOSIT', gasUnits: null }, 65_000n, true],
    [
      'a plain transfer for a deposit of coins',
      { from: [1, NATIVE] },
      { executionType: 'DEPOSIT', gasUnits: null },
      21_000n,
      true,
    ],
    [
      'one signature on Solana',
      { from: pair(TOKENS.usdcSolana), to: pair(TOKENS.usdcEthereum) },
      { executionType: 'TRANSACTION', gasUnits: null },
      1n,
      true,
    ],
    [
      'one small payment on Bitcoin',
      { from: [-1, 'BTC'], to: pair(TOKENS.usdcEthereum) },
      { executionType: 'DEPOSIT', gasUnits: null },
      145n,
      true,
    ],
  ])('is %s', (_what, wish, offer, units, isEstimated) => {
    expect(gasCost(order(wish), { ...offer, nativeFee: NONE }, price)).toMatchObject({
      native: units * price.feePrice,
      isEstimated,
    })
  })

  it("is named in the chain's coin and priced in dollars by its decimals", () => {
    const deposit = { executionType: 'DEPOSIT', gasUnits: null, nativeFee: NONE } as const
    expect(gasCost(order({ from: [-1, 'BTC'] }), deposit, { feePrice: 10n, nativeUsd: '100000' })).toEqual({
      native: 1_450n,
      nativeSymbol: 'BTC',
      usd: '1.45',
      isEstimated: true,
    })
    expect(gasCost(order({ from: pair(TOKENS.usdcSolana) }), deposit, { feePrice: 5_000n, nativeUsd: '200' })).toMatchObject({
      nativeSymbol: 'SOL',
      usd: '0.001',
    })
    expect(gasCost(order(), { executionType: 'TRANSACTION', gasUnits: 100_000n, nativeFee: NONE }, price)).toMatchObject({
      nativeSymbol: 'ETH',
      usd: '0.5001',
    })
  })

  it('is shown without dollars when there is no price', () => {
    expect(
      gasCost(order(), { executionType: 'TRANSACTION', gasUnits: 1n, nativeFee: NONE }, { feePrice: 5n, nativeUsd: null }),
    ).toMatchObject({
      native: 5n,
      usd: null,
    })
  })

  it('is null for a signature, and when the fee price is not known', () => {
    expect(gasCost(order(), { executionType: 'SIGNATURE', gasUnits: null, nativeFee: NONE }, price)).toBeNull()
    expect(
      gasCost(order(), { executionType: 'TRANSACTION', gasUnits: 1n, nativeFee: NONE }, { feePrice: null, nativeUsd: '1' }),
    ).toBeNull()
  })
})

describe('dollar values', () => {
  it.each([
    [10n ** 18n, 18, '2500', '2500.00'],
    [1n, 18, '2500', '0.000001'],
    [123_456n, 6, '1', '0.123456'],
    [100_000n, 6, '1', '0.10'],
    [1_000_000n, 6, '0.000001', '0.000001'],
    [1_234_567n, 6, '1', '1.234567'],
    [1_000_001n, 6, '1', '1.000001'],
    [120_000_000n, 8, '99999.99', '119999.988'],
    [0n, 18, '2500', '0.00'],
    [10n ** 18n, 0, '0.000000000000000001', '1.00'],
    [1_000_000n, 0, '3', '3000000.00'],
  ])('%s at %s decimals and %s a unit is %s', (amount, decimals, usd, value) => {
    expect(usdValue(amount, decimals, usd)).toBe(value)
  })

  it('are rounded up to a millionth, never down, and never by more', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 1n << 100n }),
        fc.integer({ min: 0, max: 24 }),
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        (amount, decimals, scaledPrice) => {
          const price = `${scaledPrice / 10n ** 18n}.${(scaledPrice % 10n ** 18n).toString().padStart(18, '0')}`
          const [whole = '', fraction = ''] = (usdValue(amount, decimals, price) ?? '').split('.')
          expect(fraction.length).toBeGreaterThanOrEqual(2)
          const micros = BigInt(whole + fraction.padEnd(6, '0'))
          const exact = amount * scaledPrice
          const unit = 10n ** BigInt(decimals + 12)
          expect(micros * unit >= exact && micros * unit < exact + unit).toBe(true)
        },
      ),
    )
  })

  it('are null for what is no price', () => {
    for (const usd of [
      null,
      '',
      '0',
      '0.0',
      '-1',
      '1e3',
      'NaN',
      '1,5',
      ' 1',
      '1.',
      '.5',
      '1'.repeat(21),
      '0.0000000000000000001',
    ])
      expect(usdValue(10n ** 18n, 18, usd)).toBeNull()
  })
})

describe('a conversion at published prices', () => {
  it('minds the decimals of both tokens', () => {
    expect(convertAtPrices({ amount: 1_000_000n, decimals: 6, usd: '1' }, { decimals: 18, usd: '2500' })).toBe(
      400_000_000_000_000n,
    )
    expect(convertAtPrices({ amount: 10n ** 18n, decimals: 18, usd: '2500' }, { decimals: 6, usd: '1' })).toBe(2_500_000_000n)
    expect(convertAtPrices({ amount: 100_000_000n, decimals: 8, usd: '100000.5' }, { decimals: 6, usd: '0.5' })).toBe(
      200_001_000_000n,
    )
  })

  it('is null when either price is missing', () => {
    expect(convertAtPrices({ amount: 1n, decimals: 6, usd: null }, { decimals: 6, usd: '1' })).toBeNull()
    expect(convertAtPrices({ amount: 1n, decimals: 6, usd: '1' }, { decimals: 6, usd: 'zero' })).toBeNull()
  })
})
