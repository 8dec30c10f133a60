import { describe, expect, it } from 'vitest'
import { createChainClock } from '../../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence } from '../../../support/fakeEvidence.ts'
import { done, LEAST, type MoneyBench, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

const MINUTE_MS = 60_000
const start = closedAfterEach(startMoneyBench)

/** `heads`: `<chain>:<minutes>` of one endpoint each, its newest block after the true time; with `!` it was the newest one before too. */
const startAhead = async (aheadMin: number, heads: string): Promise<MoneyBench> => {
  const clock = createChainClock({ now: () => bench.clock.at }, () => 0)
  for (const [position, head] of heads.split(' ').entries()) {
    const [chainId, min] = head.split(':').map(Number.parseFloat) as [1 | 10, number]
    for (const at of [head.endsWith('!') ? min : min - 1, min]) clock.saw(chainId, position, START_AT + at * MINUTE_MS)
  }
  const bench = await start('DEPOSIT', {}, { chain: Object.assign(createFakeEvidence(), { clock }) })
  bench.clock.at = START_AT + aheadMin * MINUTE_MS
  return bench
}

describe('a swap that is executed while the clock of the service is ahead', () => {
  it.each([
    ['by two endpoints of one chain', 60, '1:0 1:0', 0],
    ['by one endpoint of each of two chains', 4, '1:0 10:0', 0],
    ['whatever one block of the future claims', 60, '1:0 1:0 1:180', 0],
    ['whatever one endpoint shows that lags', 60, '1:0 1:0 1:-360', 0],
    ['by a little: no note', 1, '1:0 1:0', null],
    ['by one endpoint alone: not known', 60, '1:0', null],
    ['by endpoints that are stuck: not known', 0, '1:-360! 10:-360!', null],
    ['by one that lags of two: not known', 0, '1:0 1:-360', null],
    ['by blocks of the future: never later than our clock', 0, '1:180 1:180', null],
  ] as const)('keeps the time of the chains: %s', async (_name, aheadMin, heads, min) => {
    const { chainsAt } = (await (await startAhead(aheadMin, heads)).execute()).record.swap
    expect(chainsAt ?? null).toBe(min === null ? null : START_AT + min * MINUTE_MS)
  })

  it.each([
    ['settles when our clock is right again', 60, 1, 2, 'success', 1],
    ['takes no delivery of before it for its own', 60, 1, -6, 'processing', 1],
    ['takes no payment of before it for its own', 60, -6, 2, 'processing', 0],
    ['settles without a note, as those of older versions', 0, 1, 2, 'success', 1],
  ] as const)('%s', async (_name, aheadMin, paidMin, deliveredMin, state, inputs) => {
    const bench = await startAhead(aheadMin, '1:0 1:0')
    const swap = await bench.execute()
    bench.clock.at = START_AT
    bench.pay(swap, undefined, { at: START_AT + paidMin * MINUTE_MS })
    bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT + deliveredMin * MINUTE_MS })))
    expect(await bench.stateOf(swap)).toBe(state)
    expect((await bench.payments(swap)).filter(({ kind }) => kind === 'input')).toHaveLength(inputs)
  })
})
