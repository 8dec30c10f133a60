import { afterAll, describe, expect, test } from 'vitest'
import type { ChainId } from '../../../engine/core/chain.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, prove, swapOf } from '../../support/venueKit/calls.ts'
import costs from './refundKeeps.json' with { type: 'json' }
import { openBench, orders } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())

const owedOf = (from: readonly [ChainId, string], amount: bigint): bigint => {
  const order = orders.ether({ from, to: from[0] === 8453 ? [42161, NATIVE] : [8453, NATIVE], amount })
  const swap = { order, offer: null as never, binding: null as never, execution: null as never }
  const { amount: fixed, bps } = bench.venue.profile.refundKeeps(swap)
  return amount - fixed - (amount * BigInt(bps)) / 10_000n
}

test.each(costs.costs as [string, [ChainId, string], string, string][])(
  'refunds: %s comes back without the network fee',
  (_what, from, amount, cost) => {
    expect(BigInt(amount) - BigInt(cost)).toBeGreaterThanOrEqual(owedOf(from, BigInt(amount)))
  },
)

describe('refunds: dust of Relay', () => {
  const CHAINS: readonly ChainId[] = [1, 10, 56, 130, 137, 143, 324, 480, 999, 4663, 8453, 42161, 43114, 59144]

  test.each<[readonly [ChainId, string], bigint]>([
    ...CHAINS.map((chainId) => [[chainId, NATIVE], 10n ** 18n] as [readonly [ChainId, string], bigint]),
    [[8453, USDC.base], 250_000_000n],
    [[1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'], 250_000_000n],
    [[-2, NATIVE_SOL], 10n ** 9n],
    [[-2, USDC.solana], 250_000_000n],
    [[-1, 'BTC'], 1_000_000n],
  ])('is no refund: at most a twentieth of %j may be missing', (from, amount) => {
    expect(owedOf(from, amount)).toBeGreaterThanOrEqual((amount * 95n) / 100n)
  })

  test('is no refund of a deposit close to dust: at least half of it is due', () => {
    for (const [from, amount] of [
      [[8453, NATIVE], 1_000n],
      [[1, NATIVE], 10n ** 12n],
      [[-1, 'BTC'], 10_000n],
      [[-2, NATIVE_SOL], 100_001n],
    ] as const)
      expect(owedOf(from, amount)).toBe(amount - amount / 2n)
  })
})

/** No document names the life of an address: it is that of the order it was opened for, a week in every recorded one. */
describe('relay: a bitcoin deposit address is final', () => {
  const WEEK = 7 * 86_400
  const refunds = 'execution.evidence.order.inputs.0.refunds'

  test('once its order can be neither filled nor refunded, and not before', async () => {
    const swap = await swapOf(bench.venue, orders.bitcoin())
    const start = Math.floor(bench.clock.now() / 1_000)
    const deadlineOf = async (path: string, seconds: number) =>
      (await bench.venue.decode(altered(swap, path, start + seconds).execution)).deadlineAt
    expect(await deadlineOf('execution.evidence.order.output.deadline', WEEK)).toBe((start + WEEK) * 1_000)
    expect(await deadlineOf('execution.evidence.order.output.deadline', 2 * WEEK)).toBe((start + 2 * WEEK) * 1_000)
    expect(await deadlineOf('execution.evidence.order.output.deadline', 86_400)).toBe((start + WEEK) * 1_000)
    for (const at of [0, 1]) expect(await deadlineOf(`${refunds}.${at}.deadline`, 2 * WEEK)).toBe((start + 2 * WEEK) * 1_000)
  })

  test('within a month: an order with a longer lifetime is rejected', async () => {
    const swap = await swapOf(bench.venue, orders.bitcoin())
    const start = Math.floor(bench.clock.now() / 1_000)
    const objections = (days: number) =>
      prove(bench.venue, swap, altered(swap, 'execution.evidence.order.output.deadline', start + days * 86_400).execution)
    expect(await objections(30)).not.toContain('deadline')
    expect(await objections(31)).toContain('deadline')
  })

  test('while a depository call never is', async () => {
    for (const order of [orders.usdc(), orders.ether(), orders.sol({ recipient: WALLETS.evmOther })])
      expect(await bench.venue.decode((await swapOf(bench.venue, order)).execution)).toMatchObject({ deadlineAt: null })
  })
})
