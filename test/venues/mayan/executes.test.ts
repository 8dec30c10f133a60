import { expect, test } from 'vitest'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { readCall } from './abi.ts'
import { FORWARDER } from './fakeNetwork.ts'
import {
  FEE_RECIPIENT,
  openBench,
  orders,
  QUOTE,
  REFERRER,
  STRANGER,
  STRANGER_ON_SOLANA,
  told,
  WETH_BASE,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)
const ROUTER = '0x00000000009726632680FB29d3F7A9734E3010E2'

test('execute: builds an order without an exchange locally, for the bound recipient, with the fee of the source chain', async () => {
  const bench = await open({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, orders.toSol({ feeBps: 15 }), { recipient: STRANGER_ON_SOLANA, refundTo: STRANGER })
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(bench.sent.map(({ path }) => path)).toEqual(['/init', QUOTE, '/init', QUOTE])
  const { to, value, data } = transactionOf(swap.execution)
  expect([to, value]).toEqual([FORWARDER, 0n])
  const { functionName, inner } = readCall(data)
  expect(functionName).toBe('forwardERC20')
  expect(inner.order).toMatchObject({ payloadType: 1, destChainId: 1, gasDrop: 0n, referrerBps: 15, auctionMode: 2 })
  expect(inner.order.referrerAddr).toBe(`0x${FEE_RECIPIENT.slice(2).toLowerCase().padStart(64, '0')}`)
  expect(inner.order.deadline).toBe(BigInt(START_OF_TIME / 1_000 + 5_400))
  const claims = await bench.venue.decode(swap.execution)
  expect([said(claims.recipient), claims.refundTo, said(claims.fee)]).toEqual([
    STRANGER_ON_SOLANA,
    STRANGER,
    { bps: 15, recipient: FEE_RECIPIENT },
  ])
  expect(claims.output.minimum).toBe(swap.execution.slippage?.guaranteedMin)
})

test('execute: on Solana uses the Solana referrer, and its three instructions fund the order account', async () => {
  const bench = await open({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, orders.fromSolana({ feeBps: 15 }), { refundTo: STRANGER_ON_SOLANA })
  expect(await prove(bench.venue, swap)).toEqual([])
  const claims = await bench.venue.decode(swap.execution)
  expect([claims.refundTo, said(claims.fee), claims.spender]).toEqual([
    STRANGER_ON_SOLANA,
    { bps: 15, recipient: REFERRER },
    null,
  ])
  expect((await decodeSolanaTransaction(transactionOf(swap.execution).data))?.instructions).toHaveLength(3)
  expect(bench.venue.profile.feeAccounts).toHaveLength(3)
})

test('execute: an exchange before the order is bounded by the minimum of the Forwarder, for any router', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.pol())
  expect(bench.sent.map(({ path }) => path)).toEqual(['/init', QUOTE, '/init', QUOTE, '/get-swap/evm'])
  const { functionName, args, inner } = readCall(transactionOf(swap.execution).data)
  expect([functionName, args[1]]).toEqual(['swapAndForwardEth', ROUTER])
  expect(args[4] as bigint).toBeGreaterThanOrEqual(inner.order.minAmountOut)
  // A placeholder that the Forwarder writes over.
  expect(inner.amountIn).toBe(orders.pol().inputAmount)
})

test('execute: ether is wrapped completely, with the zero address as token, so that a refund returns ether', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.ether())
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(bench.sent.at(-1)?.query.get('middleToken')?.toLowerCase()).toBe(WETH_BASE)
  const { value, data } = transactionOf(swap.execution)
  const { functionName, args, inner } = readCall(data)
  expect([functionName, value, args[3], args[4]]).toEqual(['swapAndForwardEth', 10n ** 18n, WETH_BASE, 10n ** 18n])
  expect(inner.tokenIn).toBe(`0x${'0'.repeat(40)}`)
  const { input, bridged, spender, refundTo } = await bench.venue.decode(swap.execution)
  expect([input.amount, bridged, spender, refundTo]).toEqual([10n ** 18n, null, null, swap.binding.refundTo])
})

test('execute: SOL goes to the order account, with the zero word as token in the order hash', async () => {
  const bench = await open({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, orders.sol({ feeBps: 15 }), { refundTo: STRANGER_ON_SOLANA })
  expect(await prove(bench.venue, swap)).toEqual([])
  const { instructions = [] } = (await decodeSolanaTransaction(transactionOf(swap.execution).data)) ?? {}
  const [, pays, syncs, places] = instructions
  expect([instructions.length, pays?.accounts[2], syncs?.accounts[1]]).toEqual([4, places?.accounts[4], places?.accounts[4]])
  expect(places?.data[16]).toBe(1)
  const { input, bridged, refundTo } = await bench.venue.decode(swap.execution)
  expect([input.amount, bridged ?? null, refundTo]).toEqual([2_000_000_000n, null, STRANGER_ON_SOLANA])
})

test('execute: two equal orders of one wallet at the same time have different hashes', async () => {
  const bench = await open()
  const keys = await Promise.all(
    [1, 2, 3].map(async () => bench.venue.profile.toldApartBy(await swapOf(bench.venue, orders.usdc()))),
  )
  expect(new Set(keys.flat().map(({ value }) => value)).size).toBe(3)
  const { venue } = told(bench, { changes: { [QUOTE]: (body: object) => altered(body, 'quotes.*.quoteId', null) } })
  expect(await prove(venue, await swapOf(venue, orders.usdc()))).toEqual([])
})

test('refunds: the deduction is both fees of the order and the amount below its precision', async () => {
  const bench = await open()
  const usdc = await swapOf(bench.venue, orders.usdc())
  expect(bench.venue.profile.refundKeeps(usdc)).toEqual({ amount: 9_702n, bps: 0 })
  const ether = await swapOf(bench.venue, orders.ether({ to: [42161, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'] }))
  const { order } = readCall(transactionOf(ether.execution).data).inner
  expect(bench.venue.profile.refundKeeps(ether).amount).toBe((order.cancelFee + order.refundFee) * 10n ** 10n + 10n ** 10n - 1n)
})

test('execute: builds the quoted minimum within the slippage, and rejects a price beyond it', async () => {
  const bench = await open()
  const order = orders.toSol({ slippageBps: 100 })
  const offer = (await swapOf(bench.venue, order)).offer
  const sol = bench.market.prices()['SOL'] ?? 0n
  bench.market.setPrice('SOL', (sol * 1_004n) / 1_000n)
  const execution = await bench.venue.execute({ order, offer }, order, AbortSignal.timeout(5_000))
  expect(await prove(bench.venue, { order, offer, binding: order, execution })).toEqual([])
  bench.market.setPrice('SOL', (sol * 11n) / 10n)
  const late = await bench.venue.execute({ order, offer }, order, AbortSignal.timeout(5_000))
  expect(await prove(bench.venue, { order, offer, binding: order, execution: late })).toContain('output.minimum')
})

test('execute: rejects an invalid router and invalid calldata', async () => {
  const bench = await open()
  for (const [field, value] of [
    ['swapRouterAddress', '0x1234'],
    ['swapRouterCalldata', 'swap()'],
  ] as const) {
    const { venue } = told(bench, { changes: { '/get-swap/evm': (body: object) => altered(body, field, value) } })
    expect((await refusalOf(swapOf(venue, orders.pol({ recipient: WALLETS.evmOther })))).kind).toBe('rejected')
  }
})
