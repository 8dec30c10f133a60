import { describe, expect, it } from 'vitest'
import { createChainClock } from '../../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence } from '../../../support/fakeEvidence.ts'
import { done, LEAST, type MoneyBench, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'
import cases from './clockAhead.json' with { type: 'json' }

const MINUTE_MS = 60_000
const start = closedAfterEach(startMoneyBench)

/** `heads`: `<chain>:<minutes>` of one endpoint each, its newest block after the true time; with `!` it was the newest one before too. */
const startAt = async (aheadMin: number, heads: string): Promise<MoneyBench> => {
  const clock = createChainClock({ now: () => bench.clock.at }, () => 0)
  for (const [position, head] of heads.split(' ').entries()) {
    const [chainId, min] = head.split(':').map(Number.parseFloat) as [1 | 10 | 8453, number]
    for (const at of [head.endsWith('!') ? min : min - 1, min]) clock.saw(chainId, position, START_AT + at * MINUTE_MS)
  }
  const bench = await start('DEPOSIT', {}, { chain: Object.assign(createFakeEvidence(), { clock }) })
  bench.clock.at = START_AT + aheadMin * MINUTE_MS
  return bench
}

describe('a swap that is executed while the clock of the service is ahead', () => {
  it.each(cases.chainsAt as [string, number, string, number | null][])(
    'keeps the time of the chains: %s',
    async (_name, aheadMin, heads, min) => {
      const { chainsAt } = (await (await startAt(aheadMin, heads)).execute()).record.swap
      expect(chainsAt ?? null).toBe(min === null ? null : START_AT + min * MINUTE_MS)
    },
  )

  it.each(cases.ends as [string, number, number, number, string, number][])(
    '%s',
    async (_name, ahead, paid, delivered, state, inputs) => {
      const bench = await startAt(ahead, '1:0 1:0')
      const swap = await bench.execute()
      bench.clock.at = START_AT
      bench.pay(swap, undefined, { at: START_AT + paid * MINUTE_MS })
      bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT + delivered * MINUTE_MS })))
      expect(await bench.stateOf(swap)).toBe(state)
      expect((await bench.payments(swap)).filter(({ kind }) => kind === 'input')).toHaveLength(inputs)
    },
  )
})

it.each(cases.wrong as [string, number, string, boolean][])(
  'a clock that is wrong is named, and nothing is built: %s',
  async (_name, aheadMin, heads, isWrong) => {
    const { engine, reported, execute } = await startAt(aheadMin, heads)
    const refusal = { code: 'OVERLOADED', details: { retryAfterSec: 5, retryable: true } }
    await (isWrong ? expect(execute()).rejects.toMatchObject(refusal) : execute())
    await engine.watch.look()
    expect(engine.watch.problems().includes('clock')).toBe(isWrong)
    expect(reported('clock.health')).toMatchObject(isWrong ? [{ healthy: false }] : [])
  },
)
