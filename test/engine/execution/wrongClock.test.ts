import { expect, it } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence, type FakeEvidence } from '../../support/fakeEvidence.ts'
import { type MoneyBench, startMoneyBench } from '../../support/moneyBench.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

const HOUR_MS = 3_600_000
const start = closedAfterEach(startMoneyBench)

/** The venue and the chains have the true time. The service reads the chains by itself. */
const startReading = async () => {
  const clock = createChainClock({ now: () => bench.clock.at }, () => 0)
  const readHead: FakeEvidence['readHead'] = async (chainId) => {
    for (const ago of [1, 0]) clock.saw(chainId, 0, START_AT - ago)
  }
  const chain: FakeEvidence = Object.assign(createFakeEvidence(), { clock, readHead })
  const bench: MoneyBench = await start('DEPOSIT', { now: () => START_AT }, { chain, env: { NETWORK: 'mainnet' } })
  const asked = { quoteToken: '', destinationAddress: null, refundAddress: null }
  return { ...bench, execute: async (quoteToken: string) => bench.engine.execute({ ...asked, quoteToken }, bench.context) }
}

it.each([-2, 1])(
  'wrong clock: a deadline that differs because our clock is %i h wrong is no fault of the venue',
  async (hours) => {
    const { clock, execute, quote, reported, venue } = await startReading()
    clock.at += hours * HOUR_MS
    expect((await refusalOf(execute(await quote()), 'OVERLOADED')).details).toMatchObject({ retryable: true })
    expect(venue.calls.execute).toHaveLength(1)
    expect(reported('payload.refused')).toEqual([])
  },
)

it('wrong clock: a stored payload whose deadline differs is refused without an alarm, with its statusRef', async () => {
  const { clock, engine, execute, quote, reported } = await startReading()
  const quoteToken = await quote()
  const { statusRef } = await execute(quoteToken)
  clock.at -= 2 * HOUR_MS
  await engine.watch.look()
  expect((await refusalOf(execute(quoteToken), 'OVERLOADED')).details).toMatchObject({ retryable: true, statusRef })
  expect(reported('payload.refused')).toEqual([])
})
