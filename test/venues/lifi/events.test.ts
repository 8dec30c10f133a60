import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { lifi } from '../../../engine/venues/lifi/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { withBigints } from '../../support/withBigints.ts'
import { venueWith } from '../everyVenue.ts'
import { depositOf, ESCROW, logsOf, OUTPUT_SETTLER, openedOf, POOLS } from './fakeNetwork.ts'
import { type Call, EVENTS, readCall, writeCall } from './lifiAbi.ts'
import { BY_ACROSS, BY_CCTP, BY_INTENTS, DIAMOND, openBench, orders, STRANGER, WETH } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const bench = await openBench({ settings: BY_ACROSS })
const circle = await openBench({ settings: BY_CCTP })
const solvers = await openBench({ settings: BY_INTENTS })
afterAll(() => Promise.all([bench.close(), circle.close(), solvers.close()]))
const forged = countForgeries('lifi', 159)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
const told = ({ execution, order }: Swap, depositId = 77n) =>
  logsOf({ chainId: order.input.chainId, diamond: DIAMOND, data: transactionOf(execution).data, depositId })
type Log = ReturnType<typeof eventLog>

type Change = readonly [path: string, value: unknown]
/** Every field of an event, as it might be told of another swap. */
const changes = (event: keyof typeof tables.events): readonly Change[] => withBigints(tables.events[event]) as readonly Change[]

describe.each([
  ['tokens', orders.usdc(), 'log:0'],
  ['coins', orders.toEther(), 'log:0'],
])('events: a swap on one chain, of %s,', (_kind, order, paidAt) => {
  test('is paid and delivered by the diamond event, once per event, without other swaps', async () => {
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

  test('does not match another contract or a payload with any other field', async () => {
    const swap = await open(order)
    const logs = told(swap)
    const [last, before] = [logs.at(-1) as Log, logs.slice(0, -1)]
    const altered = async (name: string, completed: Log, seenAs = {}) => {
      const seen = seenEvm(1, [...before, completed], seenAs)
      forged(name, await events().inputs(seen, swap))
      forged(name, await events().outputs(seen, swap, []))
    }
    for (const change of changes('completed')) await altered(change.join(), retold(last, EVENTS, change))
    await altered('told by another', { ...last, address: STRANGER })
    await altered('a failed transaction', last, { isSuccess: false })
    forged('another chain', await events().inputs(seenEvm(10, logs), swap))
  })
})

test('events: missing transfers, or transfers to another address, are no delivery, whatever the diamond event states', async () => {
  const swap = await open(orders.usdc())
  const [paid, completed] = told(swap) as readonly [Log, Log]
  const outputs = (logs: readonly Log[]) => events().outputs(seenEvm(1, [...logs]), swap, [])
  forged('none', await outputs([completed]))
  forged('of another token', await outputs([{ ...paid, address: USDC.ethereum }, completed]))
  forged('to another', await outputs([retold(paid, EVENTS, ['to', STRANGER]), completed]))
  forged('too little', await outputs([retold(paid, EVENTS, ['value', 1n]), completed]))
  forged('afterwards', await outputs([completed, paid]))
})

describe('events: a LI.FI swap through Across', () => {
  test('has a deposit that matches the payload in every field, under the deposit id of the SpokePool', async () => {
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
      const moved = [{ ...deposit, address: STRANGER }, started]
      forged('at another pool', await inputs(moved))
      const { events: widened } = venueWith(lifi, { SPOKE_POOLS: `8453=${STRANGER}` })
      expect(await widened?.inputs(seenEvm(8453, moved), swap)).toMatchObject([{ orderId: '8453:77' }])
      for (const change of changes('deposit')) forged(change.join(), await inputs([retold(deposit, EVENTS, change), started]))
      for (const change of changes('started')) forged(change.join(), await inputs([deposit, retold(started, EVENTS, change)]))
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

  test('has a fill that matches its deposit id only', async () => {
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
    for (const change of changes('fill')) forged(change.join(), await outputs([retold(fill, EVENTS, change), paid]))
  })

  test('has a refund to the depositor with the amount of the pool event', async () => {
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

describe('events: a LI.FI swap through a solver of LI.FI Intents', () => {
  const ID = `0x${77n.toString(16).padStart(64, '0')}`
  const wordOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  const opened = (swap: Swap, depositId = 77n) =>
    logsOf({ chainId: swap.order.input.chainId, diamond: DIAMOND, data: transactionOf(swap.execution).data, depositId }) as [
      Log,
      Log,
    ]
  const fillOf = (swap: Swap, token: string | null, orderId = ID): readonly Log[] => {
    const { outputs } = openedOf(readCall(transactionOf(swap.execution).data), { chainId: 8453 }).order
    const [output] = outputs
    const fill = { orderId, solver: wordOf(STRANGER), timestamp: 1, output, finalAmount: output?.amount }
    const paid = { from: STRANGER, to: swap.order.recipient, value: output?.amount }
    const moved = token === null ? [] : [eventLog(EVENTS, 'Transfer', token, paid)]
    return [...moved, eventLog(EVENTS, 'OutputFilled', OUTPUT_SETTLER, fill)]
  }

  test('has an order that matches the payload in every field, as the escrow event states', async () => {
    const [swap, other] = [await swapOf(solvers.venue, orders.bridged()), await swapOf(solvers.venue, orders.bridged())]
    const [open, started] = opened(swap)
    const inputs = (logs: readonly Log[], of = swap) => events().inputs(seenEvm(8453, [...logs]), of)
    const took = { token: USDC.base, amount: 249_375_000n }
    expect(await inputs([open, started])).toEqual([{ place: 'log:0', orderId: ID, took, paid: [] }])
    forged('of another swap', await inputs([open, started], other))
    forged('no order', await inputs([started]))
    forged('no start', await inputs([open]))
    forged('after the start', await inputs([started, open]))
    for (const address of [STRANGER, OUTPUT_SETTLER]) forged('at another escrow', await inputs([{ ...open, address }, started]))
    const ofOutput = changes('output').map(([name, value]): Change => [`order.outputs.0.${name}`, value])
    for (const change of [...changes('opened'), ...ofOutput])
      forged(change.join(), await inputs([retold(open, EVENTS, change), started]))
  })

  test('has deadlines relative to the time of its block', async () => {
    const swap = await swapOf(solvers.venue, orders.bridged())
    const call = readCall(transactionOf(swap.execution).data)
    const context = String((call.args['data'] as { outputContext: string }).outputContext)
    const times = { fillDeadline: 600, expires: 172_800, outputContext: `${context.slice(0, -8)}0000003c` }
    const changed: Call = { ...call, args: { ...call.args, data: { ...(call.args['data'] as object), ...times } } }
    const payload = { executionType: 'TRANSACTION', transaction: { ...transactionOf(swap.execution), data: writeCall(changed) } }
    const relative = { ...swap, execution: { ...swap.execution, payload } } as Swap
    expect(await solvers.venue.decode(relative.execution)).toMatchObject({ deadlineAt: null, unread: [] })
    const [open, started] = opened(relative)
    const resolved = (at: number) => {
      const until = `${context.slice(0, -8)}${(at + 60).toString(16).padStart(8, '0')}`
      const told: readonly Change[] = [
        ...[['order.fillDeadline', at + 600] as const, ['order.expires', at + 172_800] as const],
        ['order.outputs.0.context', until],
      ]
      return told.reduce((log, change) => retold(log, EVENTS, change), open)
    }
    const inputs = (told: Log, at: number | null) => events().inputs(seenEvm(8453, [told, started], { at }), relative)
    const at = 1_800_000_000
    expect(await inputs(resolved(at), at * 1_000)).toHaveLength(1)
    expect(await inputs(resolved(at), null)).toHaveLength(1)
    forged('of another block', await inputs(resolved(at), at * 1_000 + 12_000))
    forged('as the call has them', await inputs(open, at * 1_000))
  })

  test.each([
    ['tokens', orders.bridged(), USDC.arbitrum],
    ['coins', orders.exchanged({ from: [8453, USDC.base], to: [42161, NATIVE], amount: 250_000_000n }), null],
  ])('has a delivery of %s that matches its order id only', async (_kind, order, token) => {
    const swap = await swapOf(solvers.venue, order)
    const logs = fillOf(swap, token)
    const amount = swap.execution.slippage?.guaranteedMin
    const [paid, fill] = [logs.slice(0, -1), logs.at(-1) as Log]
    const outputs = (all: readonly Log[], ids = [ID]) => events().outputs(seenEvm(42161, [...all]), swap, ids)
    expect(await outputs(logs)).toEqual([{ place: 'log:0', amount: expect.any(BigInt) }])
    expect((await outputs(logs))?.[0]?.amount).toBeGreaterThanOrEqual(amount ?? 0n)
    expect(await events().named(seenEvm(42161, [...logs]))).toEqual(token === null ? ['log:0', COINS_BY_CALLS] : ['log:0'])
    forged('of another order', await outputs(logs, [`0x${'1'.repeat(64)}`]))
    forged('of none', await outputs(logs, []))
    forged('by another settler', await outputs([...paid, { ...fill, address: STRANGER }]))
    forged('by the escrow', await outputs([...paid, { ...fill, address: ESCROW }]))
    forged('less than the order says', await outputs([...paid, retold(fill, EVENTS, ['finalAmount', 1n])]))
    for (const [name, value] of changes('output'))
      forged(name, await outputs([...paid, retold(fill, EVENTS, [`output.${name}`, value])]))
    if (token === null) return
    forged('not paid', await outputs([fill]))
    forged('paid afterwards', await outputs([fill, ...paid]))
    forged('paid to another', await outputs([retold(paid[0] as Log, EVENTS, ['to', STRANGER]), fill]))
  })

  test('has a refund by the escrow, for its order id only', async () => {
    const swap = await swapOf(solvers.venue, orders.bridged())
    const paid = eventLog(EVENTS, 'Transfer', USDC.base, { from: ESCROW, to: WALLETS.evm, value: 249_375_000n })
    const back = eventLog(EVENTS, 'Refunded', ESCROW, { orderId: ID })
    const refunds = (logs: readonly Log[], ids = [ID]) => events().refunds(seenEvm(8453, [...logs]), swap, ids)
    expect(await refunds([paid, back])).toEqual([{ place: 'log:0', amount: 249_375_000n }])
    // Neither another venue's swap nor one of LI.FI's own by Circle takes it for its delivery.
    expect(await events().named(seenEvm(8453, [paid, back]))).toEqual(['log:0'])
    expect(await events().namedApart?.(seenEvm(8453, [paid, back]))).toEqual(['log:0'])
    expect(solvers.venue.profile.refundKeeps(swap)).toEqual({ amount: 0n, bps: 500 })
    expect(bench.venue.profile.refundKeeps(await open(orders.bridged()))).toEqual({ amount: 0n, bps: 0 })
    forged('of another order', await refunds([paid, back], []))
    forged('by another', await refunds([paid, { ...back, address: STRANGER }]))
    const byAnother = seenEvm(8453, [retold(paid, EVENTS, ['from', STRANGER]), { ...back, address: STRANGER }])
    const set = [8453, 42161].map((id) => venueWith(lifi, { INTENT_INPUT_SETTLERS: `${id}=${STRANGER}` }).events)
    const told = await Promise.all(set.map(async (each) => (await each?.refunds(byAnother, swap, [ID]))?.length))
    expect(told).toEqual([1, 0])
    const bySettler = [retold(paid, EVENTS, ['from', OUTPUT_SETTLER]), { ...back, address: OUTPUT_SETTLER }]
    forged('by the settler of outputs', await refunds(bySettler))
    forged('no money', await refunds([back]))
    forged('to another', await refunds([retold(paid, EVENTS, ['to', STRANGER]), back]))
  })

  test('claims the payment of an order whose callback fills another order first', async () => {
    const [swap, inner] = [await swapOf(solvers.venue, orders.bridged()), await swapOf(solvers.venue, orders.bridged())]
    const [paid, fill] = fillOf(swap, USDC.arbitrum) as [Log, Log]
    const logs = [paid, ...fillOf(inner, USDC.arbitrum, `0x${'1'.repeat(64)}`), fill]
    expect((await events().named(seenEvm(42161, logs))).toSorted()).toEqual(['log:0', 'log:1'])
    const byEscrow = logs.map((log) => (log.address === paid.address ? log : { ...log, address: ESCROW }))
    expect(await events().named(seenEvm(42161, byEscrow))).toEqual([])
  })
})

test('events: Circle CCTP has no order id in its payout, and no refund', async () => {
  const swap = await swapOf(circle.venue, orders.bridged())
  const seen = seenEvm(8453, told(swap))
  const took = { token: USDC.base, amount: 249_375_000n }
  const [key] = await circle.venue.profile.toldApartBy(swap)
  expect(await events().inputs(seen, swap)).toEqual([{ place: 'log:0', orderId: key?.value, took, paid: [] }])
  expect(await events().outputs(seenEvm(42161, []), swap, [])).toBeNull()
  expect(await events().refunds(seen, swap, [])).toEqual([])
})
