import { expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import { DAI_ETHEREUM, FEE_RECIPIENT, openBench, orders, ROUTER, ROUTES, STRANGER, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

/** 1000 USDC at 3950 dollars, less the 0.17 % that its pools keep. */
const GROSS = (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 998_300n) / 1_000_000n
const FEE = (GROSS * 15n) / 10_000n

test.each<[string, VenueOrder, object]>([
  [
    // Half a percent below, and two units that a build may come to less.
    'tokens, at the default slippage',
    orders.usdc(),
    {
      venue: 'kyberswap',
      executionType: 'TRANSACTION',
      outputAmount: GROSS,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: ((GROSS - 2n) * 9_950n) / 10_000n },
      gasUnits: 215_000n,
      spender: ROUTER,
      nativeFee: 0n,
      estimatedTimeSeconds: null,
      expiresAt: START_OF_TIME + 30_000,
      decimals: { input: null, output: null },
      carry: { v: 1 },
    },
  ],
  ['net of the fee', orders.usdc({ feeBps: 15 }), { outputAmount: GROSS - FEE, fee: { bps: 15, amount: FEE } }],
  ['coins', orders.ether(), { outputAmount: 3_943_285_000n, spender: null }],
  ['without any slippage', orders.ether({ slippageBps: 0 }), { slippage: { isFirm: true, guaranteedMin: 3_943_284_998n } }],
  // Of a dozen units none is left.
  [
    'a dozen units',
    orders.usdc({ from: [1, DAI_ETHEREUM], to: [1, USDC.ethereum], amount: 12n * 10n ** 12n, slippageBps: 0 }),
    { outputAmount: 11n, slippage: { isFirm: true, guaranteedMin: 11n } },
  ],
])('quote: the KyberSwap offer is exact: %s', async (_name, order, offer) => {
  const bench = await open({ settings: WITH_FEE })
  const quoted = await bench.venue.quote(order, never())
  expect(quoted).toMatchObject(offer)
  checkOffer({ offer: quoted, order, asked: order, profile: bench.venue.profile, now: START_OF_TIME })
  expect(bench.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${ROUTES}`])
})

test('quote: sends sender, recipient and the fee from the output with its recipient', async () => {
  const bench = await open({ settings: { ...WITH_FEE, CLIENT_ID: 'acme' } })
  await bench.venue.quote(orders.ether({ feeBps: 15 }), never())
  const [asked] = bench.sent
  expect(asked?.headers).toMatchObject({ 'x-client-id': 'acme', 'user-agent': expect.stringContaining('swap-service') })
  expect(asked?.headers['x-api-key']).toBeUndefined()
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({
    ...{ tokenIn: NATIVE, tokenOut: USDC.ethereum, amountIn: '1000000000000000000', origin: WALLETS.evm },
    ...{ feeAmount: '15', isInBps: 'true', chargeFeeBy: 'currency_out', feeReceiver: FEE_RECIPIENT },
  })
})

test('quote: requests and reports no fee without a fee recipient', async () => {
  const bench = await open()
  expect((await bench.venue.quote(orders.ether({ feeBps: 15 }), never())).fee).toEqual({ bps: 0, amount: 0n })
  expect([...(bench.sent[0]?.query.keys() ?? [])].sort()).toEqual(['amountIn', 'origin', 'tokenIn', 'tokenOut'])
  expect(bench.sent[0]?.headers['x-client-id']).toBe('swap-service')
})

test('quote: with an API key, calls the same paths of the gateway with the key', async () => {
  const bench = await open({ apiKey: 'kyber-key-1234' })
  const gateway = bench.afresh({ baseUrl: `${bench.baseUrl}/swap` })
  const order = orders.usdc()
  const offer = await gateway.quote(order, never())
  await gateway.execute({ order, offer }, order, never())
  expect(bench.sent.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    [`/swap${ROUTES}`, 'kyber-key-1234'],
    [`/swap${ROUTES}`, 'kyber-key-1234'],
    ['/swap/ethereum/api/v1/route/build', 'kyber-key-1234'],
  ])
  const keyless = (await open()).afresh({ baseUrl: `${bench.baseUrl}/swap` })
  expect((await refusalOf(keyless.quote(order, never()))).message).toMatch(/^HTTP 401 without a key/)
})

const of = (field: string, value: unknown) => (body: object) => altered(body, `data.${field}`, value)

test.each([
  ['another input token', of('routeSummary.tokenIn', STRANGER.toLowerCase())],
  ['another output token', of('routeSummary.tokenOut', STRANGER.toLowerCase())],
  ['another input amount', of('routeSummary.amountIn', '100000000')],
  ['another fee', of('routeSummary.extraFee.feeAmount', '150')],
  ['another fee', of('routeSummary.extraFee.feeReceiver', STRANGER)],
  ['another fee', of('routeSummary.extraFee.chargeFeeBy', 'currency_in')],
  ['another fee', of('routeSummary.extraFee.isInBps', false)],
  ['another fee', of('routeSummary.extraFee', null)],
])('quote: rejects an answer with %s', async (what, change) => {
  const bench = await open()
  const { venue } = told(bench, { settings: WITH_FEE, changes: { [ROUTES]: change } })
  const { kind, message } = await refusalOf(venue.quote(orders.usdc({ feeBps: 15 }), never()))
  expect([kind, message]).toEqual(['rejected', expect.stringContaining(what)])
})

test('quote: rejects an unrequested fee, and leaves a tenfold output to the race', async () => {
  const bench = await open()
  const charged = told(bench, { changes: { [ROUTES]: of('routeSummary.extraFee.feeAmount', '15') } })
  expect((await refusalOf(charged.venue.quote(orders.usdc(), never()))).message).toContain('another fee')
  for (const ten of [10n, 10n ** 12n]) {
    const amountOut = (GROSS * ten).toString()
    // Nor is gas that cannot be read.
    const change = (body: object) => of('routeSummary.gas', 'much')(of('routeSummary.amountOut', amountOut)(body))
    const offer = await told(bench, { changes: { [ROUTES]: change } }).venue.quote(orders.usdc(), never())
    expect([String(offer.outputAmount), offer.decimals.output, offer.gasUnits]).toEqual([amountOut, null, null])
  }
})
