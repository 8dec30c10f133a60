import { afterEach, expect, test } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { ARB, NATIVE, openBench, signal, USDC, WITH_FEE } from './support/bench.ts'

let bench: VenueBench
afterEach(() => bench.close())

test('smoke', async () => {
  bench = await openBench({ settings: WITH_FEE })
  for (const order of [
    anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n, feeBps: 0 }),
    anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n, feeBps: 15 }),
    anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, feeBps: 15 }),
    anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, feeBps: 15, slippageBps: 50 }),
    anOrder({
      from: [-2, USDC.solana],
      to: [8453, USDC.base],
      amount: 10n ** 9n,
      feeBps: 15,
      recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as never,
    }),
    anOrder({
      to: [-2, USDC.solana],
      from: [8453, USDC.base],
      amount: 10n ** 9n,
      feeBps: 15,
      recipient: 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE' as never,
    }),
  ]) {
    const offer = await bench.venue.quote(order, signal())
    console.log(offer)
    const ex = await bench.venue.execute({ order, offer }, order, signal())
    console.log(await bench.venue.decode(ex))
    expect((await bench.venue.decode(ex)).unread).toEqual([])
  }
})
