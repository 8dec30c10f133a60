import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import { INBOUND, openBench, orders, POOLS, QUOTE, ROUTER_6, SECOND, STRANGER, told, USDC_BASE_POOL } from './support.ts'

const open = closedAfterEach(openBench)

/** 250 dollars at 3950 a coin, less 0.1901 % of the pool, in eight decimals, and what it costs to send. */
const EMITTED = (((250n * 10n ** 8n * 1_000_000n) / 3_950_000_000n) * 998_099n) / 1_000_000n
const EXPECTED = EMITTED - 15_820n

test.each<[string, VenueOrder, object]>([
  [
    'tokens for coins',
    orders.usdc(),
    {
      ...{ venue: 'thorchain', executionType: 'TRANSACTION', outputAmount: EXPECTED * 10n ** 10n, fee: { bps: 0, amount: 0n } },
      slippage: { isFirm: false, guaranteedMin: ((EXPECTED * 9_900n) / 10_000n) * 10n ** 10n },
      ...{ gasUnits: 120_000n, spender: ROUTER_6, nativeFee: 0n, estimatedTimeSeconds: 18 },
      ...{ expiresAt: START_OF_TIME + 900_000, decimals: { input: 6, output: 18 }, carry: { v: 1 } },
    },
  ],
  ['without any slippage', orders.usdc({ slippageBps: 0 }), { slippage: { guaranteedMin: EXPECTED * 10n ** 10n } }],
  ['coins', orders.ether(), { spender: null, outputAmount: 4_004_123n, decimals: { input: 18, output: 8 } }],
  // At the least of what carries a reference.
  ['a deposit', orders.bitcoin(), { executionType: 'DEPOSIT', spender: null, gasUnits: null, outputAmount: 4_812_074_307n }],
  [
    'within one chain',
    orders.usdc({ to: [8453, NATIVE] }),
    { executionType: 'TRANSACTION', outputAmount: 63_107_540_000_000_000n },
  ],
])('quote: the THORChain offer is exact: %s', async (_name, order, offer) => {
  const bench = await open()
  const quoted = await bench.venue.quote(order, never())
  expect(quoted).toMatchObject(offer)
  checkOffer({ offer: quoted, order, asked: order, profile: bench.venue.profile, now: START_OF_TIME })
})

test('quote: sends only the swap and its addresses, with eight decimals', async () => {
  const bench = await open({ settings: { AFFILIATE: 'tn', CLIENT_ID: 'acme' } })
  await bench.venue.quote(orders.toUsdc({ feeBps: 15, refundTo: STRANGER }), never())
  const asked = bench.sent.find(({ path }) => path === QUOTE)
  expect(asked?.headers).toMatchObject({ 'x-client-id': 'acme', 'user-agent': expect.stringContaining('swap-service') })
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({
    ...{ from_asset: 'ETH.ETH', to_asset: USDC_BASE_POOL, amount: '100000000', destination: WALLETS.evmOther },
    ...{ liquidity_tolerance_bps: '100', streaming_interval: '0', streaming_quantity: '1' },
    ...{ refund_address: STRANGER, affiliate: 'tn', affiliate_bps: '15' },
  })
  const plain = await open()
  await plain.venue.quote(orders.bitcoin({ feeBps: 15 }), never())
  const { query, headers } = plain.sent.find(({ path }) => path === QUOTE) ?? {}
  // Of bitcoin no refund address, which would not fit into its memo, and no fee where nobody is to get one.
  expect(Object.keys(Object.fromEntries(query ?? []))).toEqual([
    'from_asset',
    'to_asset',
    'amount',
    'destination',
    'liquidity_tolerance_bps',
    'streaming_interval',
    'streaming_quantity',
  ])
  expect([query?.get('amount'), headers?.['x-client-id'], headers?.['x-api-key']]).toEqual(['4900001', undefined, undefined])
})

test('quote: the output is net of the fee, with its share; from Bitcoin only with a short fee name', async () => {
  const bench = await open({ settings: { AFFILIATE: 'tn' } })
  const [plain, charged] = [
    await bench.venue.quote(orders.usdc(), never()),
    await bench.venue.quote(orders.usdc({ feeBps: 50 }), never()),
  ]
  expect(charged.fee).toEqual({ bps: 50, amount: 316_450_000_000_000n })
  expect(plain.outputAmount - charged.outputAmount).toBeGreaterThan(315_000_000_000_000n)
  expect((await bench.venue.quote(orders.bitcoin({ feeBps: 50 }), never())).fee.bps).toBe(50)
  const long = await open({ settings: { AFFILIATE: 'thor1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnz0pgrf' } })
  expect((await long.venue.quote(orders.usdc({ feeBps: 50 }), never())).fee.bps).toBe(50)
  expect((await long.venue.quote(orders.bitcoin({ feeBps: 50 }), never())).fee).toEqual({ bps: 0, amount: 0n })
})

test('quote: sells bitcoin only with a configured registration service, to every traded asset', async () => {
  const bench = await open()
  const off = told(bench, { settings: { MEMOLESS_URL: null } }).venue
  expect([off.profile.serves(orders.bitcoin()), off.bitcoinReach]).toEqual([false, null])
  expect((await refusalOf(off.quote(orders.bitcoin(), never()))).kind).toBe('unsupportedPair')
  expect(off.profile.serves(orders.ether())).toBe(true)
  const reach = bench.venue.bitcoinReach
  expect(await reach?.tokens(8453, never())).toContain(USDC.base)
  expect(await reach?.tokens(-1, never())).toEqual([])
  expect(await reach?.tokens(10, never())).toEqual([])
  const halted = told(bench, { changes: { [POOLS]: (rows) => altered(rows, '*.trading_halted', true) } }).venue
  expect(await halted.bitcoinReach?.tokens(8453, never())).toEqual([])
})

const field = (name: string, value: unknown) => ({ [QUOTE]: (body: object) => altered(body, name, value) })
const memo = (from: string | RegExp, to: string) => field('memo', (text: string) => text.replace(from, to))

describe('quote: a THORChain answer that differs from the request', () => {
  test.each(cases.answers as [string, string, string?, string?][])('is rejected with %s: %s', async (what, name, value, from) => {
    const [text, pattern] = [value, from].map((each) => each?.replace('@recipient', WALLETS.evmOther))
    const changes = pattern === undefined ? field(name, text) : memo(new RegExp(pattern), text ?? '')
    const { venue } = told(await open(), { changes })
    const { isDecline, message } = await refusalOf(venue.quote(orders.usdc(), never()))
    expect([isDecline, message]).toEqual([false, expect.stringContaining(what)])
  })

  test('is accepted with another letter case, abbreviated asset names and numbers with an exponent', async () => {
    for (const change of [memo('ETH.ETH', 'e'), memo(/\d+$/, '62e5'), memo('=:', 'SWAP:'), memo(/:\d+$/, '')]) {
      const { venue } = told(await open(), { changes: change })
      expect((await venue.quote(orders.usdc(), never())).outputAmount).toBe(EXPECTED * 10n ** 10n)
    }
  })
})

test('quote: rejects an unpublished router, unless a setting allows it', async () => {
  const reroute = (rows: object) => altered(rows, '*.router', (router: unknown) => router && STRANGER)
  const moved = {
    ...{ [INBOUND]: reroute, [`${SECOND}${INBOUND}`]: reroute },
    ...field('router', STRANGER),
  }
  const bench = await open()
  const refusal = await refusalOf(told(bench, { changes: moved }).venue.quote(orders.usdc(), never()))
  expect(refusal).toMatchObject({ kind: 'rejected', check: 'router', found: STRANGER })
  expect(refusal.message).toContain('VENUE_THORCHAIN_ROUTERS')
  const allowed = told(bench, { changes: moved, settings: { ROUTERS: `8453=${STRANGER},1=${STRANGER}` } }).venue
  expect(await allowed.quote(orders.usdc(), never())).toMatchObject({ spender: STRANGER })
  expect(allowed.profile.contracts[8453]).toEqual([ROUTER_6, STRANGER])
})

test('quote: uses the decimals of the chain, and rejects a pool list that contradicts them', async () => {
  const wrong = { [POOLS]: (rows: object) => altered(rows, '*.decimals', (d: unknown) => d && 7) }
  const refusal = await refusalOf(told(await open(), { changes: wrong }).venue.quote(orders.usdc(), never()))
  expect(refusal).toMatchObject({ kind: 'rejected', check: 'decimals', found: '7' })
})

test('quote: reads the code at the three addresses only', async () => {
  const chains = createFakeChains()
  const bench = await open({ chains })
  await bench.venue.quote(orders.usdc({ refundTo: STRANGER }), never())
  const asked = chains.calls.filter(({ method }) => method === 'code').map(({ query }) => query)
  expect(asked).toEqual([
    { chainId: 8453, address: WALLETS.evm },
    { chainId: 8453, address: STRANGER },
    { chainId: 1, address: WALLETS.evmOther },
  ])
})
