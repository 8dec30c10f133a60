import { afterEach, expect, it } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { anEvent } from '../../support/hookStage.ts'
import { done, startMoneyBench } from '../../support/moneyBench.ts'
import { START_AT } from '../../support/testEngine.ts'
import { closeBenches, HOUR, MINUTE, PARTNER, startSettlementBench } from './settlementBench.ts'

afterEach(closeBenches)

const SECOND = 1_000

/** `chains`: their newest blocks have the time of the start. `isMainnet`: the service waits for the comparison, and no chain answers. */
const start = async (chains: readonly (1 | 10)[], isMainnet = false) => {
  const clock = createChainClock({ now: () => on.clock.at }, () => 0)
  for (const [position, chainId] of chains.entries())
    for (const at of [START_AT - MINUTE, START_AT]) clock.saw(chainId, position, at)
  const readHead = () => Promise.reject(new Error('no chain answers'))
  const chain = Object.assign(createFakeEvidence(), { clock }, isMainnet && { readHead })
  const on = await startSettlementBench('DEPOSIT', {}, { chain, ...(isMainnet && { env: { NETWORK: 'mainnet' } }) })
  const settles = async (swap: Awaited<ReturnType<typeof on.execute>>): Promise<void> => {
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
  }
  return { on, chain, settles }
}

it('a swap executed while the clock was 6 hours ahead settles with the next pass after the clock is right [settlement-wrong-clock]', async () => {
  const { on, settles } = await start([1, 1])
  on.clock.at += 6 * HOUR
  const swap = await on.execute()
  on.clock.at = START_AT
  await settles(swap)
  await on.pass()
  expect(await on.told()).toEqual(['swap.settled'])
})

it.each(['of the same process', 'of a new process'])(
  'a pass by a clock 2 hours ahead delays no swap for later passes %s',
  async (of) => {
    const { on, chain } = await start([])
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    await on.pass(2 * HOUR)
    on.clock.at = START_AT
    const after = of === 'of a new process' ? await startMoneyBench('DEPOSIT', {}, { chain, from: on }) : on
    after.says('success', done(on.deliver(swap)))
    if (after !== on) await on.engine.settlement.stop()
    on.clock.at += 5 * MINUTE
    await after.engine.settlement.runOnce()
    await after.engine.settlement.stop()
    expect(await on.told()).toEqual(['swap.settled'])
  },
)

it('no pass runs while the clock is wrong, and the events of the partners stay [settlement-wrong-clock]', async () => {
  const { on, settles } = await start([1, 10])
  const swap = await on.execute()
  await settles(swap)
  await on.store.partnerEvents.add(anEvent(PARTNER, { event: 'swap.refunded' }))
  expect(await on.pass(91 * 24 * HOUR)).toBeNull()
  expect(await on.told()).toEqual(['swap.refunded'])
  on.clock.at = START_AT
  await on.pass()
  expect(await on.told()).toEqual(['swap.refunded', 'swap.settled'])
})

it('old events are deleted by a clock that cannot be compared after an hour', async () => {
  const { on } = await start([], true)
  on.clock.at -= 91 * 24 * HOUR
  await on.store.partnerEvents.add(anEvent(PARTNER))
  on.clock.at = START_AT
  const left: number[] = []
  for (const minutes of [1, 58, 1]) {
    await on.pass(minutes * MINUTE)
    await on.engine.settlement.runOnce()
    left.push((await on.told()).length)
  }
  expect(left).toEqual([1, 1, 0])
})

it('a clock that is not compared delays passes by ten seconds', async () => {
  const { on } = await start([], true)
  await on.store.partnerEvents.add(anEvent(PARTNER))
  expect(await on.pass(9 * SECOND)).toBeNull()
  expect(await on.pass(SECOND)).not.toBeNull()
  expect(await on.told()).toEqual(['swap.settled'])
})
