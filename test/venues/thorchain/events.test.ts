import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { depositOf, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { depositLog, ROUTER_ABI } from './fakeNetwork.ts'
import { openBench, orders, ROUTER_4, ROUTER_6, STRANGER, VAULT } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const forged = countForgeries('thorchain', 56)
const events = bench.venue.events as SwapEvents
const ORDER = 'AB'.repeat(32)

const callOf = ({ order, execution }: Swap) => {
  const { to, data, value } = transactionOf(execution)
  return { from: order.sender, to, data: data as `0x${string}`, value }
}
const paidIn = (swap: Swap, log = depositLog(transactionOf(swap.execution)), change: Partial<SeenTransaction> = {}) =>
  seenEvm(swap.order.input.chainId, [log], { call: callOf(swap), ...change })

test('events: a deposit matches the payload in every field and its deadline, at its router only', async () => {
  for (const order of [orders.usdc(), orders.toUsdc()]) {
    const swap = await swapOf(bench.venue, order)
    const seen = paidIn(swap)
    const took = { token: order.input.address, amount: order.inputAmount }
    expect(await events.inputs(seen, swap)).toEqual([{ place: 'log:0', orderId: seen.hash.slice(2).toUpperCase(), took }])
    const log = depositLog(transactionOf(swap.execution))
    for (const change of [
      ['to', STRANGER],
      ['asset', STRANGER],
      ['asset', order.input.address === NATIVE ? order.output.address : ZERO_EVM_ADDRESS],
      ['amount', order.inputAmount - 1n],
      ['amount', 0n],
      ['memo', '=:BTC.BTC:x:1'],
      ['memo', ''],
    ] as const)
      forged(change.join(), await events.inputs(paidIn(swap, retold(log, ROUTER_ABI, change)), swap))
    const router = transactionOf(swap.execution).to
    for (const address of [STRANGER, router === ROUTER_4 ? ROUTER_6 : ROUTER_4])
      forged('another contract', await events.inputs(paidIn(swap, { ...log, address }), swap))
    const later = callOf(swap).data.replace(/6aff9b90/, '6aff9b91') as `0x${string}`
    forged('another second', await events.inputs(paidIn(swap, log, { call: { ...callOf(swap), data: later } }), swap))
    forged('no call', await events.inputs(paidIn(swap, log, { call: null }), swap))
    forged('failed', await events.inputs(paidIn(swap, log, { isSuccess: false }), swap))
    forged('another chain', await events.inputs({ ...paidIn(swap), chainId: 56 }, swap))
    // A wallet's own batch makes the same call twice.
    const { data } = callOf(swap)
    const batch = { ...callOf(swap), to: STRANGER, data: `0x12345678${data.slice(2)}${data.slice(2)}` as const }
    expect(await events.inputs(seenEvm(order.input.chainId, [log, log, log], { call: batch }), swap)).toHaveLength(2)
  }
})

const sent = (to: Address, asset: string, amount: bigint, memo: string) => [
  ...(asset === ZERO_EVM_ADDRESS ? [] : [eventLog(ROUTER_ABI, 'Transfer', asset, { from: ROUTER_6, to, value: amount })]),
  eventLog(ROUTER_ABI, 'TransferOut', ROUTER_6, { vault: VAULT, to, asset, amount, memo }),
]

test('events: deliveries and refunds match the payment, recipient and asset', async () => {
  const swap = await swapOf(bench.venue, orders.toUsdc({ refundTo: STRANGER }))
  const { output, recipient } = swap.order
  const out = sent(recipient, output.address, 7n, `OUT:${ORDER}`)
  expect(await events.outputs(seenEvm(8453, out), swap, [ORDER])).toEqual([{ place: 'log:0', amount: 7n }])
  expect(await events.named(seenEvm(8453, out))).toEqual(['log:0'])
  // What the token itself moved counts, not what the router says.
  const less = [eventLog(ROUTER_ABI, 'Transfer', output.address, { from: ROUTER_6, to: recipient, value: 6n }), ...out.slice(1)]
  expect(await events.outputs(seenEvm(8453, less), swap, [ORDER])).toEqual([{ place: 'log:0', amount: 6n }])

  const [transfer, told] = out as [(typeof out)[0], (typeof out)[0]]
  for (const change of [
    ['to', STRANGER],
    ['asset', STRANGER],
    ['asset', ZERO_EVM_ADDRESS],
    ['memo', `OUT:${'AC'.repeat(32)}`],
    ['memo', `REFUND:${ORDER}`],
    ['memo', `OUT:${ORDER.toLowerCase()}`],
    ['memo', `OUT:${ORDER}:`],
    ['memo', ORDER],
  ] as const)
    forged(change.join(), await events.outputs(seenEvm(8453, [transfer, retold(told, ROUTER_ABI, change)]), swap, [ORDER]))
  forged('no money', await events.outputs(seenEvm(8453, [told]), swap, [ORDER]))
  forged('money after', await events.outputs(seenEvm(8453, [told, transfer]), swap, [ORDER]))
  forged('no order', await events.outputs(seenEvm(8453, out), swap, []))
  forged('another router', await events.outputs(seenEvm(8453, [transfer, { ...told, address: ROUTER_4 }]), swap, [ORDER]))
  forged('failed', await events.outputs(seenEvm(8453, out, { isSuccess: false }), swap, [ORDER]))
  forged('a refund', await events.refunds(seenEvm(8453, out), swap, [ORDER]))

  // Coins are told of even where they were not taken: balances must bear them out.
  const back = seenEvm(1, [
    { ...(sent(STRANGER, ZERO_EVM_ADDRESS, 9n, `REFUND:${ORDER}`)[0] as (typeof out)[0]), address: ROUTER_4 },
  ])
  expect(await events.refunds(back, swap, [ORDER])).toEqual([{ place: 'log:0', amount: 9n, isToBeSeen: true }])
  expect(await events.named(back)).toEqual(['log:0', COINS_BY_CALLS])
  forged(
    'to the payer',
    await events.refunds({ ...back }, { ...swap, binding: { ...swap.binding, refundTo: WALLETS.evm } }, [ORDER]),
  )
})

const inBitcoin = (change: Partial<SeenTransaction>): SeenTransaction => ({
  ...seenEvm(8453, []),
  chainId: -1,
  hash: parseTransactionId(-1, 'ab'.repeat(32)) as SeenTransaction['hash'],
  ...change,
})
const output = (to: Address, amount: bigint, n = 0) => ({ place: `output:${n}`, token: NATIVE, from: null, to, amount })
const note = (text: string) => Buffer.from(text)

test('events: a bitcoin payment is found by the memo output of the order or the last digits of the amount', async () => {
  const swap = await swapOf(bench.venue, orders.ether())
  const { recipient } = swap.binding
  const delivery = inBitcoin({ movements: [output(recipient, 5n)], notes: [note(`OUT:${ORDER}`)] })
  expect(await events.outputs(delivery, swap, [ORDER])).toEqual([{ place: 'output:0', amount: 5n }])
  for (const notes of [[], [note(`REFUND:${ORDER}`)], [note(`OUT:${'AC'.repeat(32)}`)], [note(`OUT:${ORDER}x`)], [note('OUT')]])
    forged('another note', await events.outputs({ ...delivery, notes }, swap, [ORDER]))
  forged(
    'to another',
    await events.outputs(
      { ...delivery, movements: [output(WALLETS.bitcoin as Address, 0n)] },
      { ...swap, binding: { ...swap.binding, recipient: STRANGER } },
      [ORDER],
    ),
  )
  // Anybody may write it.
  expect(await events.named(delivery)).toEqual([])

  const deposit = await swapOf(bench.venue, orders.bitcoin())
  const { address, amount } = depositOf(deposit.execution)
  const taken = async (paid: bigint, to = address) =>
    (await events.inputs(inBitcoin({ movements: [output(to, paid)] }), deposit)) ?? []
  expect(await taken(amount)).toEqual([{ place: 'output:0', orderId: ORDER, took: { token: NATIVE, amount } }])
  // The network reads the last five digits alone.
  expect(await taken(amount + 100_000n)).toHaveLength(1)
  for (const paid of [amount - 1n, amount + 1n, amount / 2n, amount * 10n, 1n]) forged('other digits', await taken(paid))
  forged('to another address', await taken(amount, WALLETS.bitcoin as Address))
  // Of a deposit with a memo of its own the network does not read the digits, and anybody may choose them.
  for (const text of ['=:BASE.ETH:0x90F79bf6EB2c4f870365E785982E1f101E93b906:1', 'hello', ''])
    forged('a note', await events.inputs(inBitcoin({ movements: [output(address, amount)], notes: [note(text)] }), deposit))
  const refund = inBitcoin({ movements: [output(deposit.binding.refundTo, 4n)], notes: [note(`REFUND:${ORDER}`)] })
  expect(await events.refunds(refund, deposit, [ORDER])).toEqual([{ place: 'output:0', amount: 4n }])
})
