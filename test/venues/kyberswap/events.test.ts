import { afterAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS } from '../../../engine/chains/seen.ts'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { EVENTS, readCall } from './routerAbi.ts'
import { openBench, orders, ROUTER, STRANGER } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const forged = countForgeries('kyberswap', 98)

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
    taken: input.address === NATIVE ? [] : [transfer(input.address, sender, EXECUTOR, inputAmount)],
    paid: output.address === NATIVE ? [] : [transfer(output.address, ROUTER, recipient, returned)],
    swapped: eventLog(EVENTS, 'Swapped', ROUTER, { ...told, spentAmount: inputAmount, returnAmount: returned }),
    exchange: eventLog(EVENTS, 'Exchange', ROUTER, { pair: EXECUTOR, amountOut: returned, output: output.address }),
    said: eventLog(EVENTS, 'ClientData', ROUTER, { clientData }),
  }
}
const inOrder = ({ taken, paid, swapped, exchange, said }: ReturnType<typeof logsOf>): readonly Log[] => [
  ...taken,
  ...paid,
  swapped,
  exchange,
  said,
]
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

  test('does not match another contract or a payload with any other field', async () => {
    const swap = await open(order)
    const logs = logsOf(swap)
    const least = swap.offer.slippage?.guaranteedMin ?? 0n
    const altered = async (name: string, change: Partial<ReturnType<typeof logsOf>>, seenAs = {}) => {
      const seen = seenEvm(1, inOrder({ ...logs, ...change }), seenAs)
      forged(name, await events().inputs(seen, swap))
      forged(name, await events().outputs(seen, swap, []))
    }
    for (const change of [
      ['sender', STRANGER],
      ['sender', WALLETS.evmOther],
      ['srcToken', STRANGER],
      ['dstToken', STRANGER],
      ['dstReceiver', STRANGER],
      ['dstReceiver', ZERO_EVM_ADDRESS],
      ['spentAmount', order.inputAmount - 1n],
      ['returnAmount', least - 1n],
      ['returnAmount', 0n],
    ] as const)
      await altered(change.join(), { swapped: retold(logs.swapped, EVENTS, change) })
    await altered('words of another', { said: retold(logs.said, EVENTS, ['clientData', '0x7b7d']) })
    await altered('no words', { said: retold(logs.said, EVENTS, ['clientData', '0x']) })
    await altered('words told by another', { said: { ...logs.said, address: STRANGER } })
    await altered('told by another', { swapped: { ...logs.swapped, address: STRANGER } })
    await altered('a failed transaction', {}, { isSuccess: false })
    await altered('cut short', { swapped: { ...logs.swapped, data: logs.swapped.data.slice(0, -64) } })
    forged('another chain', await events().inputs(seenEvm(10, inOrder(logs)), swap))
  })
})

test('events: missing or too small transfers are no delivery, whatever the router event states', async () => {
  const swap = await open(orders.usdc())
  const logs = logsOf(swap)
  const [paid] = logs.paid
  if (!paid) throw new TypeError('nothing is paid')
  const outputs = (other: readonly Log[]) => events().outputs(seenEvm(1, inOrder({ ...logs, paid: [...other] })), swap, [])
  forged('none', await outputs([]))
  forged('of another token', await outputs([{ ...paid, address: USDC.ethereum }]))
  forged('to another', await outputs([retold(paid, EVENTS, ['to', STRANGER])]))
  forged('too little', await outputs([retold(paid, EVENTS, ['value', (was: unknown) => (was as bigint) - 1n])]))
  // By two transfers it came all the same.
  const half = swap.execution.outputAmount / 2n
  const parts = [half, swap.execution.outputAmount - half].map((value) => retold(paid, EVENTS, ['value', value]))
  expect(await outputs(parts)).toMatchObject([{ amount: swap.execution.outputAmount }])
  // After the swap it is another payment.
  const late = seenEvm(1, [...logs.taken, logs.swapped, logs.exchange, logs.said, paid])
  forged('afterwards', await events().outputs(late, swap, []))
})

test('events: a transaction without the router, or on an unsupported chain, claims no transfer', async () => {
  const logs = inOrder(logsOf(await open(orders.usdc())))
  const without = logs.filter(({ address }) => address !== ROUTER)
  expect(await events().named(seenEvm(1, without))).toEqual([])
  expect(await events().named(seenEvm(480, logs))).toEqual([])
  expect(await events().named(seenEvm(1, logs, { isSuccess: false }))).toEqual([])
})
