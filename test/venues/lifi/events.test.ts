import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { depositOf, logsOf, POOLS } from './fakeNetwork.ts'
import { EVENTS, readCall } from './lifiAbi.ts'
import { BY_ACROSS, BY_CCTP, DIAMOND, openBench, orders, STRANGER, WETH } from './support.ts'

/** What the diamond and the bridges tell of a swap, and what of it is believed. */

const bench = await openBench({ settings: BY_ACROSS })
const circle = await openBench({ settings: BY_CCTP })
afterAll(() => Promise.all([bench.close(), circle.close()]))
const forged = countForgeries('lifi', 60)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
const told = ({ execution, order }: Swap, depositId = 77n) =>
  logsOf({ chainId: order.input.chainId, diamond: DIAMOND, data: transactionOf(execution).data, depositId })
type Log = ReturnType<typeof eventLog>

describe.each([
  ['tokens', orders.usdc(), 'log:0'],
  ['coins', orders.toEther(), 'log:0'],
])('within one chain, for %s', (_kind, order, paidAt) => {
  test('a swap is taken and paid as the diamond tells, once for each time, and every other is another', async () => {
    const [swap, other] = [await open(order), await open(order)]
    const logs = told(swap)
    const seen = seenEvm(1, logs)
    const [key] = await bench.venue.profile.toldApartBy(swap)
    const took = { token: order.input.address, amount: order.inputAmount }
    const least = swap.execution.slippage?.guaranteedMin
    const paid = logs.slice(1).map(() => paidAt)
    expect(await events().inputs(seen, swap)).toEqual([{ place: `log:${logs.length - 1}`, orderId: key?.value, took, paid }])
    expect(await events().outputs(seen, swap, [])).toEqual([{ place: paidAt, amount: least }])
    expect(await events().refunds(seen, swap, [])).toEqual([])
    expect(await events().named(seen)).toEqual(logs.length === 1 ? [paidAt, COINS_BY_CALLS] : [paidAt])
    expect([await events().inputs(seen, other), await events().outputs(seen, other, [])]).toEqual([[], []])
    const bundle = seenEvm(1, [...told(swap), ...told(other), ...told(swap)])
    expect((await events().outputs(bundle, swap, []))?.length).toBe(2)
  })

  test('it is the payload’s in every field, by the diamond alone, or it is not its', async () => {
    const swap = await open(order)
    const logs = told(swap)
    const [last, before] = [logs.at(-1) as Log, logs.slice(0, -1)]
    const altered = async (name: string, completed: Log, seenAs = {}) => {
      const seen = seenEvm(1, [...before, completed], seenAs)
      forged(name, await events().inputs(seen, swap))
      forged(name, await events().outputs(seen, swap, []))
    }
    for (const change of [
      ...[
        ['transactionId', `0x${'1'.repeat(64)}`],
        ['integrator', 'another'],
        ['referrer', 'x'],
        ['receiver', STRANGER],
      ],
      ...[
        ['receiver', WALLETS.evm],
        ['fromAssetId', STRANGER],
        ['toAssetId', STRANGER],
        ['fromAmount', order.inputAmount - 1n],
      ],
      ...[
        ['toAmount', 1n],
        ['toAmount', (least: unknown) => (least as bigint) - 1n],
      ],
    ] as const)
      await altered(change.join(), retold(last, EVENTS, change as never))
    await altered('told by another', { ...last, address: STRANGER })
    await altered('a failed transaction', last, { isSuccess: false })
    forged('another chain', await events().inputs(seenEvm(10, logs), swap))
  })
})

test('tokens that did not come, or to another, are no delivery, whatever the diamond says', async () => {
  const swap = await open(orders.usdc())
  const [paid, completed] = told(swap) as readonly [Log, Log]
  const outputs = (logs: readonly Log[]) => events().outputs(seenEvm(1, [...logs]), swap, [])
  forged('none', await outputs([completed]))
  forged('of another token', await outputs([{ ...paid, address: USDC.ethereum }, completed]))
  forged('to another', await outputs([retold(paid, EVENTS, ['to', STRANGER]), completed]))
  forged('too little', await outputs([retold(paid, EVENTS, ['value', 1n]), completed]))
  forged('afterwards', await outputs([completed, paid]))
})

describe('by Across', () => {
  test('a deposit is the payload’s, under the number that the pool gives it, or none', async () => {
    for (const order of [orders.bridged(), orders.bridgedEther()]) {
      const [swap, other] = [await open(order), await open(order)]
      const [deposit, started] = told(swap) as readonly [Log, Log]
      const token = order.inputAmount === 250_000_000n ? USDC.base : WETH.base
      const taken = (order.inputAmount * 9_975n) / 10_000n
      expect(await events().inputs(seenEvm(8453, [deposit, started]), swap)).toEqual([
        { place: 'log:0', orderId: '8453:77', took: { token, amount: taken }, paid: [] },
      ])
      const inputs = (logs: readonly Log[], of = swap) => events().inputs(seenEvm(8453, [...logs]), of)
      forged('of another swap', await inputs([deposit, started], other))
      forged('no deposit', await inputs([started]))
      forged('no start', await inputs([deposit]))
      forged('after the start', await inputs([started, deposit]))
      forged('at another pool', await inputs([{ ...deposit, address: STRANGER }, started]))
      for (const change of [
        ...[
          ['recipient', `0x${'0'.repeat(24)}${STRANGER.slice(2)}`],
          ['depositor', `0x${'0'.repeat(24)}${STRANGER.slice(2)}`],
        ],
        ...[
          ['outputToken', `0x${'0'.repeat(24)}${STRANGER.slice(2)}`],
          ['outputAmount', 1n],
          ['inputAmount', 1n],
          ['message', '0x00'],
        ],
        ...[
          ['destinationChainId', 10n],
          ['fillDeadline', 1],
          ['quoteTimestamp', 1],
          ['depositId', 1n << 40n],
          ['exclusivityDeadline', 9],
        ],
      ] as const)
        forged(change.join(), await inputs([retold(deposit, EVENTS, change as never), started]))
      for (const change of [
        ['bridgeData.receiver', STRANGER],
        ['bridgeData.minAmount', 1n],
        ['bridgeData.transactionId', `0x${'1'.repeat(64)}`],
      ] as const)
        forged(change.join(), await inputs([deposit, retold(started, EVENTS, change)]))
    }
  })

  /** A fill as the pool of Arbitrum tells of it, and the payment after it. */
  const fillOf = (swap: Swap, depositId = 77n): readonly [Log, Log] => {
    const {
      message: _,
      depositId: __,
      quoteTimestamp: ___,
      destinationChainId: ____,
      ...deposit
    } = depositOf(readCall(transactionOf(swap.execution).data), { chainId: 8453 })
    const none = `0x${'0'.repeat(64)}`
    const execution = {
      updatedRecipient: deposit.recipient,
      updatedMessageHash: none,
      updatedOutputAmount: deposit.outputAmount,
      fillType: 0,
    }
    const [pool, relayer] = [POOLS[42161] ?? '', `0x${'0'.repeat(24)}${STRANGER.slice(2).toLowerCase()}`]
    const fill = {
      ...deposit,
      repaymentChainId: 10n,
      originChainId: 8453n,
      depositId,
      relayer,
      messageHash: none,
      relayExecutionInfo: execution,
    }
    const paid = { from: STRANGER, to: swap.order.recipient, value: deposit.outputAmount }
    return [eventLog(EVENTS, 'FilledRelay', pool, fill), eventLog(EVENTS, 'Transfer', USDC.arbitrum, paid)]
  }

  test('a fill is told by the number of the deposit, and never by another', async () => {
    const swap = await open(orders.bridged())
    const [fill, paid] = fillOf(swap)
    const seen = seenEvm(42161, [fill, paid])
    expect(await events().outputs(seen, swap, ['8453:77'])).toEqual([{ place: 'log:1', amount: swap.execution.outputAmount }])
    // Across itself tells whose it is; here it is only looked for.
    expect(await events().named(seen)).toEqual([])
    const outputs = (logs: readonly Log[], ids = ['8453:77']) => events().outputs(seenEvm(42161, [...logs]), swap, ids)
    forged('of another deposit', await outputs([fill, paid], ['8453:78']))
    forged('of none', await outputs([fill, paid], []))
    forged('not paid', await outputs([fill]))
    forged('paid before', await outputs([paid, fill]))
    forged('paid to another', await outputs([fill, retold(paid, EVENTS, ['to', STRANGER])]))
    forged('by another pool', await outputs([{ ...fill, address: STRANGER }, paid]))
    for (const change of [
      ['originChainId', 10n],
      ['recipient', `0x${'1'.repeat(64)}`],
      ['inputAmount', 1n],
      ['fillDeadline', 1],
    ] as const)
      forged(change.join(), await outputs([retold(fill, EVENTS, change), paid]))
  })

  test('what a pool gives back is the depositor’s, to the unit of what it says', async () => {
    const swap = await open(orders.bridged())
    const amount = 249_375_000n
    const paid = eventLog(EVENTS, 'Transfer', USDC.base, { from: POOLS[8453], to: WALLETS.evm, value: amount })
    const root = eventLog(EVENTS, 'ExecutedRelayerRefundRoot', POOLS[8453] ?? '', {
      ...{ amountToReturn: 0n, chainId: 8453n, refundAmounts: [amount], rootBundleId: 1, leafId: 0, l2TokenAddress: USDC.base },
      ...{ refundAddresses: [WALLETS.evm], deferredRefunds: false, caller: STRANGER },
    })
    const refunds = (logs: readonly Log[]) => events().refunds(seenEvm(8453, [...logs]), swap, ['8453:77'])
    expect(await refunds([paid, root])).toEqual([{ place: 'log:0', amount }])
    forged('no root', await refunds([paid]))
    forged('to another', await refunds([paid, retold(root, EVENTS, ['refundAddresses', [STRANGER]])]))
    forged('another sum', await refunds([paid, retold(root, EVENTS, ['refundAmounts', [1n]])]))
    forged('another token', await refunds([paid, retold(root, EVENTS, ['l2TokenAddress', WETH.base])]))
  })
})

test("Circle's bridge names no order when it pays, and gives nothing back", async () => {
  const swap = await swapOf(circle.venue, orders.bridged())
  const seen = seenEvm(8453, told(swap))
  const took = { token: USDC.base, amount: 249_375_000n }
  const [key] = await circle.venue.profile.toldApartBy(swap)
  expect(await events().inputs(seen, swap)).toEqual([{ place: 'log:0', orderId: key?.value, took, paid: [] }])
  expect(await events().outputs(seenEvm(42161, []), swap, [])).toBeNull()
  expect(await events().refunds(seen, swap, [])).toEqual([])
})
