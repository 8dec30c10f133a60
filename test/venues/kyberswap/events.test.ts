import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { any, atLeast } from '../../support/venueKit/attackPayload.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { EVENTS, readCall } from './routerAbi.ts'
import { openBench, orders, ROUTER } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const forged = forgeEvents('kyberswap', 98, EVENTS)
type Place = { readonly other: unknown }

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)

const EXECUTOR = '0x8F10B468b06c6FD214B65F87778827F7D113f996'
type Log = ReturnType<typeof eventLog>

/** The logs of a swap as the router leaves them, in their order. */
const logsOf = ({ order, execution }: Swap, returned = execution.outputAmount as bigint) => {
  const { input, output, sender, recipient, inputAmount } = order
  const { clientData } = readCall(transactionOf(execution).data)
  const transfer = (token: string, from: string, to: string, value: bigint) =>
    eventLog(EVENTS, 'Transfer', token, { from, to, value })
  const told = { sender, srcToken: input.address, dstToken: output.address, dstReceiver: recipient }
  return {
    ...(input.address === NATIVE ? {} : { taken: transfer(input.address, sender, EXECUTOR, inputAmount) }),
    ...(output.address === NATIVE ? {} : { paid: transfer(output.address, ROUTER, recipient, returned) }),
    swapped: eventLog(EVENTS, 'Swapped', ROUTER, { ...told, spentAmount: inputAmount, returnAmount: returned }),
    exchange: eventLog(EVENTS, 'Exchange', ROUTER, { pair: EXECUTOR, amountOut: returned, output: output.address }),
    said: eventLog(EVENTS, 'ClientData', ROUTER, { clientData }),
  }
}
const inOrder = (logs: ReturnType<typeof logsOf>): readonly Log[] => Object.values(logs)

const KINDS = [
  ['tokens for tokens', orders.usdc(), 2, 'log:1'],
  ['coins for tokens', orders.ether(), 1, 'log:0'],
  ['tokens for coins', orders.toEther(), 1, 'log:1'],
] as const

describe.each(KINDS)('events: a swap of %s', (_kind, order, swappedAt, paidAt) => {
  test('is paid and delivered by the router event, once per event', async () => {
    const [swap, other] = [await open(order), await open(order)]
    const amount = swap.execution.outputAmount
    const seen = seenEvm(1, inOrder(logsOf(swap)))
    const took = { token: order.input.address, amount: order.inputAmount }
    const [key] = await bench.venue.profile.toldApartBy(swap)
    const byRouter = order.output.address === NATIVE ? {} : { paid: [paidAt] }
    expect(await events().inputs(seen, swap)).toEqual([{ place: `log:${swappedAt}`, orderId: key?.value, took }])
    expect(await events().outputs(seen, swap, [])).toEqual([{ place: paidAt, amount, ...byRouter }])
    expect(await events().refunds(seen, swap, [])).toEqual([])
    const isOfCoins = order.output.address === NATIVE
    expect(await events().named(seen)).toEqual(isOfCoins ? [`log:${swappedAt}`, COINS_BY_CALLS] : [paidAt])

    const bundle = seenEvm(1, [...inOrder(logsOf(swap)), ...inOrder(logsOf(other)), ...inOrder(logsOf(swap))])
    const places = async (of: Swap) => [
      ((await events().inputs(bundle, of)) ?? []).map(({ place }) => place),
      ((await events().outputs(bundle, of, [])) ?? []).map(({ place }) => place),
    ]
    const [mine, theirs] = [await places(swap), await places(other)]
    expect([mine, theirs].map((of) => of.map(({ length }) => length))).toEqual([
      [2, 2],
      [1, 1],
    ])
    expect(new Set([...mine, ...theirs].flat()).size).toBe(isOfCoins ? 3 : 6)
    expect((await events().named(bundle)).filter((place) => place !== COINS_BY_CALLS)).toHaveLength(3)
  })

  test('does not count with another contract, order or field, nor without its payment', async () => {
    const swap = await open(order)
    const logs = logsOf(swap)
    const least = swap.offer.slippage?.guaranteedMin ?? 0n
    const unread = { exchange: any, taken: any }
    const swapped = { 'swapped.returnAmount': ({ other }: Place) => (other as bigint) >= least }
    const inputs = (seen: SeenTransaction) => events().inputs(seen, swap)
    await forged({ chainId: 1, logs, read: inputs, harmless: { ...unread, ...swapped, paid: any } })
    const { paid, ...rest } = logs
    const late = { ...rest, paid }
    await forged({
      chainId: 1,
      logs,
      read: (seen) => events().outputs(seen, swap, []),
      harmless: { ...unread, ...swapped, 'paid.from': any, 'paid.value': atLeast },
      // After the swap it is another payment.
      also: paid ? { 'paid afterwards': Object.values(late) as readonly Log[] } : {},
    })
  })
})

test('events: a delivery may come by two transfers', async () => {
  const swap = await open(orders.usdc())
  const { paid, ...rest } = logsOf(swap) as { readonly [name: string]: Log }
  const half = swap.execution.outputAmount / 2n
  const parts = [half, swap.execution.outputAmount - half].map((value) => retold(paid as Log, EVENTS, ['value', value]))
  const outputs = await events().outputs(seenEvm(1, [...parts, ...Object.values(rest)]), swap, [])
  expect(outputs).toMatchObject([{ amount: swap.execution.outputAmount }])
})

test('events: a transaction without the router, or on an unsupported chain, claims no transfer', async () => {
  const logs = inOrder(logsOf(await open(orders.usdc())))
  const without = logs.filter(({ address }) => address !== ROUTER)
  expect(await events().named(seenEvm(1, without))).toEqual([])
  expect(await events().named(seenEvm(480, logs))).toEqual([])
  expect(await events().named(seenEvm(1, logs, { isSuccess: false }))).toEqual([])
})
