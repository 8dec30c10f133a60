import { describe, expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder, assetOf } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import vectors from './quotes.json' with { type: 'json' }
import {
  API_KEY,
  BASE_USDC_ID,
  bitcoinToBase,
  etherToBitcoin,
  FEE_ACCOUNT,
  openBench,
  quotesAsked,
  REQUEST,
  solanaToArbitrum,
  told,
  USDC,
  usdcToSolana,
} from './support.ts'

const open = closedAfterEach(openBench)

const quoted = async (order = bitcoinToBase(), options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const offer = await bench.venue.quote(order, never())
  return { offer, bench, asked: quotesAsked(bench.sent)[0] }
}

describe('quote: a NEAR Intents offer', () => {
  test('is exact, has the signed minimum, and its dry request exactly the required fields', async () => {
    const { offer, bench } = await quoted()
    // 1,000,000 sat less 20 bps and 1 ppm = 997,999; at 98,400 = 982.031016; less 650 ppm = 981.392695; less 0.03 withdrawal.
    expect(offer).toEqual({
      venue: 'near-intents',
      executionType: 'DEPOSIT',
      outputAmount: 981_362_695n,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: 971_549_068n },
      gasUnits: null,
      spender: null,
      nativeFee: 0n,
      estimatedTimeSeconds: 812,
      expiresAt: null,
      decimals: { input: 8, output: 6 },
      carry: null,
    })
    expect(quotesAsked(bench.sent)).toEqual([{ ...REQUEST, depositMode: 'SIMPLE', quoteWaitingTimeMs: 1_000 }])
  })

  test('allows thirty minutes to deposit on fast chains, and sends the configured referral', async () => {
    const { asked } = await quoted(usdcToSolana(), { settings: { REFERRAL: 'acme' } })
    expect(asked).toMatchObject({ deadline: '2026-11-20T00:30:00.000Z', referral: 'acme' })
  })

  test.each([1, 37, 5000])('is requested with the slippage of %i bps', async (slippageBps) => {
    const { offer, asked } = await quoted(usdcToSolana({ slippageBps }))
    expect(offer.slippage).toEqual({ isFirm: true, guaranteedMin: (offer.outputAmount * BigInt(10_000 - slippageBps)) / 10_000n })
    expect(asked).toMatchObject({ slippageTolerance: slippageBps })
  })

  const toOptimism = () => anOrder({ from: [8453, USDC.base], to: [10, NATIVE], amount: 1_000_000_000n })
  const toBsc = () => anOrder({ from: [8453, USDC.base], to: [56, USDC.bsc], amount: 1_000_000_000n })
  test.each([
    [solanaToArbitrum, 'nep141:sol.omft.near', 9, /^nep141:arb\.omft\.near$/, 18],
    [etherToBitcoin, 'nep141:eth.omft.near', 18, /^1cs_v1:btc:native:coin$/, 8],
    [toBsc, BASE_USDC_ID, 6, /^nep141:bnb-0x8ac7[0-9a-f]{36}\.omdep\.near$/, 18],
    [toOptimism, BASE_USDC_ID, 6, /^nep245:v2_1\.omni\.hot\.tg:10_1{20}$/, 18],
  ])('is requested by the listed asset ids (%#)', async (order, originAsset, input, destination, output) => {
    const { offer, asked } = await quoted(order())
    expect(asked).toMatchObject({ originAsset, destinationAsset: expect.stringMatching(destination) })
    expect(offer.decimals).toEqual({ input, output })
  })

  test.each([
    [{}, 1_000],
    [{ QUOTE_WAITING_TIME_MS: '0' }, undefined],
    [{ QUOTE_WAITING_TIME_MS: '250' }, 250],
  ])('waits a second for solvers, or as configured: %j', async (settings, waits) => {
    const bench = await open({ settings })
    await swapOf(bench.venue, bitcoinToBase())
    expect(quotesAsked(bench.sent).map(({ quoteWaitingTimeMs }) => quoteWaitingTimeMs)).toEqual([waits, waits])
  })

  test('of a preview is priced with a placeholder, equal to the real address, and any recipient can be bound', async () => {
    const preview = anOrder({ from: [8453, USDC.base], to: [SOLANA, USDC.solana], amount: 1_000_000_000n, slippageBps: 100 })
    const { offer, asked, bench } = await quoted(preview)
    expect(preview.unnamed).toEqual(['recipient'])
    expect(offer).toEqual(await bench.venue.quote(usdcToSolana(), never()))
    expect(asked).toMatchObject({ dry: true, recipient: preview.recipient })
    expect(bench.venue.profile.bindsAtQuote).toEqual({ recipient: [], refundTo: [] })
  })
})

describe('quote: the decimals of a NEAR Intents offer', () => {
  test('come from the signed amounts, not from the token list', async () => {
    const bench = await open()
    bench.faults.set('near-intents', 'wrong-decimals', { path: '/v0/tokens' }, 1)
    expect((await bench.venue.quote(bitcoinToBase(), never())).decimals).toEqual({ input: 8, output: 6 })
  })

  /** Where the list says 20. */
  const decimalsFor = async (amountOut: string, amountOutFormatted: string) => {
    const { venue } = told(await open(), {
      tokens: (rows) => rows.map((row) => ({ ...row, decimals: 20 })),
      quote: ({ quote, ...answer }) => ({
        ...answer,
        quote: { ...quote, amountOut, minAmountOut: amountOut, amountOutFormatted },
      }),
    })
    return (await venue.quote(bitcoinToBase(), never())).decimals.output
  }

  test.each(vectors.decimals as [string, string, number][])('of %s written as %s are %i', async (amount, written, decimals) => {
    expect(await decimalsFor(amount, written)).toBe(decimals)
  })
  test.each(vectors.unreadable)('of 9986764 written as "%s" come from the list, for the race to check', async (written) => {
    expect(await decimalsFor('9986764', written)).toBe(20)
  })
})

describe('quote: the integrator fee of NEAR Intents', () => {
  const settings = { FEE_ACCOUNT }

  test('is requested for the fee account, and its output value is calculated from the net output', async () => {
    const { offer, asked, bench } = await quoted(bitcoinToBase({ feeBps: 20 }), { settings })
    expect(asked?.['appFees']).toEqual([{ recipient: FEE_ACCOUNT, fee: 20 }])
    // 995,999 sat after 40 bps, the venue's own 20 among them, and 1 ppm = 980.063016; less 650 ppm = 979.425975.
    expect(offer).toMatchObject({ outputAmount: 979_395_975n, fee: { bps: 20, amount: (979_395_975n * 20n) / 9_960n } })
    expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBe(FEE_ACCOUNT)
  })

  test.each([
    [25, 13, 9_967n],
    [100, 50, 9_900n],
  ])('of %i bps gives us %i bps: with a key the venue keeps half, and at least 20', async (feeBps, bps, of) => {
    const { offer } = await quoted(bitcoinToBase({ feeBps }), { settings, apiKey: API_KEY })
    expect(offer.fee).toEqual({ bps, amount: (offer.outputAmount * BigInt(bps)) / of })
  })

  test('is not requested without a fee account or above the 500 bps limit of the venue', async () => {
    for (const [feeBps, options, taken] of [
      [20, {}, 0],
      [501, { settings }, 0],
      [500, { settings }, 500],
    ] as const) {
      const { offer, asked, bench } = await quoted(bitcoinToBase({ feeBps }), options)
      expect([offer.fee.bps, offer.fee.amount > 0n, 'appFees' in (asked ?? {})]).toEqual([taken, taken > 0, taken > 0])
      expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBe('settings' in options ? FEE_ACCOUNT : null)
    }
  })

  test('uses a lower-case EVM account', async () => {
    const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const { asked, bench } = await quoted(bitcoinToBase({ feeBps: 20 }), { settings: { FEE_ACCOUNT: account } })
    expect(asked?.['appFees']).toEqual([{ recipient: account.toLowerCase(), fee: 20 }])
    expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBe(account.toLowerCase())
  })
})

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl'

test.each([
  // Of three parts: a JSON Web Token.
  [TOKEN, { authorization: `Bearer ${TOKEN}` }],
  ...['key-0123456789', 'a.b00000', 'two.parts-only', 'one.two.three.four', 'with..emptypart', API_KEY].map(
    (key) => [key, { 'x-api-key': key }] as const,
  ),
  [undefined, {}],
] as const)('near-intents: the API key %s is sent as %o', async (apiKey, expected) => {
  const { bench, offer } = await quoted(bitcoinToBase(), apiKey === undefined ? {} : { apiKey })
  // 20 bps more than without one: 999,999 sat after the protocol fee = 983.999016; less 650 ppm = 983.359416.
  expect(offer.outputAmount).toBe(apiKey === undefined ? 981_362_695n : 983_329_416n)
  for (const { headers } of bench.sent) {
    const { authorization, 'x-api-key': key } = headers
    expect({ ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) }).toEqual(expected)
  }
})

describe('the profile of NEAR Intents', () => {
  test('states for every route that the venue holds the input, takes no native fee and calls no contract', async () => {
    const { profile } = (await open()).venue
    for (const order of [bitcoinToBase(), usdcToSolana(), solanaToArbitrum(), etherToBitcoin()]) {
      expect([profile.holdsInput(order, 'DEPOSIT'), profile.nativeFeeMax(order)]).toEqual([true, 0n])
      expect(profile.slippage(order)).toEqual({ defaultBps: 100, minBps: 1, maxBps: 10_000 })
      expect(profile.takesOnTrust.map((rule) => [rule.executionType, rule.parts, rule.appliesTo(order)])).toEqual([
        ['DEPOSIT', ['fee'], true],
      ])
    }
    const { id, name, contracts, limits, hasSandbox, deadlineMsMax } = profile
    expect({ id, name, contracts, limits, hasSandbox }).toEqual({
      ...{ id: 'near-intents', name: 'NEAR Intents' },
      ...{ contracts: {}, limits: null, hasSandbox: true },
    })
    // An hour for a deposit in bitcoin, the thirty days an address may live after it, and a quarter of an hour for the clocks.
    expect(deadlineMsMax).toBe(((30 * 24 + 1) * 60 + 15) * 60_000)
  })

  test.each<readonly [string, Parameters<typeof assetOf>, Parameters<typeof assetOf>, boolean]>([
    ['from Bitcoin', [BITCOIN, 'BTC'], [143, NATIVE], true],
    ['on one chain', [8453, USDC.base], [8453, NATIVE], true],
    ['of an asset into itself', [8453, USDC.base], [8453, USDC.base], false],
    ['from HyperEVM', [999, NATIVE], [8453, USDC.base], false],
    ['to Robinhood Chain', [8453, USDC.base], [4663, NATIVE], false],
    ['to Linea', [8453, USDC.base], [59144, NATIVE], false],
  ])('serves a route %s: %s', async (_name, from, to, expected) => {
    const { profile } = (await open()).venue
    expect(profile.serves({ input: assetOf(...from), output: assetOf(...to) })).toBe(expected)
  })

  test.each(vectors.settings as [string, string[], string[]][])(
    'accepts exactly valid values of the setting %s',
    (name, good, bad) => {
      const pattern = nearIntents.settings.find((setting) => setting.name === name)?.pattern ?? /$^/
      for (const value of good) expect(pattern.test(value), value).toBe(true)
      for (const value of bad) expect(pattern.test(value), value).toBe(false)
    },
  )

  test('stops the start with a key that is not 32 bytes long', () => {
    const settings = { PUBLIC_KEY: `ed25519:${'2'.repeat(40)}` }
    expect(() => canned(nearIntents, () => ({}), { settings })).toThrow(/PUBLIC_KEY/)
  })
})
