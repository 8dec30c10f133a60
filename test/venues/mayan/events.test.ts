import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenInstruction, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { FORWARDER, SWIFT, SWIFT_FILLS, SWIFT_PROGRAM } from '../../../engine/venues/mayan/protocol.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { any, atLeast } from '../../support/venueKit/attackPayload.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { EVENTS, readCall } from './abi.ts'
import { keyOf } from './fakeNetwork.ts'
import { openBench, orders, STRANGER, STRANGER_ON_SOLANA, USDC_POLYGON, WETH_BASE } from './support.ts'

const settings = { SWIFTS: STRANGER, SWIFT_FILLS: STRANGER }
const [bench, other] = [await openBench(), await openBench({ settings })]
afterAll(() => Promise.all([bench.close(), other.close()]))
const events = bench.venue.events as SwapEvents
const forged = forgeEvents('mayan', 320, EVENTS)
const forgedCall = countForgeries('mayan on Solana', 400)

const log = (name: string, contract: string, fields: object) => eventLog(EVENTS, name, contract, fields as never)
type Log = ReturnType<typeof log>
const moved = (token: string, from: string, to: string) => log('Transfer', token, { from, to, value: 7n })
const filled = (key: string, by: string = SWIFT_FILLS) => log('OrderFulfilled', by, { key, sequence: 5n, netAmount: 7n })
const refunded = (key: string, by: string = SWIFT) => log('OrderRefunded', by, { key, netAmount: 7n })
const keyIn = ({ order, execution }: Swap, bps?: number) =>
  keyOf(readCall(transactionOf(execution).data).inner, order.input.chainId, bps)
const OTHER_KEY = `0x${'11'.repeat(32)}`

test.each([
  ['a token', orders.usdc(), USDC.base, USDC.base, {}],
  ['coins', orders.ether(), NATIVE, WETH_BASE, { 'moved.value': atLeast }],
  ['coins that are exchanged', orders.pol(), USDC_POLYGON, USDC_POLYGON, { 'moved.value': atLeast }],
])('events: an order paid in %s is found by its hash, with the amount that arrived', async (_what, order, token, held, more) => {
  const { chainId } = order.input
  const [swap, another] = [await swapOf(bench.venue, order), await swapOf(bench.venue, order)]
  const value = (readCall(transactionOf(swap.execution).data).call['minMiddleAmount'] ?? order.inputAmount) as bigint
  const paid = log('Transfer', held, { from: FORWARDER, to: SWIFT, value })
  const created = (of: Swap, bps?: number) => log('OrderCreated', SWIFT, { key: keyIn(of, bps) })
  // Whatever share the contract adds.
  for (const bps of [0, 3, 4, 255])
    expect(await events.inputs(seenEvm(chainId, [paid, created(swap, bps)]), swap)).toEqual([
      { place: 'log:1', orderId: keyIn(swap, bps), took: { token, amount: value } },
    ])
  const both = seenEvm(chainId, [paid, created(another), paid, created(swap)])
  expect(await events.inputs(both, swap)).toMatchObject([{ place: 'log:3' }])
  expect(await events.inputs(both, another)).toMatchObject([{ place: 'log:1' }])
  const key = keyIn(swap)
  const digits = Array.from(
    { length: 64 },
    (_, at) => `${key.slice(0, 2 + at)}${key[2 + at] === '0' ? 1 : 0}${key.slice(3 + at)}`,
  )
  await forged({
    ...{ chainId, logs: { moved: paid, created: created(swap) }, read: (seen) => events.inputs(seen, swap) },
    harmless: { 'moved.from': any, ...more },
    also: {
      'money afterwards': [created(swap), paid],
      ...Object.fromEntries(digits.map((each) => [each, [paid, log('OrderCreated', SWIFT, { key: each })]])),
    },
  })
})

type Payout = readonly [string, Swap['order'], 'outputs' | 'refunds', logs: (key: string) => readonly [Log, Log?]]
const [TO, BACK] = [orders.usdc().recipient, orders.pol().refundTo]

test.each<Payout>([
  ['tokens are delivered', orders.usdc(), 'outputs', (key) => [moved(USDC.arbitrum, SWIFT_FILLS, TO), filled(key)]],
  ['coins are delivered', orders.usdc({ to: [42161, NATIVE] }), 'outputs', (key) => [filled(key)]],
  ['tokens are refunded', orders.pol(), 'refunds', (key) => [moved(USDC_POLYGON, SWIFT, BACK), refunded(key)]],
  // Wrapped coins go to the account that cancelled the order; the payer gets coins by a call.
  ['coins are refunded', orders.ether(), 'refunds', (key) => [refunded(key)]],
])('events: %s by the transfer before the event of the order, or by its amount', async (_what, order, verb, logsOf) => {
  const swap = await swapOf(bench.venue, order)
  const [own, others] = [logsOf(keyIn(swap)) as readonly Log[], logsOf(OTHER_KEY) as readonly Log[]]
  const { chainId } = order[verb === 'outputs' ? 'output' : 'input']
  const read = (seen: SeenTransaction, names = [keyIn(swap)]) => events[verb](seen, swap, names)
  // Each event has its own money, though sum and recipient are the same.
  expect(await read(seenEvm(chainId, [...others, ...own]))).toEqual([{ place: `log:${own.length}`, amount: 7n }])
  expect(await read(seenEvm(chainId, own), [])).toEqual([])
  const [event, paid] = own.toReversed() as [Log, Log?]
  const also = { 'money of another order': [...others, event], 'money afterwards': own.toReversed() }
  const harmless = { 'event.sequence': any, ...(paid ? {} : { 'event.netAmount': any }) }
  await forged({ chainId, logs: { ...(paid && { paid }), event }, read, harmless, also: paid ? also : {} })
})

const mine = moved(USDC.arbitrum, SWIFT, STRANGER)
const payout = [moved(USDC.arbitrum, SWIFT_FILLS, STRANGER), filled(OTHER_KEY)]
const BOTH = ['log:0', 'log:1', COINS_BY_CALLS]
test.each<[string, readonly Log[], readonly string[], Partial<SeenTransaction>?]>([
  ['a delivery to anybody', payout, BOTH],
  // Any token can log a payment by the contract, of any sum.
  ['a refund in any token', [moved(STRANGER, SWIFT, STRANGER), refunded(OTHER_KEY)], BOTH],
  ['an unlocked order', [mine, log('OrderUnlocked', SWIFT, { key: OTHER_KEY })], ['log:0']],
  ['an order that is placed again', [mine, log('OrderCreated', SWIFT, { key: OTHER_KEY })], ['log:0']],
  ['no event of an order', payout.slice(0, 1), []],
  ['a chain without Mayan', payout, [], { chainId: 480 }],
  ['a failed transaction', payout, [], { isSuccess: false }],
  ['contracts that are not set', [moved(USDC.arbitrum, STRANGER, TO), filled(OTHER_KEY, STRANGER)], []],
])('events: claims the payouts of Mayan: %s', async (_what, logs, places, change = {}) => {
  expect(await events.named(seenEvm(42161, logs, change))).toEqual(places)
})

test('events: contracts of the settings are read too', async () => {
  const { venue } = other
  const swap = await swapOf(venue, orders.usdc())
  const key = keyIn(swap)
  const out = seenEvm(42161, [moved(USDC.arbitrum, STRANGER, TO), filled(key, STRANGER)])
  expect(await venue.events?.outputs(out, swap, [key])).toEqual([{ place: 'log:0', amount: 7n }])
  expect(await venue.events?.named(out)).toEqual(BOTH)
  expect(await events.outputs(out, swap, [key])).toEqual([])
})

type Call = Omit<SeenInstruction, 'index'>
const onSolana = (calls: readonly Call[], change: Partial<SeenTransaction> = {}): SeenTransaction => ({
  ...seenEvm(8453, [], { chainId: SOLANA, hash: '5'.repeat(88) as never }),
  ...{ instructions: calls.map((call, index) => ({ index, ...call })), ...change },
})
const callsOf = async ({ execution }: Swap): Promise<readonly Call[]> => {
  const { instructions = [] } = (await decodeSolanaTransaction(transactionOf(execution).data)) ?? {}
  return instructions.map(({ programId, accounts, data }) => ({ program: programId, accounts: accounts as Address[], data }))
}

test.each([
  ['a token', orders.fromSolana(), USDC.solana],
  ['SOL', orders.sol(), NATIVE_SOL],
])('events: an order paid on Solana in %s is its instruction, with every byte and account', async (_what, order, token) => {
  const swap = await swapOf(bench.venue, order)
  const calls = await callsOf(swap)
  const places = calls.at(-1) as Call
  const read = (own: Call, change = {}) => events.inputs(onSolana([...calls.slice(0, -1), own], change), swap)
  const took = { token, amount: order.inputAmount }
  const [input, ...rest] = (await read(places)) ?? []
  expect([input, rest]).toMatchObject([{ place: `instruction:${calls.length - 1}`, took }, []])
  const key = input?.orderId ?? ''
  const delivery = moved(order.output.address, SWIFT_FILLS, order.recipient)
  expect(await events.outputs(seenEvm(8453, [delivery, filled(key)]), swap, [key])).toHaveLength(1)
  // No event is published there: the money must show a refund, and a delivery.
  expect(await events.refunds(onSolana(calls), swap, [key])).toBeNull()
  expect(await events.outputs(onSolana(calls), await swapOf(bench.venue, orders.toSol()), [key])).toBeNull()
  for (const [at, byte] of places.data.entries())
    forgedCall(`byte ${at}`, await read({ ...places, data: places.data.with(at, byte ^ 1) }))
  for (const at of places.accounts.keys())
    forgedCall(`account ${at}`, await read({ ...places, accounts: places.accounts.with(at, STRANGER_ON_SOLANA) }))
  forgedCall('another program', await read({ ...places, program: STRANGER_ON_SOLANA }))
  forgedCall('a failed transaction', await read(places, { isSuccess: false }))
  forgedCall('cut short', await read({ ...places, data: places.data.slice(0, -1) }))
  forgedCall('another chain', await events.inputs(seenEvm(8453, []), swap))
})

test('events: claims the transfers of a settling program, not those beside a created order', async () => {
  const swap = await swapOf(bench.venue, orders.fromSolana())
  const placing = await callsOf(swap)
  // The proxy passes the data of its call on.
  const placed = [...placing, { ...(placing.at(-1) as Call), program: SWIFT_PROGRAM }]
  const settling: Call = { program: SWIFT_PROGRAM, accounts: [], data: new Uint8Array(8) }
  const movements = [{ place: 'instruction:1', token: USDC.solana as Address, from: null, to: STRANGER_ON_SOLANA, amount: 1n }]
  const named = (calls: readonly Call[], change = {}) => events.named(onSolana(calls, { movements, ...change }))
  for (const calls of [[settling], [...placed, settling]]) expect(await named(calls)).toEqual(['instruction:1'])
  for (const calls of [placing, placed, [{ ...settling, program: STRANGER_ON_SOLANA }]]) expect(await named(calls)).toEqual([])
  expect(await named([settling], { isSuccess: false })).toEqual([])
})
