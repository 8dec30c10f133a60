import { describe, expect, it } from 'vitest'
import { createFakeEvidence } from '../../../support/fakeEvidence.ts'
import { done, LEAST, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

const MINUTE_MS = 60_000
const start = closedAfterEach(startMoneyBench)

/** Executes while our clock is ahead of the heads, sets it right, then pays and delivers at minutes after the true time. */
const stateAfter = async (one: { aheadMin: number; headMin: number | null; paidMin: number; deliveredMin: number }) => {
  const chainTime = one.headMin === null ? null : START_AT + one.headMin * MINUTE_MS
  const bench = await start('DEPOSIT', {}, { chain: Object.assign(createFakeEvidence(), { chainTime: () => chainTime }) })
  bench.clock.at = START_AT + one.aheadMin * MINUTE_MS
  const swap = await bench.execute()
  bench.clock.at = START_AT
  bench.pay(swap, undefined, { at: START_AT + one.paidMin * MINUTE_MS })
  bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT + one.deliveredMin * MINUTE_MS })))
  return bench.stateOf(swap)
}

describe('a swap that is executed while the clock of the service is ahead', () => {
  it.each([
    ['20 minutes: settles', 20, 0, 1, 2, 'success'],
    ['an hour: settles', 60, 0, 1, 2, 'success'],
    ['20 minutes: a delivery before it is not evidence', 20, 0, 1, -6, 'processing'],
    ['20 minutes: a payment before it is not evidence', 20, 0, -6, 2, 'pending'],
    ['not at all, heads of 6 hours ago: a delivery of 3 hours ago is not evidence', 0, -360, 1, -180, 'processing'],
    ['not at all, heads of half a minute ago: a delivery of 5.2 minutes ago is not evidence', 0, -0.5, 1, -5.2, 'processing'],
    ['not at all, no head known: settles', 0, null, 1, 2, 'success'],
  ] as const)('%s', async (_name, aheadMin, headMin, paidMin, deliveredMin, state) => {
    expect(await stateAfter({ aheadMin, headMin, paidMin, deliveredMin })).toBe(state)
  })
})
