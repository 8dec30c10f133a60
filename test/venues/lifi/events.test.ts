import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { lifi } from '../../../engine/venues/lifi/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { any, atLeast } from '../../support/venueKit/attackPayload.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents, type ReadEvents } from '../../support/venueKit/forgeEvents.ts'
import { venueWith } from '../everyVenue.ts'
import { depositOf, ESCROW, logsOf, OUTPUT_SETTLER, openedOf, POOLS, wordOf } from './fakeNetwork.ts'
import { dataIn, EVENTS, readCall, writeCall } from './lifiAbi.ts'
import { BY_ACROSS, BY_CCTP, BY_INTENTS, DIAMOND, openBench, orders, STRANGER, WETH } from './support.ts'

const bench = await openBench({ settings: BY_ACROSS })
const circle = await openBench({ settings: BY_CCTP })
const solvers = await openBench({ settings: BY_INTENTS })
afterAll(() => Promise.all([bench.close(), circle.close(), solvers.close()]))
const forged = forgeEvents('lifi', 930, EVENTS)

type Log = ReturnType<typeof eventLog>
const events = (venue = bench.venue): SwapEvents => {
  if (!venue.events) throw new TypeError('no events')
  return venue.events
}
/** What the reader makes of a transaction for this swap, with the ids of its order. */
const readOf = (swap: Swap, ...ids: readonly string[]): { readonly [what in 'inputs' | 'outputs' | 'refunds']: ReadEvents } => ({
  inputs: (seen) => events().inputs(seen, swap),
  outputs: (seen) => events().outputs(seen, swap, ids),
  refunds: (seen) => events().refunds(seen, swap, ids),
})

const open = (order: VenueOrder, venue = bench.venue): Promise<Swap> => swapOf(venue, order)
const callOf = ({ execution }: Swap) => readCall(transactionOf(execution).data)
const told = ({ execution, order }: Swap) =>
  logsOf({ chainId: order.input.chainId, diamond: DIAMOND, data: transactionOf(execution).data })
const transfer = (token: string, from: string, to: string, value: bigint): Log =>
  eventLog(EVENTS, 'Transfer', token, { from, to, value })
const onBase = (...logs: readonly Log[]): SeenTransaction => seenEvm(8453, logs)
const onArbitrum = (...logs: readonly Log[]): SeenTransaction => seenEvm(42161, logs)

describe.each([
  ['tokens', orders.usdc()],
  ['coins', orders.toEther()],
])('events: a swap on one chain, of %s,', (kind, order) => {
  test('is paid and delivered by the diamond event, once per event, without other swaps', async () => {
    const [swap, other] = [await open(order), await open(order)]
    const logs = told(swap)
    const seen = seenEvm(1, logs)
    const [key] = await bench.venue.profile.toldApartBy(swap)
    const took = { token: order.input.address, amount: order.inputAmount }
    const [paidAt, amount] = ['log:0', swap.execution.slippage?.guaranteedMin]
    const paid = logs.slice(1).map(() => paidAt)
    expect(await events().inputs(seen, swap)).toEqual([{ place: `log:${logs.length - 1}`, orderId: key?.value, took, paid }])
    expect(await events().outputs(seen, swap, [])).toEqual([{ place: paidAt, amount }])
    expect(await events().refunds(seen, swap, [])).toEqual([])
    expect(await events().named(seen)).toEqual(kind === 'coins' ? [paidAt, COINS_BY_CALLS] : [paidAt])
    expect([await events().inputs(seen, other), await events().outputs(seen, other, [])]).toEqual([[], []])
    const bundle = seenEvm(1, [...told(swap), ...told(other), ...told(swap)])
    expect((await events().outputs(bundle, swap, []))?.length).toBe(2)
  })

  test('does not count with another contract or field, nor without its payment', async () => {
    const swap = await open(order)
    const [completed, paid] = told(swap).toReversed() as [Log, Log?]
    const logs = { ...(paid ? { paid } : {}), completed }
    const more = { 'completed.toAmount': atLeast }
    await forged({ chainId: 1, logs, read: readOf(swap).inputs, harmless: { paid: any, ...more } })
    await forged({
      ...{ chainId: 1, logs, read: readOf(swap).outputs },
      harmless: paid ? { 'paid.from': any } : more,
      also: paid ? { 'paid afterwards': [completed, paid] } : {},
    })
  })
})

describe('events: a LI.FI swap through Across', () => {
  test.each([
    ['tokens', orders.bridged(), USDC.base],
    ['coins', orders.bridgedEther(), WETH.base],
  ])('of %s has the deposit of its payload in every field, under the id of the SpokePool', async (_kind, order, token) => {
    const [swap, other] = [await open(order), await open(order)]
    const [deposit, started] = told(swap) as readonly [Log, Log]
    const took = { token, amount: (order.inputAmount * 9_975n) / 10_000n }
    const seen = onBase(deposit, started)
    expect(await events().inputs(seen, swap)).toEqual([{ place: 'log:0', orderId: '8453:77', took, paid: [] }])
    expect(await events().inputs(seen, other)).toEqual([])
    const { events: widened } = venueWith(lifi, { SPOKE_POOLS: `8453=${STRANGER}` })
    expect(await widened?.inputs(onBase({ ...deposit, address: STRANGER }, started), swap)).toMatchObject([
      { orderId: '8453:77' },
    ])
    await forged({
      ...{ chainId: 8453, logs: { deposit, started }, read: readOf(swap).inputs },
      harmless: { 'deposit.depositId': ({ other: id }) => (id as bigint) < 1n << 32n },
      also: {
        'after the start': [started, deposit],
        'an id that is no count': [retold(deposit, EVENTS, ['depositId', 1n << 40n]), started],
      },
    })
  })

  test('has a fill that matches its deposit id only', async () => {
    const swap = await open(orders.bridged())
    const deposit = depositOf(callOf(swap), { chainId: 8453 })
    const none = `0x${'0'.repeat(64)}`
    const updated = { updatedRecipient: deposit.recipient, updatedMessageHash: none, updatedOutputAmount: deposit.outputAmount }
    const fill = eventLog(EVENTS, 'FilledRelay', POOLS[42161] ?? '', {
      ...{ ...deposit, repaymentChainId: 10n, originChainId: 8453n, relayer: wordOf(STRANGER), messageHash: none },
      relayExecutionInfo: { ...updated, fillType: 0 },
    })
    const paid = transfer(USDC.arbitrum, STRANGER, swap.order.recipient, deposit.outputAmount)
    const seen = onArbitrum(fill, paid)
    expect(await events().outputs(seen, swap, ['8453:77'])).toEqual([{ place: 'log:1', amount: swap.execution.outputAmount }])
    for (const ids of [['8453:78'], []]) expect(await events().outputs(seen, swap, ids)).toEqual([])
    // The Across venue names these transfers; here they are only looked for.
    expect(await events().named(seen)).toEqual([])
    await forged({
      ...{ chainId: 42161, logs: { fill, paid }, read: readOf(swap, '8453:77').outputs },
      harmless: {
        ...{ 'fill.repaymentChainId': any, 'fill.relayer': any, 'fill.relayExecutionInfo.fillType': any },
        ...{ 'fill.relayExecutionInfo.updatedOutputAmount': any, 'paid.from': any, 'paid.value': any },
      },
      also: { 'paid before': [paid, fill] },
    })
  })

  test('has a refund to the depositor with the amount of the pool event', async () => {
    const swap = await open(orders.bridged())
    const [pool = '', amount] = [POOLS[8453], 249_375_000n]
    const paid = transfer(USDC.base, pool, WALLETS.evm, amount)
    const root = eventLog(EVENTS, 'ExecutedRelayerRefundRoot', pool, {
      ...{ amountToReturn: 0n, chainId: 8453n, refundAmounts: [amount], rootBundleId: 1, leafId: 0, l2TokenAddress: USDC.base },
      ...{ refundAddresses: [WALLETS.evm], deferredRefunds: false, caller: STRANGER },
    })
    const read = readOf(swap, '8453:77').refunds
    expect(await read(onBase(paid, root))).toEqual([{ place: 'log:0', amount }])
    const unread = ['amountToReturn', 'chainId', 'rootBundleId', 'leafId', 'deferredRefunds', 'caller']
    const harmless = Object.fromEntries(unread.map((field) => [`root.${field}`, any]))
    await forged({ chainId: 8453, logs: { paid, root }, read, harmless, also: { 'paid afterwards': [root, paid] } })
  })
})

describe('events: a LI.FI swap through a solver of LI.FI Intents', () => {
  const ID = `0x${77n.toString(16).padStart(64, '0')}`
  const OTHER = `0x${'1'.repeat(64)}`
  const opened = (swap: Swap) => told(swap) as [Log, Log]
  const openIntent = (order = orders.bridged()) => open(order, solvers.venue)
  const fillOf = (swap: Swap, token: string | null, orderId = ID): readonly Log[] => {
    const [output] = openedOf(callOf(swap), { chainId: 8453 }).order.outputs
    if (!output) throw new TypeError('no output')
    const fill = { orderId, solver: wordOf(STRANGER), timestamp: 1, output, finalAmount: output.amount }
    const moved = token === null ? [] : [transfer(token, STRANGER, swap.order.recipient, output.amount)]
    return [...moved, eventLog(EVENTS, 'OutputFilled', OUTPUT_SETTLER, fill)]
  }

  test('has an order that matches the payload in every field, as the escrow event states', async () => {
    const [swap, another] = [await openIntent(), await openIntent()]
    const [order, started] = opened(swap)
    const took = { token: USDC.base, amount: 249_375_000n }
    expect(await events().inputs(onBase(order, started), swap)).toEqual([{ place: 'log:0', orderId: ID, took, paid: [] }])
    expect(await events().inputs(onBase(order, started), another)).toEqual([])
    await forged({
      ...{ chainId: 8453, logs: { order, started }, read: readOf(swap).inputs },
      harmless: { 'order.orderId': any },
      also: {
        'after the start': [started, order],
        'by the settler of outputs': [{ ...order, address: OUTPUT_SETTLER }, started],
      },
    })
  })

  test('has deadlines relative to the time of its block', async () => {
    const swap = await openIntent()
    const call = callOf(swap)
    const context = String(dataIn(call)['outputContext']).slice(0, -8)
    const data = { ...dataIn(call), fillDeadline: 600, expires: 172_800, outputContext: `${context}0000003c` }
    const relative = altered(swap, 'execution.payload.transaction.data', writeCall({ ...call, args: { ...call.args, data } }))
    expect(await solvers.venue.decode(relative.execution)).toMatchObject({ deadlineAt: null, unread: [] })
    const [stated, started] = opened(relative)
    const resolved = (at: number) =>
      [
        ['order.fillDeadline', at + 600] as const,
        ['order.expires', at + 172_800] as const,
        ['order.outputs.0.context', `${context}${(at + 60).toString(16).padStart(8, '0')}`] as const,
      ].reduce((log, change) => retold(log, EVENTS, change), stated)
    const at = 1_800_000_000
    const order = resolved(at)
    expect(await events().inputs(onBase(order, started), relative)).toHaveLength(1)
    await forged({
      ...{ chainId: 8453, logs: { order, started } },
      read: (seen) => events().inputs({ ...seen, at: at * 1_000 }, relative),
      harmless: { 'order.orderId': any },
      also: { 'of another block': [resolved(at + 12), started], 'as the call has them': [stated, started] },
    })
  })

  test.each([
    ['tokens', orders.bridged(), USDC.arbitrum],
    ['coins', orders.exchanged({ from: [8453, USDC.base], to: [42161, NATIVE], amount: 250_000_000n }), null],
  ])('has a delivery of %s that matches its order id only', async (_kind, order, token) => {
    const swap = await openIntent(order)
    const [fill, paid] = fillOf(swap, token).toReversed() as [Log, Log?]
    const logs = { ...(paid ? { paid } : {}), fill }
    const seen = onArbitrum(...Object.values(logs))
    const [delivery, ...others] = (await events().outputs(seen, swap, [ID])) ?? []
    expect([delivery?.place, others]).toEqual(['log:0', []])
    expect(delivery?.amount).toBeGreaterThanOrEqual(swap.execution.slippage?.guaranteedMin ?? 0n)
    expect(await events().named(seen)).toEqual(token === null ? ['log:0', COINS_BY_CALLS] : ['log:0'])
    for (const ids of [[OTHER], []]) expect(await events().outputs(seen, swap, ids)).toEqual([])
    await forged({
      ...{ chainId: 42161, logs, read: readOf(swap, ID).outputs },
      harmless: {
        ...{ 'fill.solver': any, 'fill.timestamp': any, 'paid.from': any },
        'fill.finalAmount': (amounts) => token === null && atLeast(amounts),
      },
      also: {
        'by the escrow': [...(paid ? [paid] : []), { ...fill, address: ESCROW }],
        ...(paid ? { 'paid afterwards': [fill, paid] } : {}),
      },
    })
  })

  test('has a refund by the escrow, for its order id only', async () => {
    const swap = await openIntent()
    const refundFrom = (escrow: string): [Log, Log] => [
      transfer(USDC.base, escrow, WALLETS.evm, 249_375_000n),
      eventLog(EVENTS, 'Refunded', escrow, { orderId: ID }),
    ]
    const [paid, back] = refundFrom(ESCROW)
    const seen = onBase(paid, back)
    expect(await events().refunds(seen, swap, [ID])).toEqual([{ place: 'log:0', amount: 249_375_000n }])
    expect(await events().refunds(seen, swap, [])).toEqual([])
    // Neither another venue's swap nor one of LI.FI's own by Circle takes it for its delivery.
    expect([await events().named(seen), await events().namedApart?.(seen)]).toEqual([['log:0'], ['log:0']])
    expect(solvers.venue.profile.refundKeeps(swap)).toEqual({ amount: 0n, bps: 500 })
    expect(bench.venue.profile.refundKeeps(await open(orders.bridged()))).toEqual({ amount: 0n, bps: 0 })
    const set = [8453, 42161].map((id) => venueWith(lifi, { INTENT_INPUT_SETTLERS: `${id}=${STRANGER}` }))
    const byAnother = set.map(async (venue) => (await events(venue).refunds(onBase(...refundFrom(STRANGER)), swap, [ID]))?.length)
    expect(await Promise.all(byAnother)).toEqual([1, 0])
    await forged({
      ...{ chainId: 8453, logs: { paid, back }, read: readOf(swap, ID).refunds },
      harmless: { 'paid.value': any },
      also: {
        'by another': refundFrom(STRANGER),
        'by the settler of outputs': refundFrom(OUTPUT_SETTLER),
        afterwards: [back, paid],
      },
    })
  })

  test('claims the payment of an order whose callback fills another order first', async () => {
    const [swap, inner] = [await openIntent(), await openIntent()]
    const [paid, fill] = fillOf(swap, USDC.arbitrum) as [Log, Log]
    const logs = [paid, ...fillOf(inner, USDC.arbitrum, OTHER), fill]
    expect((await events().named(onArbitrum(...logs))).toSorted()).toEqual(['log:0', 'log:1'])
    const byEscrow = logs.map((log) => (log.address === paid.address ? log : { ...log, address: ESCROW }))
    expect(await events().named(onArbitrum(...byEscrow))).toEqual([])
  })
})

test('events: Circle CCTP has no order id in its payout, and no refund', async () => {
  const swap = await open(orders.bridged(), circle.venue)
  const [started] = told(swap) as readonly [Log]
  const took = { token: USDC.base, amount: 249_375_000n }
  const [key] = await circle.venue.profile.toldApartBy(swap)
  expect(await events().inputs(onBase(started), swap)).toEqual([{ place: 'log:0', orderId: key?.value, took, paid: [] }])
  expect(await events().outputs(onArbitrum(), swap, [])).toBeNull()
  expect(await events().refunds(onBase(started), swap, [])).toEqual([])
  const harmless = { 'started.bridgeData.minAmount': atLeast }
  await forged({ chainId: 8453, logs: { started }, read: readOf(swap).inputs, harmless })
})
