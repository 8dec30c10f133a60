import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { never, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { openEventsNetwork, placedTrade, signedTrade } from './eventsNetwork.ts'
import { type CowBench, etherToUsdc, openBench, SETTLEMENT, STRANGER, uidOf, usdcToWeth } from './support.ts'

/** Whether anything of an order was filled, by what the settlement contract itself counts, and what was given back. */

const FILL = 2n * 10n ** 18n

let bench: CowBench
const network = openEventsNetwork(() => bench)
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const { land, settle, funded } = network
const uid = ({ execution }: Swap): string => uidOf(execution.venueRef)

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())
const answered = (answer: Hex | null) => {
  bench.chains.script.call = async () => answer
}

test('is read from the settlement by the order’s own name: nothing, all, part, no answer', async () => {
  const swap = await funded({ amount: 1_300_000_000n })
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
  expect(await read(swap)).toBe(true)
  await settle([await signedTrade(swap)], FILL)
  expect(await read(swap)).toBe(false)
  const { query } = bench.chains.calls.at(-1) ?? {}
  expect(query).toMatchObject({ chainId: 1, address: SETTLEMENT })
  expect((query as { data: string }).data).toContain(uid(swap).slice(2))
  for (const answer of [word(1n), word(1n << 255n), '0x', '0x00', null] as const) {
    answered(answer)
    expect(await read(swap), String(answer)).toBe(false)
  }
})

test('cannot be told once the owner struck it out: what was filled before reads the same', async () => {
  const swap = await funded({ amount: 1_400_000_000n })
  const filled = await funded({ amount: 1_500_000_000n })
  await settle([await signedTrade(filled)], FILL)
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
  for (const struck of [swap, filled]) {
    const abi = parseAbi(['function invalidateOrder(bytes orderUid)'])
    const data = encodeFunctionData({ abi, functionName: 'invalidateOrder', args: [uid(struck) as Hex] })
    await land({ from: struck.order.sender, to: SETTLEMENT, data })
    expect(await read(struck)).toBe(false)
  }
})

test('is not told where the chain cannot be read', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.chains.script.call = chainFails('unreachable', 1)
  await expect(read(swap)).rejects.toThrow('scripted unreachable')
})

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const INVALIDATE = '0x7bc41b96'

/** Takes the coins of an order back by its own arguments. */
const takeBack = (swap: Swap, from: string) => {
  const { to, data } = transactionOf(swap.execution)
  return land({ from, to, data: `${INVALIDATE}${data.slice(10)}` })
}
const refundsOf = (seen: SeenTransaction, swap: Swap, orderIds: readonly string[] = [uid(swap)]) =>
  bench.venue.events?.refunds(seen, swap, orderIds)
const onChain = () => {
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
}

test('coins given back are told by EthFlow, by whomever it was asked, and whole', async () => {
  onChain()
  for (const [amount, isOwner] of [
    [10n ** 18n, true],
    [2n * 10n ** 18n, false],
  ] as const) {
    const swap = await swapOf(bench.venue, etherToUsdc({ amount }))
    await network.place(swap)
    if (!isOwner) for (const { advance } of [network.clock, bench.clock]) advance(3_600_000)
    const held = await network.balance(NATIVE, swap.order.sender)
    const { seen } = await takeBack(swap, isOwner ? swap.order.sender : STRANGER)
    expect((await network.balance(NATIVE, swap.order.sender)) - held).toBe(amount)
    expect(await refundsOf(seen, swap)).toEqual([{ place: 'log:3', amount }])
    const other = await swapOf(bench.venue, etherToUsdc({ amount, slippageBps: 300 }))
    const forged = seen.logs.map((log) => ({ ...log, address: SETTLEMENT.toLowerCase() as Hex }))
    for (const nothing of [
      refundsOf(seen, swap, []),
      refundsOf(seen, other),
      refundsOf({ ...seen, isSuccess: false }, swap),
      refundsOf({ ...seen, logs: forged }, swap),
      refundsOf({ ...seen, chainId: 8453 }, swap),
      refundsOf(seen, { ...swap, binding: { ...swap.binding, refundTo: swap.order.recipient } }),
    ])
      expect(await nothing).toEqual([])
    // Where nobody can say what was filled, the coins themselves must show it.
    bench.chains.script.call = chainFails('unreachable', 1)
    expect(await refundsOf(seen, swap)).toBeNull()
    onChain()
  }
})

test('an order that was filled gives nothing back, though its contract tells of a refund all the same', async () => {
  onChain()
  const swap = await swapOf(bench.venue, etherToUsdc({ amount: 3n * 10n ** 18n }))
  await network.place(swap)
  await settle([placedTrade(swap)], swap.offer.outputAmount)
  const held = await network.balance(NATIVE, swap.order.sender)
  const { seen } = await takeBack(swap, swap.order.sender)
  expect(seen.logs).toHaveLength(1)
  expect(await network.balance(NATIVE, swap.order.sender)).toBe(held)
  expect(await refundsOf(seen, swap)).toBeNull()
})

test('a signed order gives nothing back', async () => {
  const swap = await funded({ amount: 1_600_000_000n })
  const { seen } = await settle([await signedTrade(swap)], FILL)
  expect(await refundsOf(seen, swap)).toEqual([])
})
