import { expect, it } from 'vitest'
import { createChainClock } from '../../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence } from '../../../support/fakeEvidence.ts'
import { done, LEAST, type MoneyBench, OTHER, startMoneyBench } from '../../../support/moneyBench.ts'
import { refusalOf, START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'
import cases from './clockAhead.json' with { type: 'json' }

const MINUTE_MS = 60_000
const start = closedAfterEach(startMoneyBench)

/**
 * `heads`: `<chain>:<minutes>` of one endpoint each, its newest block after the true time. With `!` an earlier read showed the same block.
 */
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

it.each(cases.chainsAt as [string, number, string, number | null][])(
  'clock: a swap executed while it is ahead has the time of the chains, %s',
  async (_name, aheadMin, heads, min) => {
    const { chainsAt } = (await (await startAt(aheadMin, heads)).execute()).record.swap
    expect(chainsAt ?? null).toBe(min === null ? null : START_AT + min * MINUTE_MS)
  },
)

it.each(cases.ends as [string, number, number, number, string, number, string][])(
  'clock: a swap executed while it was ahead %s [execute-wrong-clock-503]',
  async (_name, ahead, paid, delivered, state, inputs, heads) => {
    const bench = await startAt(ahead, heads)
    const swap = await bench.execute()
    bench.clock.at = START_AT
    bench.pay(swap, undefined, { at: START_AT + paid * MINUTE_MS })
    bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT + delivered * MINUTE_MS })))
    expect(await bench.stateOf(swap)).toBe(state)
    expect((await bench.payments(swap)).filter(({ kind }) => kind === 'input')).toHaveLength(inputs)
  },
)

const GIVEN = { destinationAddress: null, refundAddress: null }

it.each(cases.wrong as [string, number, string, boolean][])(
  'clock: is reported, and /quote and /execute return 503 except for proved payloads, only when it is wrong: %s [execute-wrong-clock-503]',
  async (_name, aheadMin, heads, isWrong) => {
    const { engine, clock, context, reported, quote, venue } = await startAt(0, heads)
    const execute = (quoteToken: string) => engine.execute({ quoteToken, ...GIVEN }, context)
    const [first, second] = [await quote(), await quote({ recipient: OTHER })]
    const built = await execute(first)
    clock.at += aheadMin * MINUTE_MS
    expect(await execute(first)).toEqual(built)
    const refusal = { code: 'OVERLOADED', details: { retryAfterSec: 5, retryable: true } }
    for (const asked of [quote(), execute(second)]) await (isWrong ? expect(asked).rejects.toMatchObject(refusal) : asked)
    await engine.watch.look()
    expect(engine.watch.problems().includes('clock')).toBe(isWrong)
    expect(reported('clock.health')).toMatchObject(isWrong ? [{ healthy: false }] : [])
    venue.script.decode = async (claims) => ({ ...claims, recipient: OTHER })
    await expect(execute(first)).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(reported('payload.refused')).toHaveLength(1)
  },
)

it.each(cases.quotes as [string, number, string | null][])(
  'clock: /execute of a quote by a clock that was %s',
  async (_name, ahead, reason) => {
    const { engine, clock, context, quote } = await startAt(ahead, '1:0')
    const asked = { quoteToken: await quote(), ...GIVEN }
    clock.at = START_AT
    const executing = engine.execute(asked, context)
    if (reason === null) await executing
    else expect(await refusalOf(executing, 'QUOTE_EXPIRED')).toMatchObject({ details: { venue: 'toy', reason } })
  },
)
