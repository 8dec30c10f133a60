import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import recordings from './recordings.json' with { type: 'json' }
import { ASGARD, INBOUND, openBench, orders, POOLS, QUOTE, REGISTER, SECOND, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

test.each<[string, VenueOrder, object]>([
  ['an unsupported chain', orders.usdc({ to: [10, NATIVE] }), { kind: 'unsupportedPair' }],
  ['Solana', orders.usdc({ to: [-2, USDC.solana] }), { kind: 'unsupportedPair' }],
  ['a token for itself', orders.usdc({ to: [8453, USDC.base] }), { kind: 'unsupportedPair' }],
  ['a token without a pool', orders.usdc({ to: [8453, STRANGER] }), { kind: 'unsupportedPair' }],
  ['less than dust', orders.toUsdc({ amount: 9_990_000_000_000n }), { kind: 'amountTooSmall', minimum: null }],
  // Four times what it costs to send: of the least itself nothing is refused.
  ['too little', orders.toUsdc({ amount: 100_000_000_000_000n }), { kind: 'amountTooSmall', minimum: 253_080_000_000_000n }],
  ['less than the memo reference needs', orders.bitcoin({ amount: 99_999n }), { kind: 'amountTooSmall', minimum: 100_000n }],
  ['too little above the memo reference', orders.bitcoin({ amount: 101_005n }), { kind: 'amountTooSmall', minimum: 101_011n }],
  ['more than eight decimals', orders.ether({ amount: 10n ** 18n + 1n }), { kind: 'badRequest', party: null }],
])('quote: THORChain declines %s', async (_name, order, refusal) => {
  const bench = await open()
  const declined = await refusalOf(bench.venue.quote(order, never()))
  expect(declined).toMatchObject({ isDecline: true, ...refusal })
})

describe('thorchain: an error is classified by its message', () => {
  test.each(cases.refusals)('%s', async (words, kind, party) => {
    for (const body of [{ code: 3, message: `${words}: invalid request`, details: [] }, { error: words }]) {
      const { venue } = told(await open(), { instead: ({ path }) => (path === QUOTE ? { status: 400, body } : null) })
      expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ kind, party })
    }
  })

  test.each([
    ['an unknown message', { status: 400, body: { code: 3, message: 'new' } }, { kind: 'badResponse', nature: 'unexplained' }],
    ['HTTP 429', { status: 429, body: { code: 3, message: 'less than dust threshold' } }, { kind: 'rateLimited' }],
    ['HTTP 503', { status: 503, body: { message: 'trading is halted' } }, { kind: 'unavailable' }],
    ['an HTML page', { status: 400, raw: '<html>' }, { kind: 'badResponse' }],
  ])('or status: %s', async (_name, answer, refusal) => {
    const { venue } = told(await open(), { instead: ({ path }) => (path === QUOTE ? answer : null) })
    expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
  })
})

const inRow =
  (chain: string, name: string, value: unknown) =>
  (rows: readonly { readonly chain: string }[]): unknown =>
    rows.map((row) => (row.chain === chain ? { ...row, [name]: value } : row))

test.each([
  ['the source', inRow('BASE', 'halted', true)],
  ['the target', inRow('ETH', 'halted', true)],
  ['trade from the source', inRow('BASE', 'chain_trading_paused', true)],
  ['trade to the target', inRow('ETH', 'chain_trading_paused', true)],
  // Told in the row of whatever chain.
  ['all trade', inRow('BTC', 'global_trading_paused', true)],
  ['a chain without a vault', inRow('BASE', 'address', '')],
])('quote and execute: %s halted is noLiquidity', async (_name, change) => {
  const bench = await open()
  const halted = told(bench, { changes: { [INBOUND]: change } }).venue
  expect((await refusalOf(halted.quote(orders.usdc(), never()))).kind).toBe('noLiquidity')
  const swap = await swapOf(bench.venue, orders.usdc())
  expect((await refusalOf(halted.execute(swap, swap.binding, never()))).kind).toBe('noLiquidity')
})

test('quote: sells during a halt of liquidity alone, and excludes a staged or halted pool', async () => {
  const bench = await open()
  const { venue } = told(bench, { changes: { [INBOUND]: inRow('BASE', 'chain_lp_actions_paused', true) } })
  expect((await venue.quote(orders.usdc(), never())).venue).toBe('thorchain')
  for (const [name, value] of [
    ['status', 'Staged'],
    ['trading_halted', true],
  ] as const) {
    const { venue: halted } = told(bench, { changes: { [POOLS]: (rows) => altered(rows, `*.${name}`, value) } })
    expect((await refusalOf(halted.quote(orders.usdc(), never()))).kind).toBe('noLiquidity')
  }
})

test.each(cases.unknown as [string, string, string, string, object, string][])(
  'quote: %s rejects the answer at both nodes',
  async (_what, name, field, value, change, check) => {
    const changed = (row: { readonly [field: string]: unknown }) => (row[field] === value ? { ...row, ...change } : row)
    const alter = (body: never) => (Array.isArray(body) ? (body as never[]).map(changed) : changed(body))
    const { venue } = told(await open(), { changes: { [`/thorchain/${name}`]: alter, [`${SECOND}/thorchain/${name}`]: alter } })
    expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ kind: 'rejected', check })
  },
)

test('quote and execute: bitcoin is declined while memoless deposits are halted', async () => {
  const bench = await open()
  for (const node of ['', SECOND]) {
    const { venue, asked } = told(bench, {
      changes: { [`${node}/thorchain/mimir`]: () => ({ HALTMEMOLESS: node === '' ? 1 : '1' }) },
    })
    const swap = await swapOf(bench.venue, orders.bitcoin())
    expect((await refusalOf(venue.quote(orders.bitcoin(), never()))).kind).toBe('noLiquidity')
    expect((await refusalOf(venue.execute(swap, swap.binding, never()))).kind).toBe('noLiquidity')
    expect(asked.filter(({ path }) => path === REGISTER)).toEqual([])
    expect((await refusalOf(venue.decode(swap.execution))).kind).toBe('noLiquidity')
    expect(await venue.bitcoinReach?.tokens(8453, never())).toEqual([])
  }
})

test.each([
  ['bitcoin', orders.bitcoin(), '5000000', 5_099_999n],
  // Rounded up to what USDC has digits for.
  ['USDC', orders.usdc(), '25000000001', 250_000_001n],
])('quote: %s below the recommended amount, which a refund would cost, is too small', async (_name, order, least, minimum) => {
  const { venue } = told(await open(), { changes: { [QUOTE]: (body) => altered(body, 'recommended_min_amount_in', least) } })
  expect(await refusalOf(venue.quote(order, never()))).toMatchObject({ kind: 'amountTooSmall', minimum })
})

test.each([INBOUND, ASGARD])('quote: declines without %s of the second node, which execute needs', async (path) => {
  const silent = { status: 502, raw: '<html>' }
  const { venue, asked } = told(await open(), { instead: (call) => (call.path === `${SECOND}${path}` ? silent : null) })
  expect((await refusalOf(venue.quote(orders.usdc(), never()))).kind).toBe('unavailable')
  expect(asked.some((call) => call.path === QUOTE)).toBe(false)
})

test('quote: ignores malformed rows of other chains, and rejects a malformed row of its own', async () => {
  const bench = await open()
  const foreign = [
    { chain: 'TON', address: 'EQB-_3', halted: 'no' },
    { chain: 'ADA', address: `addr1${'q'.repeat(98)}`, outbound_fee: 7 },
    { chain: 'BCH', address: 'bitcoincash:qz93s8d9hxhl7jaz69f3ashpwej6vclvnylpk6jqwg' },
    { asset: 'TON.TON', decimals: 'nine' },
    null,
  ]
  const withForeign = (rows: readonly unknown[]) => [...foreign, ...rows]
  const withRecorded = (rows: readonly unknown[]) => [...recordings.vaults, ...rows]
  const { venue } = told(bench, {
    changes: { [INBOUND]: withForeign, [`${SECOND}${INBOUND}`]: withForeign, [POOLS]: withForeign, [ASGARD]: withRecorded },
  })
  for (const order of [orders.usdc(), orders.bitcoin()]) expect((await swapOf(venue, order)).offer.venue).toBe('thorchain')
  for (const [isHalted, kind] of [
    [false, 'rejected'],
    [true, 'noLiquidity'],
  ] as const) {
    const change = (rows: never) => inRow('BASE', 'outbound_fee', undefined)(inRow('BASE', 'halted', isHalted)(rows) as never)
    const refusal = await refusalOf(told(bench, { changes: { [INBOUND]: change } }).venue.quote(orders.usdc(), never()))
    expect(refusal.kind).toBe(kind)
  }
})

test.each([
  ['sender', { chainId: 8453, address: WALLETS.evm }],
  ['refundTo', { chainId: 8453, address: STRANGER }],
  ['recipient', { chainId: 1, address: WALLETS.evmOther }],
] as const)('quote and execute: contract code at %s is declined', async (party, at) => {
  const chains = createFakeChains()
  const bench = await open({ chains })
  const order = orders.usdc({ refundTo: STRANGER })
  const swap = await swapOf(bench.venue, order)
  // A delegation of EIP-7702 is code as well.
  chains.script.code = async ({ chainId, address }) =>
    chainId === at.chainId && address === at.address ? `0xef0100${'11'.repeat(20)}` : '0x'
  for (const call of [bench.venue.quote(order, never()), bench.venue.execute(swap, swap.binding, never())])
    expect(await refusalOf(call)).toMatchObject({ kind: 'badRequest', party })
  chains.script.code = chainFails('unreachable', 8453)
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('unavailable')
})
