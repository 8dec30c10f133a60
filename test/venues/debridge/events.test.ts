import { type Hex, parseAbi } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { debridge } from '../../../engine/venues/debridge/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { withBigints } from '../../support/withBigints.ts'
import { venueWith } from '../everyVenue.ts'
import { type Created, cancelledLog, createdBy, createdLog, DESTINATION, fulfilledLog, idOf, SOURCE } from './abi.ts'
import { openBench, orders, PROGRAM, STRANGER, WITH_FEE } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const TRANSFERS = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const SOLVER = addressOf('evm', '0x555CE236C0220695b68341bc48C68d52210cC35b')
const BUNDLER = WALLETS.evmOther.toLowerCase() as Hex

const bench = await openBench({ settings: WITH_FEE })
afterAll(() => bench.close())
const forged = countForgeries('debridge', 119)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const transfer = (token: string, from: string, to: string, value: bigint) =>
  eventLog(TRANSFERS, 'Transfer', token, { from, to, value })

/** What DlnSource tells of an order, by whoever sent its transaction. */
const createdOf = ({ order, execution }: Swap, from: string = order.sender): Created =>
  createdBy({ ...transactionOf(execution), from })

/** Every field of the event, as it might be told of another order. */
type Changes = readonly (readonly [path: string, value: unknown])[]
const [FIELDS, TOLD] = [tables.orderFields, tables.createdFields].map((rows) => withBigints(rows) as Changes) as [
  Changes,
  Changes,
]

describe.each([
  ['tokens', orders.usdc({ feeBps: 15, refundTo: STRANGER }), USDC.base],
  ['a swap before it', orders.arb({ feeBps: 15, refundTo: STRANGER }), USDC.arbitrum],
])('events: a deBridge order of %s', (_kind, order, given) => {
  const chainId = order.input.chainId
  const inputs = async (swap: Swap, created: Created, by = SOURCE) =>
    events().inputs(seenEvm(chainId, [createdLog(created, by)]), swap)

  test.each([undefined, BUNDLER])('is paid by its creation, with an id of the transaction sender: %s', async (maker) => {
    const swap = await swapOf(bench.venue, order)
    const created = createdOf(swap, maker)
    const taken = created.order.giveAmount + created.percentFee + BigInt(`0x${created.affiliateFee.slice(42)}`)
    const took = { token: given, amount: taken }
    expect(await inputs(swap, created)).toEqual([{ place: 'log:0', orderId: created.orderId, took }])
    expect(created.orderId === swap.execution.venueRef).toBe(maker === undefined)
  })

  test('does not match when any field differs, even under a matching id', async () => {
    const swap = await swapOf(bench.venue, order)
    const created = createdOf(swap)
    for (const [path, value] of [...FIELDS, ...TOLD]) {
      const lie = altered(created, path, value)
      forged(path, await inputs(swap, lie))
      if (path.startsWith('order.')) forged(`${path}, its id too`, await inputs(swap, { ...lie, orderId: idOf(lie.order) }))
    }
    forged('another contract', await inputs(swap, created, DESTINATION))
    forged('another swap', await inputs(await swapOf(bench.venue, order), created))
    const log = createdLog(created)
    forged('failed', await events().inputs(seenEvm(chainId, [log], { isSuccess: false }), swap))
    forged('another chain', await events().inputs(seenEvm(10, [log]), swap))
  })
})

describe('events: a deBridge delivery', () => {
  const delivered = async (wish = orders.usdc()) => {
    const swap = await swapOf(bench.venue, wish)
    const { order, orderId } = createdOf(swap)
    return { swap, order, orderId, paid: transfer(USDC.arbitrum, SOLVER, swap.binding.recipient, order.takeAmount) }
  }

  test('is the transfer before the DlnDestination event of the order, and claimed', async () => {
    const { swap, order, orderId, paid } = await delivered()
    const seen = seenEvm(42161, [paid, fulfilledLog(order, orderId)])
    expect(await events().outputs(seen, swap, [orderId])).toEqual([{ place: 'log:0', amount: order.takeAmount }])
    expect(await events().named(seen)).toEqual(['log:0', COINS_BY_CALLS])
  })

  test('of coins is the amount of the event', async () => {
    const { swap, order, orderId } = await delivered(orders.ether())
    const seen = seenEvm(42161, [fulfilledLog(order, orderId)])
    expect(await events().outputs(seen, swap, [orderId])).toEqual([{ place: 'log:0', amount: order.takeAmount }])
    expect(await events().named(seen)).toEqual(['log:0', COINS_BY_CALLS])
  })

  test('does not match another order, another contract or a missing transfer', async () => {
    const { swap, order, orderId, paid } = await delivered()
    const told = fulfilledLog(order, orderId)
    const outputs = (logs: Parameters<typeof seenEvm>[1], ids = [orderId], change: Partial<SeenTransaction> = {}) =>
      events().outputs(seenEvm(42161, logs, change), swap, ids)
    for (const [path, value] of FIELDS) {
      const { order: lie } = altered({ order }, path, value)
      forged(path, await outputs([paid, fulfilledLog(lie, orderId)]))
      forged(`${path}, its id too`, await outputs([paid, fulfilledLog(lie, idOf(lie))], [idOf(lie)]))
    }
    forged('an id nobody told', await outputs([paid, told], []))
    forged('another contract', await outputs([paid, fulfilledLog(order, orderId, SOURCE)]))
    forged('without money', await outputs([told]))
    forged('money after it', await outputs([told, paid]))
    forged('another token', await outputs([transfer(USDC.base, SOLVER, swap.binding.recipient, order.takeAmount), told]))
    forged('somebody else', await outputs([transfer(USDC.arbitrum, SOLVER, STRANGER, order.takeAmount), told]))
    forged('failed', await outputs([paid, told], [orderId], { isSuccess: false }))
    forged('another chain', await events().outputs(seenEvm(8453, [paid, told]), swap, [orderId]))
  })

  test('on Solana is the transfer itself', async () => {
    const swap = await swapOf(bench.venue, orders.toSolana())
    const seen = { ...seenEvm(1, []), chainId: -2 as const }
    expect(await events().outputs(seen, swap, ['0x'])).toBeNull()
    const moved = [{ place: 'instruction:1', token: WALLETS.solana, from: null, to: WALLETS.solana, amount: 1n }]
    const called = (program: string) => [{ index: 0, program: program as Address, accounts: [], data: new Uint8Array() }]
    const tellsOf = (program: string) => events().named({ ...seen, movements: moved, instructions: called(program) })
    expect(await tellsOf('dst5MGcFPoBeREFAA5E3tU5ij8m5uVYwkzkSAbsLbNo')).toEqual(['instruction:1'])
    expect(await tellsOf(PROGRAM)).toEqual([])
  })
})

test('events: contracts and programs of the settings are read like the pinned ones', async () => {
  const { events: added } = venueWith(debridge, { SOURCES: STRANGER, DESTINATIONS: STRANGER, SOLANA_DESTINATIONS: PROGRAM })
  const swap = await swapOf(bench.venue, orders.usdc())
  const created = createdOf(swap)
  const paid = transfer(USDC.arbitrum, SOLVER, swap.binding.recipient, created.order.takeAmount)
  for (const by of [SOURCE, STRANGER])
    expect(await added?.inputs(seenEvm(8453, [createdLog(created, by)]), swap)).toMatchObject([{ orderId: created.orderId }])
  const filled = seenEvm(42161, [paid, fulfilledLog(created.order, created.orderId, STRANGER)])
  expect(await added?.outputs(filled, swap, [created.orderId])).toEqual([{ place: 'log:0', amount: created.order.takeAmount }])
  const called = [{ index: 0, program: PROGRAM as Address, accounts: [], data: new Uint8Array() }]
  const solana = { ...seenEvm(1, [paid]), chainId: -2 as const, instructions: called }
  expect([await added?.named(solana), await events().named(solana)]).toEqual([['log:0'], []])
})

describe('events: a deBridge refund', () => {
  test('is the full input of the order, by the DlnSource cancellation event', async () => {
    const swap = await swapOf(bench.venue, orders.usdc({ refundTo: STRANGER }))
    const { orderId } = createdOf(swap)
    const amount = swap.order.inputAmount
    const paid = transfer(USDC.base, SOURCE, STRANGER, amount)
    const told = cancelledLog(orderId, STRANGER, amount, USDC.base)
    const refunds = (logs: Parameters<typeof seenEvm>[1], ids = [orderId]) => events().refunds(seenEvm(8453, logs), swap, ids)
    expect(await refunds([paid, told])).toEqual([{ place: 'log:0', amount }])
    expect(await events().named(seenEvm(8453, [paid, told]))).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
    forged('an id nobody told', await refunds([paid, told], []))
    forged('another order', await refunds([paid, cancelledLog(`0x${'ab'.repeat(32)}`, STRANGER, amount, USDC.base)]))
    forged('somebody else', await refunds([paid, cancelledLog(orderId, WALLETS.evm, amount, USDC.base)]))
    forged('another token', await refunds([paid, cancelledLog(orderId, STRANGER, amount, USDC.arbitrum)]))
    forged('another contract', await refunds([paid, cancelledLog(orderId, STRANGER, amount, USDC.base, DESTINATION)]))
    forged('without money', await refunds([told]))
    const solana = await swapOf(bench.venue, orders.fromSolana())
    expect(await events().refunds({ ...seenEvm(1, []), chainId: -2 }, solana, ['0x'])).toBeNull()
  })
})

test('events: a payment on Solana is the exact instruction of the payload, from any sender', async () => {
  const swap = await swapOf(bench.venue, orders.fromSolana({ feeBps: 25 }))
  const decoded = await decodeSolanaTransaction(transactionOf(swap.execution).data)
  const instructions = (decoded?.instructions ?? []).map(({ programId, accounts, data }, index) => ({
    ...{ index, program: programId, accounts: accounts as Address[], data },
  }))
  const seen = { ...seenEvm(1, []), chainId: -2 as const, instructions }
  const took = { token: USDC.solana, amount: 250_000_000n }
  expect(await events().inputs(seen, swap)).toEqual([{ place: 'instruction:2', orderId: swap.execution.venueRef, took }])
  const [, , call] = instructions
  if (!call) throw new TypeError('no call')
  const inputs = (change: Partial<typeof call>) => events().inputs({ ...seen, instructions: [{ ...call, ...change }] }, swap)
  forged('a byte', await inputs({ data: Uint8Array.from(call.data).fill(7, 20, 21) }))
  forged('an account', await inputs({ accounts: call.accounts.with(5, WALLETS.solana) }))
  forged('an account less', await inputs({ accounts: call.accounts.slice(0, -1) }))
  forged('a program', await inputs({ program: WALLETS.solana }))
  forged('another order', await events().inputs(seen, await swapOf(bench.venue, orders.fromSolana({ feeBps: 25 }))))
})
