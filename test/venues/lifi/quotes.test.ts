import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { checkId } from '../../../engine/venues/venueError.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { bridgeIn, readCall } from './lifiAbi.ts'
import {
  BY_ACROSS,
  BY_CCTP,
  DAI_ETHEREUM,
  DIAMOND,
  FORWARDER,
  openBench,
  orders,
  QUOTE,
  STRANGER,
  told,
  WETH,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)

/** 1000 USDC less LI.FI's 0.25 %, and 0.015 % that the pool keeps, in DAI. */
const DAI = (997_500_000n * 10n ** 12n * 999_850n) / 1_000_000n
/** Less 0.15 % of the input to the integrator besides. */
const DAI_LESS = (996_000_000n * 10n ** 12n * 999_850n) / 1_000_000n

test.each<[string, VenueOrder, object, object]>([
  [
    'within one chain, at the default slippage',
    orders.usdc(),
    {},
    {
      ...{ venue: 'lifi', executionType: 'TRANSACTION', outputAmount: DAI, fee: { bps: 0, amount: 0n } },
      slippage: { isFirm: true, guaranteedMin: (DAI * 995n) / 1_000n },
      ...{ gasUnits: 350_000n, spender: DIAMOND, nativeFee: 0n, estimatedTimeSeconds: 3, expiresAt: START_OF_TIME + 30_000 },
      ...{ decimals: { input: 6, output: 18 }, carry: { v: 1 } },
    },
  ],
  [
    'net of the fee',
    orders.usdc({ feeBps: 15 }),
    WITH_FEE,
    { outputAmount: DAI_LESS, fee: { bps: 15, amount: (DAI_LESS * 15n) / 9_985n } },
  ],
  ['coins', orders.ether(), {}, { spender: null }],
  // Its exact output is its least: what it promises until execute is less, so that a unit of gas more does not undo it.
  [
    'by Across',
    orders.bridged(),
    BY_ACROSS,
    { outputAmount: 249_317_291n, slippage: { isFirm: true, guaranteedMin: 248_070_705n }, estimatedTimeSeconds: 8 },
  ],
  [
    "by Circle's bridge",
    orders.bridged(),
    BY_CCTP,
    { outputAmount: 249_355_000n, slippage: { isFirm: true, guaranteedMin: 248_108_225n }, estimatedTimeSeconds: 1_080 },
  ],
  ['the fastest', orders.bridged({ rankingMode: 'fastest' }), {}, { estimatedTimeSeconds: 8 }],
  ['to Solana', orders.toSolana(), {}, { outputAmount: 249_355_000n }],
])('quote: the LI.FI offer is exact: %s', async (_name, order, settings, offer) => {
  const bench = await open({ settings: settings as { [name: string]: string } })
  const quoted = await bench.venue.quote(order, never())
  expect(quoted).toMatchObject(offer)
  checkOffer({ offer: quoted, order, asked: order, profile: bench.venue.profile, now: START_OF_TIME })
  expect(bench.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${QUOTE}`])
})

test('quote: sends sender, allowed bridges and fee, and no call on the destination chain', async () => {
  const bench = await open({ settings: WITH_FEE })
  await bench.venue.quote(orders.bridgedEther({ feeBps: 15, slippageBps: 75 }), never())
  const [asked] = bench.sent
  expect(asked?.headers).toMatchObject({
    'x-lifi-api-key': 'offline-lifi-key',
    'user-agent': expect.stringContaining('swap-service'),
  })
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({
    ...{ fromChain: '8453', toChain: '42161', fromToken: `0x${'0'.repeat(40)}`, toToken: `0x${'0'.repeat(40)}` },
    ...{ fromAmount: String(10n ** 18n), fromAddress: WALLETS.evm, toAddress: WALLETS.evmOther, slippage: '0.0075' },
    ...{
      order: 'CHEAPEST',
      maxPriceImpact: '0.05',
      allowBridges: 'across,polymer,polymerStandard,lifiIntents',
      allowDestinationCall: 'false',
    },
    ...{ integrator: 'ourswap', fee: '0.0015' },
  })
  await bench.venue.quote(orders.usdc(), never())
  expect(bench.sent[1]?.query.get('allowBridges')).toBe('none')
  expect(bench.sent[1]?.query.get('fee')).toBeNull()
})

test.each([
  ['of every protocol while no own venue is healthy', [], null, 'across,polymer,polymerStandard,lifiIntents'],
  ['except Across while the Across venue is healthy', ['across', 'cow'], null, 'polymer,polymerStandard,lifiIntents'],
  ['of every protocol when DENY_BRIDGES is none', ['across'], 'none', 'across,polymer,polymerStandard,lifiIntents'],
  ['except those of DENY_BRIDGES', [], 'polymer,mayan', 'across,polymerStandard,lifiIntents'],
] as const)('quote: allows the bridges %s [venue-lifi]', async (_name, wellVenues, denied, allowed) => {
  const { venue, asked } = told(await open(), { wellVenues, settings: { DENY_BRIDGES: denied } })
  await venue.quote(orders.bridged(), never())
  expect(asked[0]?.query.get('allowBridges')).toBe(allowed)
})

test('quote: sends no request when every bridge is denied', async () => {
  const { venue, asked } = told(await open(), { wellVenues: ['across'] })
  expect(
    (await refusalOf(venue.quote(orders.bridgedEther({ to: [324, '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91'] }), never())))
      .kind,
  ).toBe('unsupportedPair')
  expect(asked.map(({ query }) => query.get('allowBridges'))).not.toContain('across')
})

test('quote: requests SOL by the LI.FI address of SOL, since the native address of orders is wrapped SOL there', async () => {
  const bench = await open()
  const order = orders.toSolana({ to: [-2, NATIVE_SOL] })
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
  expect(bench.sent[0]?.query.get('toToken')).toBe('1'.repeat(32))
  const { chains } = (await (await fetch(`${bench.baseUrl}/v1/chains`)).json()) as { readonly chains: readonly object[] }
  expect(chains).toContainEqual(
    expect.objectContaining({ key: 'sol', nativeToken: expect.objectContaining({ address: '1'.repeat(32) }) }),
  )
})

test('quote: requests and reports no fee without a registered integrator name', async () => {
  const bench = await open({ settings: { FEE_RECIPIENT: WITH_FEE.FEE_RECIPIENT } })
  expect((await bench.venue.quote(orders.ether({ feeBps: 15 }), never())).fee).toEqual({ bps: 0, amount: 0n })
  expect(bench.sent[0]?.query.has('fee')).toBe(false)
})

const of = (field: string, value: unknown) => (body: object) => altered(body, field, value)

const FORM = orders.bridgedEther({ to: [42161, WETH.arbitrum] })
const BESIDE = [{ amount: '1', included: false, token: { address: zeroAddress, chainId: 8453 } }]
const NOT_SOLD = { kind: 'unsupportedPair', reason: 'notSold' }
const beside = (body: object) => altered(altered(body, 'transactionRequest.value', '0x1'), 'estimate.feeCosts', BESIDE)
const lower = (address: string) => address.slice(2).toLowerCase()
const data = (change: (data: string) => string) => of('transactionRequest.data', change)

test.each<[string, (body: object) => unknown, object?, VenueOrder?]>([
  ['another input token', of('action.fromToken.address', STRANGER)],
  ['another output token', of('action.toToken.address', STRANGER)],
  ['another output token', of('action.toChainId', 1151111081099710)],
  ['another input amount', of('action.fromAmount', '250000001')],
  ['another input amount', of('estimate.fromAmount', '250000001')],
  ['another recipient', of('action.toAddress', STRANGER)],
  ['another sender', of('action.fromAddress', STRANGER)],
  ['another chain', of('transactionRequest.chainId', 1)],
  ['another minimum', of('estimate.toAmountMin', '260000000')],
  ['an unknown contract', of('transactionRequest.to', STRANGER), { check: 'contract', found: STRANGER }],
  ['an unknown spender', of('estimate.approvalAddress', STRANGER), { check: 'spender' }],
  ['a value beside the input', of('transactionRequest.value', '0x1'), { check: 'value' }],
  ['a fee beside the input', beside, NOT_SOLD],
  [
    'a fee beside the input and an unknown contract',
    (body) => of('transactionRequest.to', STRANGER)(beside(body) as object),
    { check: 'contract' },
  ],
  ['an unknown facet', data((was) => `0xa3443faa${was.slice(10)}`), { check: 'call', found: '0xa3443faa' }],
  ['a call of Stargate', data((was) => `0x14d53077${was.slice(10)}`), NOT_SOLD],
  ['a call of Stargate after an exchange', data((was) => `0xa6010a66${was.slice(10)}`), NOT_SOLD],
  ['another fee contract', data((was) => was.replaceAll(lower(FORWARDER), lower(STRANGER)))],
  ['another output amount', of('estimate', (was: object) => ({ ...was, toAmount: '249990000', toAmountMin: '249980000' }))],
  [
    'a greater minimum than is expected',
    of('estimate', (was: object) => ({ ...was, toAmount: '200000000', toAmountMin: '199000000' })),
  ],
  ['fees that it does not tell', of('estimate.feeCosts.0.amount', '1')],
  // An account without code is paid the coin.
  ['another form of the output', (body) => body, NOT_SOLD, FORM],
  ['another form of the output and an unknown facet', data((was) => `0xa3443faa${was.slice(10)}`), { check: 'call' }, FORM],
])('quote: a route with %s is rejected, or not sold where documented [venue-lifi]', async (what, change, refusal, order) => {
  const { venue } = told(await open(), { settings: order ? BY_ACROSS : {}, changes: { [QUOTE]: change as never } })
  expect(await refusalOf(venue.quote(order ?? orders.bridged(), never()))).toMatchObject({
    ...{ kind: 'rejected', ...(refusal ?? { check: checkId(what) }) },
  })
})

test('simulated LI.FI: without allowed bridges, answers with a tool whose call cannot be decoded', async () => {
  const bench = await open()
  const query = new URLSearchParams({
    ...{ fromChain: '8453', toChain: '42161', fromToken: USDC.base, toToken: USDC.arbitrum, fromAmount: '250000000' },
    ...{ fromAddress: WALLETS.evm, order: 'FASTEST' },
  })
  const answer = await bench.sim.handle({ method: 'GET', path: QUOTE, query, headers: {}, body: undefined, rawBody: '' })
  expect(answer.body).toMatchObject({ tool: 'relaydepository' })
})

test('execute: binds another recipient, but no refund to another address than the sender', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.bridged(), { recipient: STRANGER })
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(bridgeIn(readCall(transactionOf(swap.execution).data)).receiver).toBe(STRANGER)
  const elsewhere = orders.bridged({ refundTo: STRANGER })
  expect(await refusalOf(bench.venue.quote(elsewhere, never()))).toMatchObject({ kind: 'badRequest', party: 'refundTo' })
  // Within one chain nothing is ever given back.
  expect(await prove(bench.venue, await swapOf(bench.venue, orders.usdc({ refundTo: STRANGER })))).toEqual([])
})

test('execute: builds a price within the slippage with less slippage, so that the quoted minimum holds', async () => {
  const bench = await open()
  const order = orders.ether({ slippageBps: 100 })
  const offer = await bench.venue.quote(order, never())
  bench.market.setPrice('ETH', 3_920_000_000n)
  const execution = await bench.venue.execute({ order, offer }, order, never())
  expect(await prove(bench.venue, { order, offer, binding: order, execution })).toEqual([])
  expect(bench.sent.map(({ query }) => query.get('slippage'))).toEqual(['0.01', '0.01', expect.stringMatching(/^0\.00\d+$/)])
})

test.each(['wrong-recipient', 'wrong-minimum', 'wrong-amount', 'wrong-contract'] as const)(
  'execute: rejects the fault %s',
  async (fault) => {
    for (const order of [orders.usdc(), orders.bridged(), orders.toSolana()]) {
      const bench = await open({ settings: order.output.chainId === 42161 ? BY_ACROSS : {} })
      const offer = await bench.venue.quote(order, never())
      bench.faults.set('lifi', fault, {}, null)
      expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind, DAI_ETHEREUM).toBe('rejected')
    }
  },
)
