import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenInstruction, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { EVENTS, readCall } from './abi.ts'
import { FILLS, FORWARDER, keyOf, SWIFT } from './fakeNetwork.ts'
import { openBench, orders, QUOTE, STRANGER, STRANGER_ON_SOLANA, told as toldVenue, USDC_POLYGON, WETH_BASE } from './support.ts'

const SWIFT_PROGRAM = addressOf('solana', 'mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny')

/** What Swift's contracts tell of an order on both of its chains, and what of it is believed. */

const bench = await openBench()
afterAll(() => bench.close())
const forged = countForgeries('mayan', 163)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
const transfer = (token: string, from: string, to: string, value: bigint) =>
  eventLog(EVENTS, 'Transfer', token, { from, to, value })
const told = (name: string, contract: string, fields: object) => eventLog(EVENTS, name, contract, fields as never)
const keyIn = (swap: Swap, bps?: number) =>
  keyOf(readCall(transactionOf(swap.execution).data).inner, swap.order.input.chainId, bps)
const innerOf = (swap: Swap) => readCall(transactionOf(swap.execution).data)

/** The logs of a payment in their order: the order's token comes to Swift last. */
const paidLogs = (swap: Swap, amount: bigint, key = keyIn(swap)) => {
  const { inner, args } = innerOf(swap)
  const token = args.length > 5 ? String(args.at(-4)) : inner.tokenIn
  return [
    transfer(token, swap.order.sender, FORWARDER, amount),
    transfer(token, FORWARDER, SWIFT, amount),
    told('OrderCreated', SWIFT, { key }),
  ]
}

describe.each([
  ['a token', orders.usdc(), USDC.base],
  ['coins', orders.ether(), NATIVE],
  ['coins that are exchanged', orders.pol(), USDC_POLYGON],
] as const)('events: a Mayan order paid in %s', (_name, order, middle) => {
  const { chainId } = order.input
  const leastOf = (swap: Swap): bigint =>
    order.input.address === NATIVE ? (innerOf(swap).args.at(-3) as bigint) : order.inputAmount

  test('is found by its order hash, whatever share the contract adds, with the amount that arrived', async () => {
    const swap = await open(order)
    const least = leastOf(swap)
    for (const bps of [0, 3, 4, 255]) {
      const key = keyIn(swap, bps)
      const took = { token: middle, amount: least }
      expect(await events().inputs(seenEvm(chainId, paidLogs(swap, least, key)), swap)).toEqual([
        { place: 'log:2', orderId: key, took },
      ])
    }
    const other = await open(order)
    const both = [...paidLogs(other, least), ...paidLogs(swap, least)]
    expect(await events().inputs(seenEvm(chainId, both), swap)).toMatchObject([{ place: 'log:5' }])
    expect(await events().inputs(seenEvm(chainId, both), other)).toMatchObject([{ place: 'log:2' }])
  })

  test('does not match another hash, contract, chain or amount, or a failed transaction', async () => {
    const swap = await open(order)
    const least = leastOf(swap)
    const logs = paidLogs(swap, least)
    const [got, moved, created] = logs as [(typeof logs)[0], (typeof logs)[0], (typeof logs)[0]]
    const inputs = (all: readonly object[], change = {}, at: ChainId = chainId) =>
      events().inputs(seenEvm(at, all as typeof logs, change), swap)
    forged('another name', await inputs([got, moved, retold(created, EVENTS, ['key', `0x${'11'.repeat(32)}`])]))
    forged('another contract', await inputs([got, moved, { ...created, address: FILLS }]))
    forged('another chain', await inputs(logs, {}, 10))
    forged('a failure', await inputs(logs, { isSuccess: false }))
    forged('no money', await inputs([created]))
    forged('money afterwards', await inputs([created, got, moved]))
    forged('money elsewhere', await inputs([got, retold(moved, EVENTS, ['to', STRANGER]), created]))
    forged('another token', await inputs([got, { ...moved, address: USDC.ethereum }, created]))
    forged('too little', await inputs([got, retold(moved, EVENTS, ['value', least - 1n]), created]))
    // Of the hash every bit.
    for (let at = 0; at < 64; at += 4) {
      const digit = created.data[2 + at] === '0' ? '1' : '0'
      const data = `${created.data.slice(0, 2 + at)}${digit}${created.data.slice(3 + at)}`
      forged(`digit ${at}`, await inputs([got, moved, { ...created, data }]))
    }
  })
})

test('events: a delivery is the transfer to the recipient before the fulfil event of the order hash', async () => {
  const swap = await open(orders.usdc())
  const { recipient } = swap.binding
  const key = keyIn(swap)
  const filled = (of: string, netAmount: bigint) => told('OrderFulfilled', FILLS, { key: of, sequence: 5n, netAmount })
  const paid = transfer(USDC.arbitrum, FILLS, recipient, 7n)
  const outputs = (logs: readonly object[], change = {}, ids = [key as string]) =>
    events().outputs(seenEvm(42161, logs as (typeof paid)[], change), swap, ids)
  expect(await outputs([paid, filled(key, 7n)])).toEqual([{ place: 'log:0', amount: 7n }])
  const other = `0x${'11'.repeat(32)}`
  // Each event has its own money, though sum and recipient be the same.
  expect(await outputs([paid, filled(other, 7n), paid, filled(key, 7n)])).toEqual([{ place: 'log:2', amount: 7n }])
  forged('another name', await outputs([paid, filled(other, 7n)]))
  forged('no name', await outputs([paid, filled(key, 7n)], {}, []))
  forged('no money', await outputs([filled(key, 7n)]))
  forged('money of another order', await outputs([paid, filled(other, 7n), filled(key, 7n)]))
  forged('money afterwards', await outputs([filled(key, 7n), paid]))
  forged('another sum', await outputs([paid, filled(key, 8n)]))
  forged('another recipient', await outputs([retold(paid, EVENTS, ['to', STRANGER]), filled(key, 7n)]))
  forged('another payer', await outputs([retold(paid, EVENTS, ['from', STRANGER]), filled(key, 7n)]))
  forged('another token', await outputs([{ ...paid, address: USDC.base }, filled(key, 7n)]))
  forged('another contract', await outputs([paid, { ...filled(key, 7n), address: SWIFT }]))
  forged('a failure', await outputs([paid, filled(key, 7n)], { isSuccess: false }))
  forged('another event', await outputs([paid, told('OrderRefunded', FILLS, { key, netAmount: 7n })]))
})

test('events: a delivery of coins has no transfer log, and is the amount of the fulfil event', async () => {
  const swap = await open(orders.usdc({ to: [42161, NATIVE] }))
  const key = keyIn(swap)
  const seen = seenEvm(42161, [told('OrderFulfilled', FILLS, { key, sequence: 5n, netAmount: 7n })])
  expect(await events().outputs(seen, swap, [key])).toEqual([{ place: 'log:0', amount: 7n }])
  expect(await events().named(seen)).toEqual(['log:0', COINS_BY_CALLS])
})

test('events: a refund of coins is found by the order hash, and no other venue may claim coins of its transaction', async () => {
  const swap = await open(orders.ether())
  const key = keyIn(swap)
  const refunded = told('OrderRefunded', SWIFT, { key, netAmount: 7n })
  // Wrapped coins go to who cancelled it; the payer gets his by a call.
  const seen = seenEvm(8453, [transfer(WETH_BASE, SWIFT, STRANGER, 2n), refunded])
  expect(await events().refunds(seen, swap, [key])).toEqual([{ place: 'log:1', amount: 7n }])
  expect(await events().named(seen)).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  forged('another name', await events().refunds(seen, swap, [`0x${'11'.repeat(32)}`]))
  forged('a failure', await events().refunds({ ...seen, isSuccess: false }, swap, [key]))
  forged('another contract', await events().refunds(seenEvm(8453, [{ ...refunded, address: FILLS }]), swap, [key]))
})

test('events: Swift contracts of the settings are read too', async () => {
  const naming = (body: object) => altered(body, 'quotes.*.swiftMayanContract', STRANGER)
  const settings = { SWIFTS: STRANGER, SWIFT_FILLS: STRANGER }
  const { venue } = toldVenue(bench, { settings, changes: { [QUOTE]: naming as never } })
  const swap = await swapOf(venue, orders.usdc())
  const key = keyIn(swap)
  const at = (to: string, token: string) => transfer(token, STRANGER, to, 7n)
  const paid = [transfer(USDC.base, FORWARDER, STRANGER, swap.order.inputAmount), told('OrderCreated', STRANGER, { key })]
  expect(await venue.events?.inputs(seenEvm(8453, paid), swap)).toMatchObject([{ orderId: key }])
  const back = [at(swap.binding.refundTo, USDC.base), told('OrderRefunded', STRANGER, { key, netAmount: 7n })]
  expect(await venue.events?.refunds(seenEvm(8453, back), swap, [key])).toEqual([{ place: 'log:0', amount: 7n }])
  const filled = told('OrderFulfilled', STRANGER, { key, sequence: 5n, netAmount: 7n })
  const out = seenEvm(42161, [at(swap.binding.recipient, USDC.arbitrum), filled])
  expect(await venue.events?.outputs(out, swap, [key])).toEqual([{ place: 'log:0', amount: 7n }])
  expect(await venue.events?.named(out)).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  expect([await events().outputs(out, swap, [key]), await events().named(out)]).toEqual([[], []])
})

test('events: a refund is paid by Swift in the input token to the refund address of the order', async () => {
  const swap = await open(orders.pol())
  const key = keyIn(swap)
  const { refundTo } = swap.binding
  const back = transfer(USDC_POLYGON, SWIFT, refundTo, 7n)
  const refunded = told('OrderRefunded', SWIFT, { key, netAmount: 7n })
  const refunds = (logs: readonly object[], change = {}, ids = [key as string]) =>
    events().refunds(seenEvm(137, logs as (typeof back)[], change), swap, ids)
  expect(await refunds([back, refunded])).toEqual([{ place: 'log:0', amount: 7n }])
  expect(await events().named(seenEvm(137, [back, refunded]))).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  forged('another name', await refunds([back, retold(refunded, EVENTS, ['key', `0x${'11'.repeat(32)}`])]))
  forged('another sum', await refunds([back, retold(refunded, EVENTS, ['netAmount', 6n])]))
  forged('another contract', await refunds([back, { ...refunded, address: FILLS }]))
  forged('elsewhere', await refunds([retold(back, EVENTS, ['to', STRANGER]), refunded]))
  forged('by another', await refunds([retold(back, EVENTS, ['from', STRANGER]), refunded]))
  forged('another token', await refunds([{ ...back, address: USDC.arbitrum }, refunded]))
  forged('no money', await refunds([refunded]))
  forged('a failure', await refunds([back, refunded], { isSuccess: false }))
})

test('events: payouts of both contracts are claimed for any recipient, and no other transfer', async () => {
  const paid = transfer(USDC.arbitrum, FILLS, STRANGER, 7n)
  const key = `0x${'11'.repeat(32)}`
  const filled = told('OrderFulfilled', FILLS, { key, sequence: 5n, netAmount: 7n })
  expect(await events().named(seenEvm(42161, [paid, filled]))).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  // Anybody has a token of his own report a payment by the contract, of any sum.
  const [decoy, refunded] = [transfer(STRANGER, SWIFT, STRANGER, 7n), told('OrderRefunded', SWIFT, { key, netAmount: 7n })]
  expect(await events().named(seenEvm(42161, [decoy, refunded]))).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  const unlocked = [transfer(USDC.arbitrum, SWIFT, STRANGER, 7n), told('OrderUnlocked', SWIFT, { key })]
  expect(await events().named(seenEvm(42161, unlocked))).toEqual(['log:0'])
  const again = [transfer(USDC.arbitrum, SWIFT, STRANGER, 7n), told('OrderCreated', SWIFT, { key })]
  expect(await events().named(seenEvm(42161, again))).toEqual(['log:0'])
  expect(await events().named(seenEvm(42161, [paid]))).toEqual([])
  expect(await events().named(seenEvm(480, [paid, filled]))).toEqual([])
  expect(await events().named(seenEvm(42161, [paid, filled], { isSuccess: false }))).toEqual([])
})

describe('events: Mayan on Solana', () => {
  type Call = Omit<SeenInstruction, 'index'>
  const seen = (calls: readonly Call[], change: Partial<SeenTransaction> = {}): SeenTransaction => {
    const hash = parseTransactionId(SOLANA, '5'.repeat(88))
    if (hash === null) throw new TypeError('no such signature')
    return {
      ...{ chainId: SOLANA, hash, isSuccess: true, standing: 'confirmed', at: null, height: 1 },
      ...{ movements: [], call: null, logs: [], notes: [], instructions: calls.map((call, index) => ({ index, ...call })) },
      ...change,
    }
  }
  const callsOf = async ({ execution }: Swap): Promise<readonly Call[]> => {
    const { instructions = [] } = (await decodeSolanaTransaction(transactionOf(execution).data)) ?? {}
    return instructions.map(({ programId, accounts, data }) => ({ program: programId, accounts: accounts as Address[], data }))
  }

  test('has the instruction of the order as its payment, which gives the order hash', async () => {
    const inCoins = await open(orders.sol())
    const took = { token: NATIVE_SOL, amount: 2_000_000_000n }
    expect(await events().inputs(seen(await callsOf(inCoins)), inCoins)).toMatchObject([{ place: 'instruction:3', took }])
    const swap = await open(orders.fromSolana())
    const calls = await callsOf(swap)
    const [input] = (await events().inputs(seen(calls), swap)) ?? []
    expect(input).toMatchObject({ place: 'instruction:2', took: { token: USDC.solana, amount: 250_000_000n } })
    const key = input?.orderId ?? ''
    const filled = told('OrderFulfilled', FILLS, { key, sequence: 5n, netAmount: 7n })
    expect(await events().outputs(seenEvm(8453, [filled]), swap, [key])).toEqual([{ place: 'log:0', amount: 7n }])
    // No event is published there: the money must show it.
    expect(await events().refunds(seen(calls), swap, [key])).toBeNull()
    const toSolana = await open(orders.toSol())
    expect(await events().outputs(seen(calls), toSolana, [key])).toBeNull()
    expect(await events().named(seen(calls))).toEqual([])
  })

  test('claims the transfers of a settling program, not those beside a created order', async () => {
    const swap = await open(orders.fromSolana())
    const movements = [
      { place: 'instruction:1', token: swap.order.input.address, from: null, to: STRANGER_ON_SOLANA, amount: 1n },
    ]
    const placing = await callsOf(swap)
    // The proxy passes the data of its call on.
    const placed = [...placing, { ...(placing.at(-1) as Call), program: SWIFT_PROGRAM }]
    const settling: Call = { program: SWIFT_PROGRAM, accounts: [], data: new Uint8Array(8) }
    const named = (calls: readonly Call[], change = {}) => events().named(seen(calls, { movements, ...change }))
    expect(await named([settling])).toEqual(['instruction:1'])
    expect(await named([settling], { isSuccess: false })).toEqual([])
    expect(await named([{ ...settling, program: STRANGER_ON_SOLANA }])).toEqual([])
    expect(await named(placed)).toEqual([])
    expect(await named([...placed, settling])).toEqual(['instruction:1'])
  })

  test('does not match with any byte or account changed', async () => {
    const swap = await open(orders.fromSolana())
    const [opens, pays, places] = (await callsOf(swap)) as [Call, Call, Call]
    const inputs = async (call: Call, change = {}) => events().inputs(seen([opens, pays, call], change), swap)
    for (const [at, byte] of places.data.entries()) {
      if (at % 4 !== 0) continue
      forged(`byte ${at}`, await inputs({ ...places, data: places.data.with(at, byte ^ 1) }))
    }
    for (const at of places.accounts.keys())
      forged(`account ${at}`, await inputs({ ...places, accounts: places.accounts.with(at, STRANGER_ON_SOLANA) }))
    forged('another program', await inputs({ ...places, program: STRANGER_ON_SOLANA }))
    forged('a failure', await inputs(places, { isSuccess: false }))
    forged('cut short', await inputs({ ...places, data: places.data.slice(0, -1) }))
    forged('another chain', await events().inputs(seenEvm(8453, []), swap))
  })
})
