import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createChainClock } from '../../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence, type FakeEvidence } from '../../../support/fakeEvidence.ts'
import { done, LEAST, type MoneyBench, OTHER, startMoneyBench } from '../../../support/moneyBench.ts'
import { refusalOf, START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'
import cases from './clockAhead.json' with { type: 'json' }

const MINUTE_MS = 60_000
const start = closedAfterEach(startMoneyBench)

/**
 * `heads`: `<chain>:<minutes>` of one endpoint each, its newest block after the true time. With `!` an earlier read showed the same block,
 * with `?` none came before. `read`: the service reads chains by itself.
 */
const startAt = async (aheadMin: number, heads: string): Promise<MoneyBench> => {
  const isReading = heads === 'read'
  const clock = createChainClock({ now: () => bench.clock.at }, ...(isReading ? [] : [() => 0]))
  for (const [position, head] of isReading ? [] : heads.split(' ').entries()) {
    const [chainId, min] = head.split(':').map(Number.parseFloat) as [1 | 10 | 8453, number]
    const before = head.endsWith('?') ? [] : [head.endsWith('!') ? min : min - 1]
    for (const at of [...before, min]) clock.saw(chainId, position, START_AT + at * MINUTE_MS)
  }
  const chain: FakeEvidence = Object.assign(createFakeEvidence(), { clock })
  const readHead: FakeEvidence['readHead'] = async (chainId, signal) => {
    await chain.confirmedTime(chainId, signal)
    clock.saw(chainId, 0, bench.clock.at - aheadMin * MINUTE_MS)
  }
  const env = isReading && { env: { NETWORK: 'mainnet', RPC_URLS_10: 'https://example.org' } }
  const bench = await start('DEPOSIT', {}, { chain: Object.assign(chain, isReading && { readHead }), ...env })
  bench.clock.at = START_AT + aheadMin * MINUTE_MS
  return bench
}

describe('a swap that is executed while the clock of the service is ahead [execute-wrong-clock-503]', () => {
  it.each(cases.chainsAt as [string, number, string, number | null][])(
    'keeps the time of the chains: %s',
    async (_name, aheadMin, heads, min) => {
      const { chainsAt } = (await (await startAt(aheadMin, heads)).execute()).record.swap
      expect(chainsAt ?? null).toBe(min === null ? null : START_AT + min * MINUTE_MS)
    },
  )

  it.each(cases.ends as [string, number, number, number, string, number, string][])(
    '%s',
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
})

const GIVEN = { destinationAddress: null, refundAddress: null }

it.each(cases.wrong as [string, number, string, boolean][])(
  'a clock that is wrong is named, /quote and /execute answer 503, and a payload that was built before is returned if it proves: %s [execute-wrong-clock-503]',
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
    await expect(execute(first)).rejects.toMatchObject(isWrong ? refusal : { code: 'INTERNAL' })
    expect(reported('payload.refused')).toHaveLength(isWrong ? 0 : 1)
  },
)

it.each(cases.quotes as [string, number, string | null][])('/execute of a quote by a clock %s', async (_name, ahead, reason) => {
  const { engine, clock, context, quote } = await startAt(ahead, '1:0')
  const asked = { quoteToken: await quote(), ...GIVEN }
  clock.at = START_AT
  const executing = engine.execute(asked, context)
  if (reason === null) await executing
  else expect(await refusalOf(executing, 'QUOTE_EXPIRED')).toMatchObject({ details: { venue: 'toy', reason } })
})

it.each(cases.reads as [string, number, string[]][])(
  'reads the newest blocks of three chains at the start and each minute while no swap does: %s',
  async (_name, aheadMin, rounds) => {
    const { engine, clock, chain } = await startAt(aheadMin, 'read')
    chain.isUnreadable = ({ chainId }) => chainId === 42161
    for (const round of rounds) {
      clock.at += Number.parseInt(round, 10) * 1_000
      chain.reads.length = 0
      await engine.watch.look()
      await setImmediate()
      expect(`${chain.reads.map(({ chainId }) => chainId)} ${engine.watch.problems()}`).toBe(round.replace(/^\d+ s: /, ''))
    }
  },
)
