import { expect, it } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { anEvent } from '../../support/hookStage.ts'
import { done, startMoneyBench } from '../../support/moneyBench.ts'
import { START_AT } from '../../support/testEngine.ts'
import { HOUR, MINUTE, PARTNER, startSettlementBench } from './settlementBench.ts'

const SECOND = 1_000

/** `chains`: their newest blocks have the time of the start. `isMainnet`: the service waits for the comparison, and no chain answers. */
const start = async (chains: readonly (1 | 10)[], isMainnet = false) => {
  const silence = { ms: 0 }
  const clock = createChainClock({ now: () => on.clock.at }, () => silence.ms)
  for (const [position, chainId] of chains.entries())
    for (const at of [START_AT - MINUTE, START_AT]) clock.saw(chainId, position, at)
  const readHead = () => Promise.reject(new Error('no chain answers'))
  const chain = Object.assign(createFakeEvidence(), { clock }, isMainnet && { readHead })
  const on = await startSettlementBench('DEPOSIT', {}, { chain, ...(isMainnet && { env: { NETWORK: 'mainnet' } }) })
  /** Two chains show new blocks. */
  const compare = (at: number): void => {
    for (const chainId of [1, 10] as const) for (const ago of [1, 0]) clock.saw(chainId, chainId, at - ago)
  }
  return { on, chain, silence, compare }
}

it('no pass runs while the clock is wrong, and the events of the partners stay [settlement-wrong-clock]', async () => {
  const { on } = await start([1, 10])
  const swap = await on.execute()
  on.settle(swap)
  await on.store.partnerEvents.add(anEvent(PARTNER, { event: 'swap.refunded' }))
  expect(await on.pass(91 * 24 * HOUR)).toBeNull()
  expect(await on.told()).toEqual(['swap.refunded'])
  on.clock.at = START_AT
  await on.pass()
  expect(await on.told()).toEqual(['swap.refunded', 'swap.settled'])
})

it('a clock that is not compared delays passes by ten seconds', async () => {
  const { on } = await start([], true)
  await on.store.partnerEvents.add(anEvent(PARTNER))
  expect(await on.pass(9 * SECOND)).toBeNull()
  expect(await on.pass(SECOND)).not.toBeNull()
  expect(await on.told()).toEqual(['swap.settled'])
})

type Bench = Awaited<ReturnType<typeof start>>['on']

/** What is there before the act, and whether it is still there. */
const ACTS: readonly [string, (on: Bench) => Promise<() => Promise<boolean>>][] = [
  [
    'the deletion of old events',
    async (on) => {
      await on.store.partnerEvents.add(anEvent(PARTNER))
      return async () => (await on.told()).length > 0
    },
  ],
  [
    'the deletion of old answers of paid calls',
    async ({ store: { paidCalls } }) => {
      const about = { requestId: 'q', operation: 'quote', network: 'eip155:8453', asset: 'a', amount: 1n, payTo: 'p', payer: 'x' }
      const lease = { holder: 'h', leaseMs: HOUR }
      await paidCalls.add({ paymentKey: 'k', requestKey: 'r', payment: '{}', ...about }, lease)
      await paidCalls.setSettling('k', 'h', '{"answer":1}')
      await paidCalls.setSettled('k', 'h', '0x1')
      return async () => (await paidCalls.byKey('k'))?.answer !== null
    },
  ],
  [
    'the removal of ended swaps from the queue',
    async (on) => {
      const swap = await on.execute()
      on.pay(swap)
      on.says('refunded', { refundTx: on.giveBack(swap) })
      await on.pass()
      return async () => (await on.queued(swap)) !== null
    },
  ],
  [
    'abandoning open swaps',
    async (on) => {
      const swap = await on.execute()
      on.pay(swap)
      on.says('processing')
      return async () => (await on.queued(swap)) !== null
    },
  ],
]

it.each(ACTS)('%s waits until the clock is compared', async (_name, arrange) => {
  const { on, compare } = await start([], true)
  const isLeft = await arrange(on)
  expect(await on.pass(91 * 24 * HOUR)).not.toBeNull()
  await on.engine.settlement.runOnce()
  expect(await isLeft()).toBe(true)
  expect(on.engine.watch.isClockCompared()).toBe(false)
  compare(on.clock.at + 7 * HOUR)
  expect(on.engine.watch.isClockCompared()).toBe(true)
  await on.pass(7 * HOUR)
  expect(await isLeft()).toBe(false)
})

it('passes run by a clock that was wrong once no chain answers for 15 minutes, and delete nothing old', async () => {
  const { on, silence } = await start([1, 10], true)
  await on.store.partnerEvents.add(anEvent(PARTNER))
  expect(await on.pass(91 * 24 * HOUR)).toBeNull()
  silence.ms = 16 * MINUTE
  expect(await on.pass()).not.toBeNull()
  await on.engine.settlement.runOnce()
  expect(await on.told()).toEqual(['swap.settled'])
})

it('a pass of another instance whose clock was 3 hours ahead delays no swap for the passes of this one', async () => {
  const { on, chain } = await start([])
  const swap = await on.execute()
  on.pay(swap)
  on.says('processing')
  for (let hours = 0; hours < 8; hours += 1) await on.pass(HOUR)
  const rightAt = on.clock.at
  const other = await startMoneyBench('DEPOSIT', {}, { chain, from: on })
  other.says('processing')
  on.clock.at += 3 * HOUR
  await other.engine.settlement.runOnce()
  await other.engine.settlement.stop()
  on.clock.at = rightAt
  on.says('success', done(on.deliver(swap)))
  await on.pass()
  expect(await on.told()).toEqual(['swap.settled'])
})
