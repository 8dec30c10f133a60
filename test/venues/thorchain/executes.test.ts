import { expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, depositOf, never, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { argsOf, readMemo } from './fakeNetwork.ts'
import {
  ASGARD,
  BITCOIN_VAULT,
  INBOUND,
  openBench,
  orders,
  QUOTE,
  REGISTER,
  ROUTER_4,
  SECOND,
  STRANGER,
  TN,
  told,
  USDC_BASE_POOL,
  VAULT,
} from './support.ts'

const open = closedAfterEach(openBench)

test('execute: a router deposit has the vault, the amount, one hour and an unabbreviated memo [venue-thorchain]', async () => {
  const bench = await open({ settings: TN })
  const swap = await swapOf(bench.venue, orders.toUsdc({ feeBps: 15 }), { refundTo: STRANGER })
  const { to, data, value } = transactionOf(swap.execution)
  const least = (swap.execution.slippage?.guaranteedMin ?? 0n) as bigint
  const [vault, asset, amount, memo, expiration] = argsOf(data)
  expect([to, value, asset, amount]).toEqual([ROUTER_4, 10n ** 18n, ZERO_EVM_ADDRESS, 10n ** 18n])
  expect([vault, expiration]).toEqual([VAULT, BigInt(START_OF_TIME / 1_000 + 3_600)])
  const { limit, ...words } = readMemo(memo)
  const parties = { recipient: WALLETS.evmOther, refundTo: STRANGER }
  expect(words).toEqual({ called: '=', asset: USDC_BASE_POOL, ...parties, parts: '/0/1', fee: ['tn', '15'] })
  // Two digits more than USDC has.
  expect(limit / 100n).toBe(least)
  const claims = await bench.venue.decode(swap.execution)
  expect(claims).toMatchObject({ refundTo: STRANGER, fee: { recipient: 'tn', bps: 15 }, output: { minimum: least }, unread: [] })
  expect(await prove(bench.venue, { ...swap, binding: parties })).toEqual([])
})

test('execute: a memoless deposit has the reference in its amount, and registers a memo with the minimum [venue-thorchain]', async () => {
  const bench = await open({ apiKey: 'memo-key-1', settings: TN })
  const order = orders.bitcoin({ feeBps: 15 })
  const swap = await swapOf(bench.venue, order)
  const registered = bench.sent.find(({ path }) => path === REGISTER)
  const { memo, ...body } = (registered?.body ?? {}) as { readonly memo: string }
  expect([registered?.method, body]).toEqual(['POST', { asset: 'BTC.BTC', requested_in_asset_amount: '0.05' }])
  expect(memo).toMatch(new RegExp(`^=:${USDC_BASE_POOL}:${WALLETS.evm}/${WALLETS.bitcoin}:\\d+/0/1:tn:15$`))
  const { address, amount } = depositOf(swap.execution)
  const digits = amount % 100_000n
  expect([address, amount <= 5_000_000n, amount > 4_900_000n]).toEqual([BITCOIN_VAULT, true, true])
  expect(await bench.venue.profile.toldApartBy(swap)).toEqual([{ kind: 'address+amount', value: `${BITCOIN_VAULT}/${digits}` }])
  expect(await prove(bench.venue, swap)).toEqual([])
  const claims = await bench.venue.decode(swap.execution)
  expect([said(claims.recipient), said(claims.refundTo), said(claims.fee)]).toEqual([
    WALLETS.evm,
    WALLETS.bitcoin,
    { recipient: 'tn', bps: 15 },
  ])
  // Six hours, less one of our own.
  expect(Math.abs((claims.deadlineAt ?? 0) - START_OF_TIME - 5 * 3_600_000)).toBeLessThan(10_000)
  // The key is the registration service's alone.
  expect(bench.sent.filter(({ headers }) => headers['x-api-key'] !== undefined).map(({ path }) => path)).toEqual([REGISTER])
  // Each is registered for itself.
  expect(depositOf((await swapOf(bench.venue, order)).execution).amount % 100_000n).not.toBe(digits)
})

test.each([
  ['another memo', { recipient: WALLETS.evmOther }],
  ['another reference', {}],
])('execute: rejects a deposit under the registration of %s, which the network would not credit', async (what, wish) => {
  const bench = await open()
  const hashOf = async (order: VenueOrder) =>
    (await swapOf(bench.venue, order)).execution.carry as { readonly registration: string }
  const { registration: ofOther } = await hashOf(orders.bitcoin(wish))
  const named = (hash: string) =>
    told(bench, { changes: { [REGISTER]: (body) => altered(body, 'registration_hash', hash) } }).venue
  const { isDecline, message } = await refusalOf(swapOf(named(ofOther), orders.bitcoin()))
  expect([isDecline, message]).toEqual([false, expect.stringContaining(`the registration of ${what}`)])
})

/** A vault of bitcoin that was listed once. */
const OTHER_BITCOIN_VAULT = 'bc1q2llgpmptppvuahaz9av983t5dypl9gehewjwud'
const moved = (rows: object) =>
  altered(rows, '*.address', (address: string) => (address === BITCOIN_VAULT ? OTHER_BITCOIN_VAULT : STRANGER.toLowerCase()))

const movedVaults = (rows: object) => altered(rows, '*.addresses', (addresses: object) => moved(addresses))
type Vaults = readonly object[]
/** Two active vaults, the other with ours in a status of its own. */
const twoVaults =
  (status = 'ActiveVault') =>
  (rows: Vaults) => [...altered(rows, '*.status', status), ...(movedVaults(rows) as Vaults)]
const atBoth = (path: string, change: (body: never) => unknown) => ({ [path]: change, [`${SECOND}${path}`]: change })

test('proof: rejects an inactive vault at quote, execute and reuse, and requires two nodes to list it [venue-thorchain]', async () => {
  const bench = await open()
  for (const order of [orders.usdc(), orders.bitcoin()]) {
    const swap = await swapOf(bench.venue, order)
    for (const vaults of [movedVaults, twoVaults('RetiringVault')]) {
      const changes = { ...atBoth(INBOUND, moved), ...atBoth(ASGARD, vaults) }
      expect((await prove(told(bench, { changes }).venue, swap)).join()).toMatch(/vault that is none of the network now/)
    }
    for (const node of ['', SECOND]) {
      const one = told(bench, { changes: { [`${node}${ASGARD}`]: movedVaults } }).venue
      for (const asked of [one.quote(order, never()), one.execute(swap, swap.binding, never())])
        expect(await refusalOf(asked)).toMatchObject({ kind: 'rejected', check: 'vault' })
      expect(await prove(one, swap)).toEqual([expect.stringMatching(/do not agree on the vault/)])
    }
  }
})

test.each([
  ['the second node', `${SECOND}${INBOUND}`],
  ['the first node', INBOUND],
])('proof: accepts either of two active vaults when %s names the other', async (_node, path) => {
  const bench = await open()
  for (const order of [orders.usdc(), orders.bitcoin()]) {
    const swap = await swapOf(bench.venue, order)
    const { venue } = told(bench, { changes: { ...atBoth(ASGARD, twoVaults()), [path]: moved } })
    expect(await prove(venue, swap)).toEqual([])
    expect(await prove(venue, await swapOf(venue, order))).toEqual([])
  }
})

test('execute: reads a new price once, and the vaults again', async () => {
  const bench = await open()
  await bench.venue.quote(orders.usdc({ to: [8453, USDC.base], from: [1, USDC.ethereum] }), never())
  const quoting = bench.sent.length
  await swapOf(bench.venue, orders.usdc())
  const paths = bench.sent.slice(quoting).map(({ path }) => path)
  expect(paths.filter((path) => path === QUOTE)).toHaveLength(2)
  expect(paths.filter((path) => path.endsWith(INBOUND)).toSorted()).toEqual([`${SECOND}${INBOUND}`, INBOUND])
})

const haltEthereum = (rows: object) => altered(rows, '[chain=ETH].halted', true)
const haltMemoless = () => ({ HALTMEMOLESS: 1 })

test.each([
  [INBOUND, 'a chain that pays nothing out', orders.usdc(), haltEthereum],
  [`${SECOND}${INBOUND}`, 'a chain that pays nothing out', orders.usdc(), haltEthereum],
  ['/thorchain/mimir', 'deposits without a memo', orders.bitcoin(), haltMemoless],
  [`${SECOND}/thorchain/mimir`, 'deposits without a memo', orders.bitcoin(), haltMemoless],
])('execute: %s: declines after a halt since the quote of %s', async (path, _what, order, halt) => {
  let isHalted = false
  const change = (body: never) => (isHalted ? halt(body) : body)
  const { venue, asked } = told(await open(), { changes: { [path]: change } })
  const offer = await venue.quote(order, never())
  isHalted = true
  expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
  expect(asked.some((call) => call.path === REGISTER)).toBe(false)
  isHalted = false
  const execution = await venue.execute({ order, offer }, order, never())
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual([])
})
