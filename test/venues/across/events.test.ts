import { encodeEventTopics, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { renamed } from '../../support/renamed.ts'
import { retold } from '../../support/seenEvm.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { venueWith } from '../everyVenue.ts'
import { CALLS_FAILED, FILLS } from './abi.ts'
import {
  again,
  DELIVERED,
  DEPOSITED,
  ETHER,
  type EventsNetwork,
  ether,
  exchanged,
  FILLED,
  type Landed,
  openEventsNetwork,
  STRANGER,
  topicAt,
  withLog,
} from './eventsNetwork.ts'
import { word } from './forging.ts'
import { type AcrossBench, openBench, SPOKE_POOL_ARBITRUM, SPOKE_POOL_BASE, USDC, usdcOrder, WETH, WITH_FEE } from './support.ts'

const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'

let network: EventsNetwork
let bench: AcrossBench
beforeAll(async () => {
  network = openEventsNetwork()
  bench = await openBench({ settings: WITH_FEE })
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const inputsOf = (seen: SeenTransaction, swap: ExecutedSwap) => bench.venue.events?.inputs(seen, swap) ?? null
const outputsOf = (seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]) =>
  bench.venue.events?.outputs(seen, swap, orderIds) ?? null

const usdc = () => swapOf(bench.venue, usdcOrder())

describe('events: a deposit and its fill', () => {
  test.each(DELIVERED)('are both found with the amounts taken and delivered: %s', async (_name, order, kind) => {
    const swap = await swapOf(bench.venue, order)
    const paid = await network.pay(swap)
    const [deposit] = network.depositsIn(paid)
    const orderId = `${order.input.chainId}:${deposit?.depositId}`
    const took = { token: expect.stringMatching(/^0x/), amount: deposit?.['inputAmount'] }
    const place = `log:${7 + topicAt(paid, DEPOSITED)}`
    expect(await inputsOf(paid.seen, swap)).toEqual([{ place, orderId, took }])
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    const told = await outputsOf(filled.seen, swap, [orderId])
    expect(told).toMatchObject([{ amount: swap.execution.slippage?.guaranteedMin }])
    // The place is that of the money where it leaves a log, and else of the fill.
    const payment = filled.seen.movements.find(
      ({ to, token }) => to === swap.order.recipient && token === swap.order.output.address,
    )
    expect(told?.[0]?.place).toBe(kind === 'coins' ? `log:${7 + topicAt(filled, FILLED)}` : payment?.place)
    // Of no other order, and nothing of a transaction that failed.
    expect(await outputsOf(filled.seen, swap, [])).toEqual([])
    expect(await outputsOf(filled.seen, swap, [`${order.input.chainId}:${(deposit?.depositId ?? 0n) + 1n}`])).toEqual([])
    expect(await outputsOf(filled.seen, swap, [`10:${deposit?.depositId}`])).toEqual([])
    expect(await outputsOf({ ...filled.seen, isSuccess: false }, swap, [orderId])).toEqual([])
    expect(await inputsOf({ ...paid.seen, isSuccess: false }, swap)).toEqual([])
    expect(await inputsOf({ ...paid.seen, chainId: 10 }, swap)).toEqual([])
  })

  test('are found at a SpokePool from VENUE_ACROSS_EXTRA_CONTRACTS too', async () => {
    const { events } = venueWith(across, { SPOKE_POOLS: `8453=${STRANGER},42161=${STRANGER}` })
    const swap = await usdc()
    const paid = await network.pay(swap)
    const ids = [`8453:${network.depositsIn(paid)[0]?.depositId}`]
    const [filled] = await network.fill(paid)
    const pools = [SPOKE_POOL_BASE, SPOKE_POOL_ARBITRUM].map((pool) => [pool, STRANGER] as const)
    const as = renamed({ swap, paid: paid.seen, filled: filled?.seen as SeenTransaction }, pools)
    expect(await events?.inputs(as.paid, as.swap)).toEqual(await inputsOf(paid.seen, swap))
    expect(await events?.outputs(as.filled, as.swap, ids)).toHaveLength(1)
    expect([await inputsOf(as.paid, as.swap), await outputsOf(as.filled, as.swap, ids)]).toEqual([[], []])
  })

  test('record the bridged token as the refund asset: wrapped coins for coins, the output of a swap before the bridge', async () => {
    const swap = await swapOf(bench.venue, anOrder(ether))
    const paid = await network.pay(swap)
    expect(await inputsOf(paid.seen, swap)).toMatchObject([{ took: { token: WETH.base, amount: ETHER } }])
  })

  test('are counted twice for two equal deposits in one call of a contract, beside unrelated deposits', async () => {
    const swap = await usdc()
    const other = await swapOf(bench.venue, usdcOrder({ amount: 99_000_000n, recipient: WALLETS.evm }))
    const paid = await network.bundle([other, swap, swap])
    const told = await inputsOf(paid.seen, swap)
    const ids = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
    expect(told?.map(({ orderId }) => orderId)).toEqual(ids.slice(1))
    expect(new Set(told?.map(({ place }) => place)).size).toBe(2)
    expect(await inputsOf(paid.seen, other)).toMatchObject([{ orderId: ids[0] }])
    const fills = await network.fill(paid)
    // Three fills told in one transaction: each pays its own.
    const together = again(
      fills[0] as Landed,
      fills.flatMap(({ logs }) => logs),
    )
    const outputs = await outputsOf(together, swap, ids)
    expect(outputs).toHaveLength(2)
    expect(new Set(outputs?.map(({ place }) => place)).size).toBe(2)
    expect(await outputsOf(together, swap, ids.slice(0, 2))).toHaveLength(1)
    expect(await outputsOf(together, other, ids)).toHaveLength(1)
  })

  test('deliver the updated amount of a slow fill', async () => {
    const swap = await usdc()
    const paid = await network.pay(swap)
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    const at = topicAt(filled, FILLED)
    const slow = (log: SimLog): SimLog => {
      const typed = retold(log, FILLS, ['relayExecutionInfo.fillType', 2])
      return retold(typed, FILLS, ['relayExecutionInfo.updatedOutputAmount', 249_999_999n]) as SimLog
    }
    const paidSlowly = (log: SimLog): SimLog => ({ ...log, data: `0x${249_999_999n.toString(16).padStart(64, '0')}` })
    const seen = again(
      filled,
      filled.logs.map((log, i) => (i === at ? slow(log) : paidSlowly(log))),
    )
    const [orderId] = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
    expect(await outputsOf(seen, swap, [orderId ?? ''])).toMatchObject([{ amount: 249_999_999n }])
  })
})

describe('events: an unrelated transfer in the same transaction does not hide', () => {
  const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const transfer = (token: string, from: string, to: string, amount: bigint): SimLog => ({
    address: token,
    topics: [TRANSFERRED, word(from), word(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  })

  test('a deposit, with a swap into an unrelated pool and a transfer to the SpokePool before it', async () => {
    const coins = await swapOf(bench.venue, anOrder(ether))
    const tokens = await usdc()
    const swapped = await network.pay(await swapOf(bench.venue, anOrder(exchanged)))
    const lure = swapped.logs.slice(0, topicAt(swapped, DEPOSITED))
    const gift = transfer(WETH.base, STRANGER, SPOKE_POOL_BASE, ETHER)
    for (const swap of [coins, tokens]) {
      const paid = await network.pay(swap)
      expect(await inputsOf(again(paid, [...lure, gift, ...paid.logs]), swap)).toHaveLength(1)
    }
  })

  test('a fill, with transfers of dust and failed calls after it', async () => {
    const [failed] = encodeEventTopics({ abi: CALLS_FAILED, args: { fallbackRecipient: STRANGER } })
    const calls = { address: HANDLER, topics: [failed, word(STRANGER)], data: `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}` }
    for (const order of [anOrder(ether), anOrder({ ...ether, feeBps: 30 }), usdcOrder(), usdcOrder({ feeBps: 15 })]) {
      const swap = await swapOf(bench.venue, order)
      const paid = await network.pay(swap)
      const orderIds = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
      const [filled] = (await network.fill(paid)) as [Landed]
      const told = await outputsOf(filled.seen, swap, orderIds)
      const dust = [WETH.arbitrum, USDC.arbitrum].map((token) => transfer(token, HANDLER, order.recipient, 1n))
      expect(told).toHaveLength(1)
      expect(await outputsOf(again(filled, [...filled.logs, ...dust, calls as SimLog]), swap, orderIds)).toEqual(told)
    }
  })

  test('a fill in coins, where the wrapped coin logs a burn instead of a withdrawal, as on Arbitrum and ZKsync', async () => {
    for (const [feeBps, holder] of [
      [0, SPOKE_POOL_ARBITRUM],
      [30, HANDLER],
    ] as const) {
      const swap = await swapOf(bench.venue, anOrder({ ...ether, feeBps }))
      const paid = await network.pay(swap)
      const orderIds = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
      const [filled] = (await network.fill(paid)) as [Landed]
      const [withdrawn] = encodeEventTopics({ abi: FILLS, eventName: 'Withdrawal' })
      const burnt = (to: string) => (log: SimLog) => transfer(WETH.arbitrum, holder, to, BigInt(log.data))
      const at = topicAt(filled, withdrawn)
      const told = await outputsOf(filled.seen, swap, orderIds)
      expect(await outputsOf(withLog(filled, at, burnt(zeroAddress)), swap, orderIds)).toEqual(told)
      expect(await outputsOf(withLog(filled, at, burnt(STRANGER)), swap, orderIds)).toEqual([])
    }
  })
})

test('events: finds a deposit without any call to the venue or a chain', async () => {
  const swap = await usdc()
  const before = [bench.sent.length, bench.chains.calls.length]
  const paid = await network.pay(swap)
  await inputsOf(paid.seen, swap)
  expect([bench.sent.length, bench.chains.calls.length]).toEqual(before)
})
