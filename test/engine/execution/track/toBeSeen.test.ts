import { afterEach, expect, it } from 'vitest'
import { NATIVE } from '../../../../engine/core/asset.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { done, LEAST, type MoneyBench, sendsOn, startMoneyBench } from '../../../support/moneyBench.ts'
import { TOY_EVENTS } from '../../../support/toyEvents.ts'

/** A contract that tells of coins whether they were taken or not: the recipient's balance must show them, too. */
const EVENTS: SwapEvents = {
  ...TOY_EVENTS,
  inputs: async () => null,
  outputs: async () => [{ place: 'log:0', amount: LEAST, isToBeSeen: true }],
}

let bench: MoneyBench
afterEach(() => bench.close())

it.each([
  ['success', LEAST],
  ['success', LEAST + 1n],
  ['processing', LEAST - 1n],
  ['processing', 0n],
] as const)('is a %s where the balance gained %i', async (state, gained) => {
  bench = await startMoneyBench('TRANSACTION', { events: EVENTS })
  const swap = await bench.execute({ to: [42161, NATIVE] })
  const paid = bench.pay(swap)
  const { recipient } = swap.record.swap.binding
  const delivery = bench.deliver(swap, LEAST, sendsOn(recipient, 1_500))
  bench.chain.gain({ chainId: 42161, height: 1_500, recipient }, gained)
  bench.says('success', done(delivery))
  expect(await bench.stateOf(swap, paid)).toBe(state)
})

it('is open where the node has forgotten that balance', async () => {
  bench = await startMoneyBench('TRANSACTION', { events: EVENTS })
  const swap = await bench.execute({ to: [42161, NATIVE] })
  const paid = bench.pay(swap)
  bench.chain.stateSince = 2_000
  bench.says('success', done(bench.deliver(swap, LEAST, sendsOn(swap.record.swap.binding.recipient, 1_500))))
  expect(await bench.stateOf(swap, paid)).toBe('processing')
})
