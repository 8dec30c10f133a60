import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { any } from '../../support/venueKit/attackPayload.ts'
import { type Swap, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { byPriority, byV2, byV3, FEE_RECIPIENT, openBench, REACTORS, STRANGER, type UniswapXBench } from './support.ts'

const EVENTS = parseAbi([
  'event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const forged = forgeEvents('uniswapx', 145, EVENTS)
const FILLER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

let bench: UniswapXBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())
const events = (): SwapEvents => bench.venue.events as SwapEvents
const inputs = async (seen: SeenTransaction, swap: Swap) => (await events().inputs(seen, swap)) ?? []
const outputs = async (seen: SeenTransaction, swap: Swap) => (await events().outputs(seen, swap, [])) ?? []

/** The logs of a fill in the order of the reactor: it takes the input, the filler pays, and the event ends it. */
const logsOf = ({ order, offer, execution }: Swap) => {
  const { message } = typedDataOf(execution)
  const transfer = (token: string, from: string, to: string, value: bigint) =>
    eventLog(EVENTS, 'Transfer', token, { from, to, value })
  const { input, output, sender, recipient, inputAmount } = order
  const fill = { orderHash: execution.venueRef, filler: FILLER, swapper: sender, nonce: BigInt(String(message['nonce'])) }
  return {
    taken: transfer(input.address, sender, FILLER, inputAmount),
    ...(output.address === NATIVE
      ? {}
      : {
          delivered: transfer(output.address, FILLER, recipient, offer.outputAmount),
          fee: transfer(output.address, FILLER, FEE_RECIPIENT, offer.fee.amount),
        }),
    fill: eventLog(EVENTS, 'Fill', String(message['spender']), fill),
  }
}
type Logs = readonly ReturnType<typeof eventLog>[]
const inOrder = (swap: Swap): Logs => Object.values(logsOf(swap))
const stranger = eventLog(EVENTS, 'Transfer', byV2().output.address, { from: STRANGER, to: WALLETS.evmOther, value: 1n })

describe.each([
  ['V2', byV2, 1],
  ['priority', byPriority, 8453],
] as const)('events: a %s order for a token', (_kind, orderOf, chainId) => {
  test('is paid and delivered at the places of its transfers, without the fee', async () => {
    const swap = await swapOf(bench.venue, orderOf())
    const { order, offer, execution } = swap
    const seen = seenEvm(chainId, [stranger, ...inOrder(swap)], { first: 3 })
    const took = { token: order.input.address, amount: order.inputAmount }
    expect(await inputs(seen, swap)).toEqual([{ place: 'log:4', orderId: execution.venueRef, isWhole: true, took }])
    expect(await outputs(seen, swap)).toEqual([{ place: 'log:5', amount: offer.outputAmount, paid: ['log:5', 'log:6'] }])
    expect(await events().refunds(seen, swap, [])).toEqual([])
    expect(await events().named(seen)).toEqual(['log:5', 'log:6', COINS_BY_CALLS])
    expect(await events().named(seenEvm(chainId, [stranger]))).toEqual([])
    expect(await events().named({ ...seen, isSuccess: false })).toEqual([])
    expect(await events().named({ ...seen, chainId: 10 })).toEqual([])
  })

  test('does not count with another reactor, order or field, nor with a transfer after the event', async () => {
    const [swap, other] = [await swapOf(bench.venue, orderOf()), await swapOf(bench.venue, orderOf())]
    const logs = logsOf(swap)
    const { delivered, fill, ...before } = logs
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    const also = {
      'of another order': inOrder(other),
      'of another reactor': [...Object.values({ ...before, delivered }), { ...fill, address: REACTORS.v3 }],
    } as { readonly [name: string]: Logs }
    const isLess = ({ other: value }: { readonly other: unknown }) =>
      (value as bigint) > 0n && (value as bigint) <= swap.order.inputAmount
    await forged({
      ...{ chainId, logs: logs as typeof logs & { fee: typeof fill }, read: (seen) => inputs(seen, swap), also },
      harmless: { delivered: any, fee: any, 'taken.value': isLess },
    })
    await forged({
      ...{ chainId, logs: logs as typeof logs & { fee: typeof fill }, read: (seen) => outputs(seen, swap) },
      harmless: { taken: any, fee: any, 'delivered.value': ({ other: value }) => (value as bigint) >= least },
      also: { ...also, 'paid after the event': Object.values({ ...before, fill, delivered }) as Logs },
    })
  })
})

test.each<[string, (all: readonly Logs[]) => Logs, readonly (readonly string[])[]]>([
  [
    'filled one after the other',
    (all) => all.flat(),
    [
      ['log:0', 'log:1'],
      ['log:4', 'log:5'],
      ['log:8', 'log:9'],
    ],
  ],
  [
    'in a batch that takes all inputs first',
    (all) => [...all.flatMap(([taken]) => taken ?? []), ...all.flatMap(([, ...rest]) => rest)],
    [
      ['log:0', 'log:3'],
      ['log:1', 'log:6'],
      ['log:2', 'log:9'],
    ],
  ],
])('events: orders %s have payments and deliveries of their own, also when two are equal', async (_how, arrange, places) => {
  const swaps: Swap[] = []
  for (const amount of [2_100_000_000n, 2_000_000_000n, 2_000_000_000n]) swaps.push(await swapOf(bench.venue, byV2({ amount })))
  const seen = seenEvm(1, arrange(swaps.map(inOrder)))
  const placesOf = async (swap: Swap) => [...(await inputs(seen, swap)), ...(await outputs(seen, swap))].map(({ place }) => place)
  expect(await Promise.all(swaps.map(placesOf))).toEqual(places)
})

test('events: an order for coins delivers at least the signed minimum, since no event has the amount', async () => {
  const swap = await swapOf(bench.venue, byV3())
  const seen = seenEvm(42161, inOrder(swap))
  expect(await outputs(seen, swap)).toEqual([{ place: 'log:1', amount: swap.execution.slippage?.guaranteedMin }])
  expect(await inputs(seen, swap)).toHaveLength(1)
  expect(await events().named(seen)).toContain(COINS_BY_CALLS)
})
