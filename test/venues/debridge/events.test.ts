import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { debridge } from '../../../engine/venues/debridge/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { any, atLeast, otherWords } from '../../support/venueKit/attackPayload.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { venueWith } from '../everyVenue.ts'
import { createdBy, DESTINATION, EVENTS, idOf, SOURCE, type ToldOrder } from './abi.ts'
import { openBench, orders, PROGRAM, STRANGER, WITH_FEE } from './support.ts'

const SOLVER = addressOf('evm', '0x555CE236C0220695b68341bc48C68d52210cC35b')

const OTHER_ID = `0x${'ab'.repeat(32)}`

const bench = await openBench({ settings: WITH_FEE })
afterAll(() => bench.close())
const forged = forgeEvents('debridge', 119, EVENTS)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const log = (name: string, by: string, fields: object) => eventLog(EVENTS, name, by, fields as never)
const transfer = (token: string, from: string, to: string, value: bigint) => log('Transfer', token, { from, to, value })

/** The fields of `CreatedOrder`, by whoever sent its transaction. */
const createdOf = ({ order, execution }: Swap, from: string = order.sender) => createdBy({ ...transactionOf(execution), from })
const fulfilledLog = (order: ToldOrder, orderId = idOf(order), by = DESTINATION) =>
  log('FulfilledOrder', by, { order, orderId, sender: SOURCE, unlockAuthority: SOURCE })

/** Orders with any other field, but for the maker, which another sender may be. */
const otherOrders = (own: ToldOrder): readonly { readonly order: ToldOrder; readonly orderId: Hex }[] =>
  otherWords(own).flatMap(([path, value]) => {
    const order = altered(own, path, value)
    try {
      return path === 'makerSrc' || idOf(order) === idOf(own) ? [] : { order, orderId: idOf(order) }
    } catch {
      // The value does not fit its type.
      return []
    }
  })

const lower = ({ other, was }: { readonly other: unknown; readonly was: unknown }): boolean =>
  (other as bigint) <= (was as bigint)

describe.each([
  ['tokens', orders.usdc({ feeBps: 15, refundTo: STRANGER }), USDC.base],
  ['a swap before it', orders.arb({ feeBps: 15, refundTo: STRANGER }), USDC.arbitrum],
])('events: a deBridge order of %s', (_kind, order, given) => {
  const chainId = order.input.chainId

  test.each([undefined, WALLETS.evmOther])('is paid by its creation, with an id of the transaction sender: %s', async (maker) => {
    const swap = await swapOf(bench.venue, order)
    const created = createdOf(swap, maker)
    const taken = created.order.giveAmount + created.percentFee + BigInt(`0x${created.affiliateFee.slice(42)}`)
    const took = { token: given, amount: taken }
    const seen = seenEvm(chainId, [log('CreatedOrder', SOURCE, created)])
    expect(await events().inputs(seen, swap)).toEqual([{ place: 'log:0', orderId: created.orderId, took }])
    expect(created.orderId === swap.execution.venueRef).toBe(maker === undefined)
  })

  test('does not match when any field differs, even under a matching id', async () => {
    const swap = await swapOf(bench.venue, order)
    const fields = createdOf(swap)
    const created = log('CreatedOrder', SOURCE, fields)
    const lies = [...otherOrders(fields.order), { orderId: OTHER_ID }, createdOf(await swapOf(bench.venue, order))]
    await forged({
      chainId,
      logs: { created },
      read: (seen) => events().inputs(seen, swap),
      also: Object.fromEntries(lies.map((lie) => [log('CreatedOrder', SOURCE, { ...fields, ...lie })]).entries()),
    })
  })
})

describe('events: a deBridge delivery', () => {
  const delivered = async (wish = orders.usdc()) => {
    const swap = await swapOf(bench.venue, wish)
    const { order, orderId } = createdOf(swap)
    return { swap, order, orderId, paid: transfer(USDC.arbitrum, SOLVER, swap.binding.recipient, order.takeAmount) }
  }

  test('is the transfer before the DlnDestination event of the order, and of coins the amount of the event', async () => {
    for (const wish of [orders.usdc(), orders.ether()]) {
      const { swap, order, orderId, paid } = await delivered(wish)
      const seen = seenEvm(42161, [...(wish.input.address === USDC.base ? [paid] : []), fulfilledLog(order)])
      expect(await events().outputs(seen, swap, [orderId])).toEqual([{ place: 'log:0', amount: order.takeAmount }])
      expect(await events().outputs(seen, swap, [])).toEqual([])
      expect(await events().named(seen)).toEqual(['log:0', COINS_BY_CALLS])
    }
  })

  test('does not match another order, another contract or a missing transfer', async () => {
    const { swap, order, orderId, paid } = await delivered()
    const filled = fulfilledLog(order)
    const lies = otherOrders(order)
    await forged({
      chainId: 42161,
      logs: { paid, filled },
      read: (seen) => events().outputs(seen, swap, [orderId, ...lies.map((lie) => lie.orderId)]),
      harmless: { 'paid.from': any, 'paid.value': lower, 'filled.sender': any, 'filled.unlockAuthority': any },
      also: {
        'paid after it': [filled, paid],
        'another id': [paid, retold(filled, EVENTS, ['orderId', OTHER_ID])],
        ...Object.fromEntries(lies.map((lie) => [paid, fulfilledLog(lie.order)]).entries()),
      },
    })
  })
})

test('events: contracts of the settings are read like the pinned ones', async () => {
  const { events: added } = venueWith(debridge, { SOURCES: STRANGER, DESTINATIONS: STRANGER })
  const swap = await swapOf(bench.venue, orders.usdc())
  const created = createdOf(swap)
  const { order, orderId } = created
  const paid = transfer(USDC.arbitrum, SOLVER, swap.binding.recipient, order.takeAmount)
  for (const by of [SOURCE, STRANGER])
    expect(await added?.inputs(seenEvm(8453, [log('CreatedOrder', by, created)]), swap)).toMatchObject([{ orderId }])
  const filled = seenEvm(42161, [paid, fulfilledLog(order, orderId, STRANGER)])
  expect(await added?.outputs(filled, swap, [orderId])).toEqual([{ place: 'log:0', amount: order.takeAmount }])
})

test('events: a delivery on Solana is the transfer itself, beside a call of a pinned program or one of the settings', async () => {
  const { events: added } = venueWith(debridge, { SOLANA_DESTINATIONS: PROGRAM })
  const seen = { ...seenEvm(1, []), chainId: -2 as const }
  expect(await events().outputs(seen, await swapOf(bench.venue, orders.toSolana()), ['0x'])).toBeNull()
  const movements = [{ place: 'instruction:1', token: WALLETS.solana, from: null, to: WALLETS.solana, amount: 1n }]
  const claimed = (program: string, of: SwapEvents | null = events()) =>
    of?.named({
      ...seen,
      movements,
      instructions: [{ index: 0, program: program as Address, accounts: [], data: new Uint8Array() }],
    })
  expect(await claimed('dst5MGcFPoBeREFAA5E3tU5ij8m5uVYwkzkSAbsLbNo')).toEqual(['instruction:1'])
  expect([await claimed(PROGRAM), await claimed(PROGRAM, added)]).toEqual([[], ['instruction:1']])
})

test('events: a deBridge refund is the full input of the order, by the DlnSource cancellation event', async () => {
  const swap = await swapOf(bench.venue, orders.usdc({ refundTo: STRANGER }))
  const { orderId } = createdOf(swap)
  const amount = swap.order.inputAmount
  const paid = transfer(USDC.base, SOURCE, STRANGER, amount)
  const told = { orderId, beneficiary: STRANGER, paidAmount: amount, giveTokenAddress: USDC.base }
  const cancelled = log('ClaimedOrderCancel', SOURCE, told)
  const seen = seenEvm(8453, [paid, cancelled])
  const refunds = (of: SeenTransaction, ids = [orderId]) => events().refunds(of, swap, ids)
  expect(await refunds(seen)).toEqual([{ place: 'log:0', amount }])
  expect(await refunds(seen, [])).toEqual([])
  expect(await events().named(seen)).toEqual(['log:0', 'log:1', COINS_BY_CALLS])
  await forged({
    chainId: 8453,
    logs: { paid, cancelled },
    read: refunds,
    harmless: { 'paid.from': any, 'paid.value': lower, 'cancelled.paidAmount': atLeast },
    also: {
      'another order': [paid, log('ClaimedOrderCancel', SOURCE, { ...told, orderId: OTHER_ID })],
      'another token': [paid, log('ClaimedOrderCancel', SOURCE, { ...told, giveTokenAddress: USDC.arbitrum })],
    },
  })
  const solana = await swapOf(bench.venue, orders.fromSolana())
  expect(await events().refunds({ ...seenEvm(1, []), chainId: -2 }, solana, ['0x'])).toBeNull()
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
  const changes: readonly Partial<typeof call>[] = [
    { data: Uint8Array.from(call.data).fill(7, 20, 21) },
    ...[call.accounts.with(5, WALLETS.solana), call.accounts.slice(0, -1)].map((accounts) => ({ accounts })),
    { program: WALLETS.solana },
  ]
  for (const change of changes)
    expect(await events().inputs({ ...seen, instructions: [{ ...call, ...change }] }, swap)).toEqual([])
  expect(await events().inputs(seen, await swapOf(bench.venue, orders.fromSolana({ feeBps: 25 })))).toEqual([])
})
