import { expect, it } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence, type FakeEvidence } from '../../support/fakeEvidence.ts'
import { type MoneyBench, startMoneyBench } from '../../support/moneyBench.ts'
import { START_AT } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

const MINUTE_MS = 60_000
const GIVEN = { destinationAddress: null, refundAddress: null }
const start = closedAfterEach(startMoneyBench)

/** The venue and the chains have the true time. The service reads the chains by itself. */
const startReading = async (): Promise<MoneyBench> => {
  const clock = createChainClock({ now: () => bench.clock.at }, () => 0)
  const readHead: FakeEvidence['readHead'] = async (chainId) => {
    for (const ago of [1, 0]) clock.saw(chainId, 0, START_AT - ago)
  }
  const chain: FakeEvidence = Object.assign(createFakeEvidence(), { clock, readHead })
  const bench = await start('DEPOSIT', { now: () => START_AT }, { chain, env: { NETWORK: 'mainnet' } })
  return bench
}

it.each([-120, 60])('a deadline that differs because our clock is wrong by %i min is no fault of the venue', async (minutes) => {
  const { engine, clock, context, quote, reported, venue } = await startReading()
  clock.at += minutes * MINUTE_MS
  const executing = engine.execute({ quoteToken: await quote(), ...GIVEN }, context)
  await expect(executing).rejects.toMatchObject({ code: 'OVERLOADED', details: { retryable: true } })
  expect(venue.calls.execute).toHaveLength(1)
  expect(reported('payload.refused')).toEqual([])
})

it('while our clock is wrong, a stored payload whose deadline differs is refused without an alarm, with its statusRef', async () => {
  const { engine, clock, context, quote, reported, store } = await startReading()
  const asked = { quoteToken: await quote(), ...GIVEN }
  await engine.execute(asked, context)
  const [stored] = await store.kept()
  clock.at -= 120 * MINUTE_MS
  await engine.watch.look()
  const executing = engine.execute(asked, context)
  await expect(executing).rejects.toMatchObject({ code: 'OVERLOADED', details: { retryable: true, statusRef: stored?.ref } })
  expect(reported('payload.refused')).toEqual([])
})
