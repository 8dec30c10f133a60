import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, parseAbiParameters } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import * as cow from '../../../engine/venues/cow/protocol.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { any, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { altered, never, type Swap, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { endOf, etherToUsdc, type Logs, openBench, placed, settled, transfer, USDC, uidOf, usdcToWeth, WETH } from './support.ts'

const { ETH_FLOW, ORDER_INVALIDATION, ORDER_PLACEMENT, ORDER_REFUND, SETTLEMENT } = cow
const ABI = [...cow.TRADE, ...cow.SETTLED, ...ORDER_PLACEMENT, ...ORDER_INVALIDATION, ...ORDER_REFUND, ...erc20Abi]
const FILL = 999n * 10n ** 15n
const TOLD = { first: 3, at: 1_795_133_000_000 }

const bench = await openBench()
afterAll(() => bench.close())
const events = bench.venue.events as SwapEvents
const forged = forgeEvents('cow', 190, ABI)
const seen = (logs: Logs, change: Partial<SeenTransaction> = {}) => seenEvm(1, Object.values(logs), { ...TOLD, ...change })

const ANSWERS = parseAbiParameters('(bool success, bytes returnData)[] answers')
const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
/** What the contracts return to a read, in a block of this time. */
const answered = (answer: Hex, seconds: number) => {
  const both = [word(seconds), answer].map((returnData) => ({ success: true, returnData }))
  bench.chains.script.call = async () => encodeAbiParameters(ANSWERS, [both])
}

/** As crates/orderbook and crates/refunder of cowprotocol/services read them. */
test.each([
  [ORDER_PLACEMENT, '0xcf5f9de2984132265203b5c335b25727702ca77262ff622e136baa7362bf1da9'],
  [ORDER_INVALIDATION, '0xb8bad102ac8bbacfef31ff1c906ec6d951c230b4dce750bb0376b812ad35852a'],
  [ORDER_REFUND, '0x195271068a288191e4b265c641a56b9832919f69e9e7d6c2f31ba40278aeb85a'],
])('events: EthFlow has the topic that the services of CoW read', (abi, topic) => {
  expect(encodeEventTopics({ abi } as never)).toContain(topic)
})

test('events: an order of coins is paid by its placement, in every field and by its sender only', async () => {
  const swap = await swapOf(bench.venue, etherToUsdc())
  const other = await swapOf(bench.venue, etherToUsdc({ slippageBps: 300 }))
  const read = (of: SeenTransaction) => events.inputs(of, swap)
  const took = { token: NATIVE, amount: swap.order.inputAmount }
  expect(await read(seen(placed(swap)))).toEqual([{ place: 'log:3', orderId: uidOf(swap), took }])
  // Whoever sends the transaction, and among other orders.
  expect(await read(seen({ other: placed(other)['placed'] as never, ...placed(swap) }))).toMatchObject([{ place: 'log:4' }])
  const also = { 'another order': Object.values(placed(other)), 'another sender': Object.values(placed(swap, STRANGER)) }
  await forged({ chainId: 1, logs: placed(swap), read, also })
})

const atLeastMinimum =
  ({ execution }: Swap) =>
  (place: { readonly other: unknown }) =>
    (place.other as bigint) >= (execution.slippage?.guaranteedMin ?? 0n)

test('events: a signed order is paid and delivered by its trade, at the places of its transfers', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  const other = await swapOf(bench.venue, usdcToWeth({ amount: 1_000_000_001n }))
  const inputs = (of: SeenTransaction) => events.inputs(of, swap)
  const outputs = (of: SeenTransaction) => events.outputs(of, swap, [])
  const logs = settled([swap], FILL)
  const took = { token: USDC, amount: swap.order.inputAmount }
  expect(await inputs(seen(logs))).toEqual([{ place: 'log:4', orderId: uidOf(swap), took }])
  expect(await outputs(seen(logs))).toEqual([{ place: 'log:5', amount: FILL }])
  // Coins leave no log of their own.
  const { paid: _, ...unpaid } = logs
  expect(await outputs(seen(unpaid))).toEqual([{ place: 'log:3', amount: FILL }])
  const also = { 'another order': Object.values(settled([other], FILL)) }
  const harmless = { 'trade.buyAmount': atLeastMinimum(swap), paid: any, settled: any }
  await forged({ chainId: 1, logs, read: inputs, harmless, also })
  await forged({ chainId: 1, logs, read: outputs, harmless: { ...harmless, taken: any }, also })
})

test('events: an order of coins is delivered by its trade once it is known to be placed', async () => {
  const swap = await swapOf(bench.venue, etherToUsdc())
  const { trade, paid } = settled([swap], swap.offer.outputAmount) as Logs & { trade: Logs[string]; paid: Logs[string] }
  const read = (of: SeenTransaction, orderIds = [uidOf(swap)]) => events.outputs(of, swap, orderIds)
  expect(await read(seen({ trade, paid }))).toEqual([{ place: 'log:4', amount: swap.offer.outputAmount }])
  expect(await read(seen({ trade, paid }), [])).toEqual([])
  const harmless = { 'trade.buyAmount': atLeastMinimum(swap), paid: any }
  await forged({ chainId: 1, logs: { trade, paid }, read, harmless })
})

test('events: orders of the same amount and recipient in one settlement have a transfer each', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.clock.advance(2_000)
  const twin = await swapOf(bench.venue, usdcToWeth())
  const both = seen(settled([swap, twin], FILL))
  const places = async (of: Swap) => [...((await events.inputs(both, of)) ?? []), ...((await events.outputs(both, of, [])) ?? [])]
  expect((await places(swap)).map(({ place }) => place)).toEqual(['log:5', 'log:7'])
  expect((await places(twin)).map(({ place }) => place)).toEqual(['log:6', 'log:8'])
})

test('events: the claimed transfers are those of a settlement, and coins of it and of EthFlow', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  const [logs, beside] = [settled([swap], FILL), transfer(WETH, STRANGER, WALLETS.evmOther, FILL)]
  const coins = settled([altered(swap, 'order.output.address', NATIVE)], FILL)
  const { trade: _, ...untraded } = logs
  for (const [shown, named, change] of [
    [{ ...logs, beside }, ['log:5'], {}],
    [untraded, [], {}],
    [logs, [], { isSuccess: false }],
    // The settlement has the same address everywhere, and CoW has no order book there.
    [logs, [], { chainId: 10 }],
    [{ trade: coins['trade'] as Logs[string] }, [COINS_BY_CALLS], {}],
    [{ trade: { ...(coins['trade'] as Logs[string]), address: STRANGER } }, [], {}],
    [endOf(swap, STRANGER), [COINS_BY_CALLS], {}],
    [endOf(swap, STRANGER, STRANGER), [], {}],
  ] as const)
    expect(await events.named(seen(shown as Logs, change as Partial<SeenTransaction>))).toEqual(named)
})

test('refunds: EthFlow returns all coins of an unsold order; where that cannot be read, the transfer must show it', async () => {
  const swap = await swapOf(bench.venue, etherToUsdc())
  const read = (of: SeenTransaction, orderIds = [uidOf(swap)], by = swap) => events.refunds(of, by, orderIds)
  const toOther = altered(swap, 'binding.refundTo', swap.order.recipient)
  const [seconds, amount] = [TOLD.at / 1_000, swap.order.inputAmount]
  for (const refunder of [null, STRANGER]) {
    answered(word(0), seconds)
    await forged({ chainId: 1, logs: endOf(swap, refunder), read, harmless: { 'ended.refunder': any } })
    expect(await read(seen(endOf(swap, refunder)))).toEqual([{ place: 'log:3', amount }])
    expect(await read(seen(endOf(swap, refunder)), [])).toEqual([])
    expect(await read(seen(endOf(swap, refunder)), [uidOf(swap)], toOther)).toEqual([])
    expect(await read(seen(endOf(swap, refunder), { at: TOLD.at + 1 }))).toBeNull()
    expect(await read(seen(endOf(swap, refunder), { at: null }))).toBeNull()
    answered(word(1), seconds)
    expect(await read(seen(endOf(swap, refunder)))).toBeNull()
    bench.chains.script.call = chainFails('unreachable', 1)
    expect(await read(seen(endOf(swap, refunder)))).toBeNull()
  }
  const signed = await swapOf(bench.venue, usdcToWeth())
  expect(await events.refunds(seen(settled([signed], FILL)), signed, [uidOf(signed)])).toEqual([])
})

test('unfilled proof: the contract shows nothing of the order in a block after its end', async () => {
  const [signed, native] = [await swapOf(bench.venue, usdcToWeth()), await swapOf(bench.venue, etherToUsdc())]
  const end = Number(typedDataOf(signed.execution).message['validTo'])
  const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())
  const [none, owned] = [0, 1].map((owner): Hex => `${word(owner)}${'0'.repeat(64)}`) as [Hex, Hex]
  for (const [swap, contract, id, nothing, others] of [
    // An order that its owner invalidated counts as sold in full, and one of EthFlow has an owner once it was placed.
    [signed, SETTLEMENT, uidOf(signed), word(0), [word(1), word(2n ** 256n - 1n), '0x', '0x00']],
    [native, ETH_FLOW, uidOf(native).slice(0, 66), none, [owned, '0x']],
  ] as const) {
    const isUnfilledBy = async (answer: Hex, seconds: number) => {
      answered(answer, seconds)
      return read(swap)
    }
    expect([await isUnfilledBy(nothing, end + 1), await isUnfilledBy(nothing, end)]).toEqual([true, false])
    for (const other of others) expect(await isUnfilledBy(other as Hex, end + 1), other).toBe(false)
    for (const asked of [contract, id])
      expect(bench.chains.calls.at(-1)?.query).toMatchObject({ data: expect.stringContaining(asked.slice(2).toLowerCase()) })
    bench.chains.script.call = async () => null
    expect(await read(swap)).toBe(false)
    bench.chains.script.call = chainFails('unreachable', 1)
    await expect(read(swap)).rejects.toThrow('scripted unreachable')
  }
})
