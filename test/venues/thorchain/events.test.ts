import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { any } from '../../support/venueKit/attackPayload.ts'
import { altered, depositOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { depositLog, ROUTER_ABI } from './fakeNetwork.ts'
import { openBench, orders, ROUTER_4, ROUTER_6, STRANGER, VAULT } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const forged = forgeEvents('thorchain', 100, ROUTER_ABI)
const events = bench.venue.events as SwapEvents
const ORDER = 'AB'.repeat(32)
const OTHER_MEMOS = [`OUT:${'AC'.repeat(32)}`, `OUT:${ORDER.toLowerCase()}`, `OUT:${ORDER}:`, ORDER, '=:BTC.BTC:x:1']

test.each([
  ['tokens', orders.usdc(), ROUTER_4],
  ['coins', orders.toUsdc(), ROUTER_6],
])(
  'events: a deposit of %s matches the payload in every field and its deadline, at its router only',
  async (_what, order, other) => {
    const swap = await swapOf(bench.venue, order)
    const { to, data, value } = transactionOf(swap.execution)
    const call = { from: order.sender, to, data: data as `0x${string}`, value }
    const [deposited, { chainId }] = [depositLog({ to, data }), order.input]
    const read = (change: Partial<SeenTransaction>) => (seen: SeenTransaction) =>
      events.inputs({ ...seen, call, ...change }, swap)

    const seen = seenEvm(chainId, [deposited])
    const took = { token: order.input.address, amount: order.inputAmount }
    expect(await read({})(seen)).toEqual([{ place: 'log:0', orderId: seen.hash.slice(2).toUpperCase(), took }])
    await forged({
      chainId,
      logs: { deposited },
      read: read({}),
      also: {
        'another router': [{ ...deposited, address: other }],
        'the asset of the other side': [
          retold(deposited, ROUTER_ABI, ['asset', order.input.address === NATIVE ? order.output.address : ZERO_EVM_ADDRESS]),
        ],
        ...Object.fromEntries(OTHER_MEMOS.map((memo) => [memo, [retold(deposited, ROUTER_ABI, ['memo', memo])]])),
      },
    })
    const later = data.replace(/6aff9b90/, '6aff9b91') as `0x${string}`
    for (const otherCall of [{ ...call, data: later }, null]) expect(await read({ call: otherCall })(seen)).toEqual([])
    // A wallet's own batch makes the same call twice.
    const batch = { ...call, to: STRANGER, data: `0x12345678${data.slice(2)}${data.slice(2)}` as const }
    expect(await read({ call: batch })(seenEvm(chainId, [deposited, deposited, deposited]))).toHaveLength(2)
  },
)

const transferOut = (router: string, to: string, asset: string, amount: bigint, memo: string) =>
  eventLog(ROUTER_ABI, 'TransferOut', router, { vault: VAULT, to, asset, amount, memo })

test('events: a delivery of tokens matches the order, recipient, asset and the transfer before it', async () => {
  const swap = await swapOf(bench.venue, orders.toUsdc())
  const { output, recipient } = swap.order
  const moved = (value: bigint) => eventLog(ROUTER_ABI, 'Transfer', output.address, { from: ROUTER_6, to: recipient, value })
  const paid = transferOut(ROUTER_6, recipient, output.address, 7n, `OUT:${ORDER}`)
  const read = (seen: SeenTransaction) => events.outputs(seen, swap, [ORDER])
  // What the token itself moved counts, not what the router says.
  for (const amount of [7n, 6n]) expect(await read(seenEvm(8453, [moved(amount), paid]))).toEqual([{ place: 'log:0', amount }])
  const genuine = seenEvm(8453, [moved(7n), paid])
  expect(await events.named(genuine)).toEqual(['log:0'])
  expect(await events.outputs(genuine, swap, [])).toEqual([])
  expect(await events.refunds(genuine, swap, [ORDER])).toEqual([])
  await forged({
    chainId: 8453,
    logs: { moved: moved(7n), paid },
    read,
    harmless: { 'moved.from': any, 'moved.value': any, 'paid.vault': any, 'paid.amount': any },
    also: {
      'money after': [paid, moved(7n)],
      'another router': [moved(7n), { ...paid, address: ROUTER_4 }],
      ...Object.fromEntries(
        [`REFUND:${ORDER}`, ...OTHER_MEMOS].map((memo) => [memo, [moved(7n), retold(paid, ROUTER_ABI, ['memo', memo])]]),
      ),
    },
  })
})

test('events: a refund of coins matches the order and the refund address, and balances must show it', async () => {
  const swap = await swapOf(bench.venue, orders.toUsdc({ refundTo: STRANGER }))
  const back = transferOut(ROUTER_4, STRANGER, ZERO_EVM_ADDRESS, 9n, `REFUND:${ORDER}`)
  const read = (seen: SeenTransaction) => events.refunds(seen, swap, [ORDER])
  // Coins are told of even where they were not taken.
  expect(await read(seenEvm(1, [back]))).toEqual([{ place: 'log:0', amount: 9n, isToBeSeen: true }])
  expect(await events.named(seenEvm(1, [back]))).toEqual(['log:0', COINS_BY_CALLS])
  const toPayer = altered(swap, 'binding.refundTo', WALLETS.evm)
  expect(await events.refunds(seenEvm(1, [back]), toPayer, [ORDER])).toEqual([])
  await forged({
    chainId: 1,
    logs: { back },
    read,
    harmless: { 'back.vault': any, 'back.amount': any, 'back.to': ({ other }) => other === STRANGER },
    also: { 'a delivery': [retold(back, ROUTER_ABI, ['memo', `OUT:${ORDER}`])] },
  })
})

const inBitcoin = (to: Address, amount: bigint, ...notes: readonly string[]): SeenTransaction => ({
  ...seenEvm(8453, []),
  chainId: -1,
  hash: parseTransactionId(-1, 'ab'.repeat(32)) as SeenTransaction['hash'],
  movements: [{ place: 'output:0', token: NATIVE, from: null, to, amount }],
  notes: notes.map((text) => Buffer.from(text)),
})

test('events: a bitcoin payment is found by the memo output of the order', async () => {
  const swap = await swapOf(bench.venue, orders.ether())
  const { recipient } = swap.binding
  const delivery = inBitcoin(recipient, 5n, `OUT:${ORDER}`)
  expect(await events.outputs(delivery, swap, [ORDER])).toEqual([{ place: 'output:0', amount: 5n }])
  // Anybody may write it.
  expect(await events.named(delivery)).toEqual([])
  for (const notes of [[], [`REFUND:${ORDER}`], [`OUT:${'AC'.repeat(32)}`], [`OUT:${ORDER}x`], ['OUT']])
    expect(await events.outputs(inBitcoin(recipient, 5n, ...notes), swap, [ORDER])).toEqual([])
  expect(await events.outputs(delivery, altered(swap, 'binding.recipient', STRANGER), [ORDER])).toEqual([])
  const deposit = await swapOf(bench.venue, orders.bitcoin())
  const refund = inBitcoin(deposit.binding.refundTo, 4n, `REFUND:${ORDER}`)
  expect(await events.refunds(refund, deposit, [ORDER])).toEqual([{ place: 'output:0', amount: 4n }])
})

test('events: a bitcoin deposit without a memo is found by the last five digits of its amount', async () => {
  const swap = await swapOf(bench.venue, orders.bitcoin())
  const { address, amount } = depositOf(swap.execution)
  const taken = (...payment: Parameters<typeof inBitcoin>) => events.inputs(inBitcoin(...payment), swap)
  expect(await taken(address, amount)).toEqual([{ place: 'output:0', orderId: ORDER, took: { token: NATIVE, amount } }])
  expect(await taken(address, amount + 100_000n)).toHaveLength(1)
  for (const paid of [amount - 1n, amount + 1n, amount / 2n, amount * 10n, 1n]) expect(await taken(address, paid)).toEqual([])
  expect(await taken(WALLETS.bitcoin, amount)).toEqual([])
  // Of a deposit with a memo of its own the network does not read the digits, and anybody may choose them.
  for (const note of ['=:BASE.ETH:0x90F79bf6EB2c4f870365E785982E1f101E93b906:1', 'hello', ''])
    expect(await taken(address, amount, note)).toEqual([])
})
