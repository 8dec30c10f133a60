import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { never, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { openEventsNetwork, placedTrade, signedTrade } from './eventsNetwork.ts'
import { type CowBench, etherToUsdc, openBench, SETTLEMENT, STRANGER, uidOf, usdcToWeth } from './support.ts'

const FILL = 2n * 10n ** 18n

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

let bench: CowBench
const network = openEventsNetwork(() => bench)
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const { land, settle, funded } = network
const uid = ({ execution }: Swap): string => uidOf(execution.venueRef)

/** The life of an order, and a block more. */
const LIFE_MS = 1_801_000
const pass = async (ms: number) => {
  for (const { advance } of [network.clock, bench.clock]) advance(ms)
  await network.give(NATIVE, STRANGER, 1n)
}
const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())
const onChain = () => {
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
}
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
const ANSWERS = parseAbiParameters('(bool success, bytes returnData)[] answers')
/** What two reads of one block are answered with. */
const answered = (answer: Hex, seconds: number) => {
  const both = [word(BigInt(seconds)), answer].map((returnData) => ({ success: true, returnData }))
  bench.chains.script.call = async () => encodeAbiParameters(ANSWERS, [both])
}

test('unfilled proof: holds after the deadline for a filled amount of zero, read by the order UID', async () => {
  onChain()
  const [swap, filled] = [await funded({ amount: 1_300_000_000n }), await funded({ amount: 1_310_000_000n })]
  await settle([await signedTrade(filled)], FILL)
  expect([await read(swap), await read(filled)]).toEqual([false, false])
  await pass(LIFE_MS)
  expect([await read(swap), await read(filled)]).toEqual([true, false])
  const { query } = bench.chains.calls.at(-1) ?? {}
  expect(query).toMatchObject({ chainId: 1, address: MULTICALL })
  expect((query as { data: string }).data).toContain(uid(filled).slice(2))
  expect((query as { data: string }).data).toContain(SETTLEMENT.slice(2).toLowerCase())
})

test('unfilled proof: fails with a node behind the deadline, or any other value than zero', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  const { payload } = swap.execution
  const validTo = payload.executionType === 'SIGNATURE' ? Number(payload.typedData.message['validTo']) : 0
  const isUnfilledBy = async (answer: Hex, seconds: number) => {
    answered(answer, seconds)
    return read(swap)
  }
  expect(await isUnfilledBy(word(0n), validTo + 1)).toBe(true)
  expect(await isUnfilledBy(word(0n), validTo)).toBe(false)
  for (const answer of [word(1n), word(1n << 255n), '0x', '0x00'] as const)
    expect(await isUnfilledBy(answer, validTo + 1), answer).toBe(false)
  for (const nothing of [null, '0x', word(0n)] as const) {
    bench.chains.script.call = async () => nothing
    expect(await read(swap), String(nothing)).toBe(false)
  }
})

test('unfilled proof: of coins reads EthFlow: an unplaced order is unfilled, an invalidated one was placed', async () => {
  onChain()
  const [placed, swap, back] = await Promise.all(
    [11n, 12n, 13n].map((ether) => swapOf(bench.venue, etherToUsdc({ amount: ether * 10n ** 18n }))),
  )
  if (!placed || !swap || !back) throw new Error('no orders')
  await network.place(placed)
  await network.place(back)
  expect(await read(swap)).toBe(false)
  await pass(LIFE_MS)
  await takeBack(back, STRANGER)
  expect([await read(placed), await read(swap), await read(back)]).toEqual([false, true, false])
})

test('unfilled proof: fails once the owner invalidated the order, since fills before that are not visible', async () => {
  const swap = await funded({ amount: 1_400_000_000n })
  const filled = await funded({ amount: 1_500_000_000n })
  await settle([await signedTrade(filled)], FILL)
  onChain()
  for (const struck of [swap, filled]) {
    const abi = parseAbi(['function invalidateOrder(bytes orderUid)'])
    const data = encodeFunctionData({ abi, functionName: 'invalidateOrder', args: [uid(struck) as Hex] })
    await land({ from: struck.order.sender, to: SETTLEMENT, data })
  }
  await pass(LIFE_MS)
  for (const struck of [swap, filled]) expect(await read(struck)).toBe(false)
})

test('unfilled proof: fails while the chain is unreachable', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.chains.script.call = chainFails('unreachable', 1)
  await expect(read(swap)).rejects.toThrow('scripted unreachable')
})

const INVALIDATE = '0x7bc41b96'

/** Takes the coins of an order back by its own arguments. */
const takeBack = (swap: Swap, from: string) => {
  const { to, data } = transactionOf(swap.execution)
  return land({ from, to, data: `${INVALIDATE}${data.slice(10)}` })
}
const refundsOf = (seen: SeenTransaction, swap: Swap, orderIds: readonly string[] = [uid(swap)]) =>
  bench.venue.events?.refunds(seen, swap, orderIds)

test('refunds: coins returned by EthFlow are found for any caller, in full', async () => {
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
    // Where nobody can say what was filled by then, the coins themselves must show it.
    bench.chains.script.call = chainFails('unreachable', 1)
    expect(await refundsOf(seen, swap)).toBeNull()
    answered(word(0n), (seen.at ?? 0) / 1_000 - 1)
    expect(await refundsOf(seen, swap)).toBeNull()
    expect(await refundsOf({ ...seen, at: null }, swap)).toBeNull()
    onChain()
  }
})

test('refunds: a filled order has no refund, even with a refund event of its contract', async () => {
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

test('refunds: a signed order has none', async () => {
  const swap = await funded({ amount: 1_600_000_000n })
  const { seen } = await settle([await signedTrade(swap)], FILL)
  expect(await refundsOf(seen, swap)).toEqual([])
})
