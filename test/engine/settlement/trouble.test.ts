import { describe, expect, it } from 'vitest'
import { statusOf } from '../../support/fakeVenue.ts'
import { done } from '../../support/moneyBench.ts'
import { advance } from '../../support/raceTime.ts'
import { fakeTimeHere } from '../../support/storeStage.ts'
import { beside, delivered, HOUR, INTERVAL, MINUTE, startSettlementBench } from './settlementBench.ts'

describe('a swap is settled and reported once', () => {
  it.each([
    ...['swaps.setStatus', 'partnerEvents.add', 'payments.claim', 'settlement.hasten', 'swaps.byId', 'settlement.due'].map(
      (call) => [call, 'before', 'pending', []] as const,
    ),
    ['settlement.find', 'after', 'success', ['swap.settled']],
    ['settlement.reschedule', 'after', 'success', ['swap.settled']],
  ] as const)('when the store fails at %s %s its end is written', async (call, when, state, told) => {
    const { on, swap } = await delivered()
    on.store.fails = (one) => one === call
    expect(await on.pass()).toBeNull()
    on.store.fails = () => false
    expect([await on.stored(swap), await on.told(), on.reported('settlement.failed')]).toEqual([state, told, []])
    expect(await on.pass(MINUTE)).toMatchObject({ looked: 1, ended: when === 'before' ? 1 : 0 })
    expect(await on.told()).toEqual(['swap.settled'])
  })
})

describe('a defect of one swap is logged, and the pass settles the others', () => {
  it.each(['swaps.setStatus', 'partnerEvents.add', 'swaps.byId', 'settlement.find'])('when it is met at %s', async (call) => {
    const on = await startSettlementBench()
    for (const swap of [await on.execute(), await on.execute()]) {
      on.pay(swap)
      on.saysOf(swap, { ...statusOf('success'), ...done(on.deliver(swap)) })
    }
    let isFirst = true
    on.store.fails = (one) => {
      if (one !== call || !isFirst) return false
      isFirst = false
      throw new RangeError('a defect')
    }
    expect(await on.pass()).toMatchObject({ looked: 2, failed: 1 })
    expect(on.reported('settlement.failed')).toMatchObject([{ venue: 'toy', reason: expect.stringContaining('a defect') }])
    on.store.fails = () => false
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled', 'swap.settled'])
  })
})

describe('one instance settles at a time, and another takes over [settlement-one-instance]', () => {
  it.each([
    ['when the lease ends', MINUTE, false],
    ['at once from a stopped instance', 0, true],
    ['when the clock that took the lease was a day ahead', -24 * HOUR, false],
  ])('%s', async (_when, afterMs, isStopped) => {
    const { on } = await delivered()
    const other = await beside(on)
    await on.pass()
    expect(await other.engine.settlement.runOnce()).toBeNull()
    on.clock.at += afterMs
    if (isStopped) await on.engine.settlement.stop()
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
    expect(await on.engine.settlement.runOnce()).toBeNull()
  })

  it('when an instance loses its lease during a pass, which it prolongs before that', async () => {
    // One call a minute.
    const on = await startSettlementBench('DEPOSIT', { profile: { limits: { statusPerMinute: 2 } } })
    on.says('processing')
    for (let count = 0; count < 9; count += 1) on.pay(await on.execute())
    const other = await beside(on)
    fakeTimeHere()
    const passing = on.pass()
    const wait = async (ms: number) => {
      on.clock.at += ms
      await advance(ms)
    }
    for (let i = 0; i < 2; i += 1) await wait(MINUTE / 2)
    expect(await other.engine.settlement.runOnce()).toBeNull()
    // Its host suspends the process for two minutes.
    on.clock.at += 2 * MINUTE
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
    await wait(MINUTE / 2)
    expect(await passing).toMatchObject({ isCut: true })
    expect(on.venue.calls.track.length).toBeLessThan(5)
  })
})

it('a started job runs a pass about every interval until it is stopped [settlement-one-instance]', async () => {
  const { on } = await delivered()
  fakeTimeHere()
  on.engine.settlement.start()
  for (let passes = 0; passes < 4; passes += 1) {
    on.clock.at += INTERVAL
    await advance(INTERVAL * 1.1)
  }
  const { length } = on.reported('settlement.pass')
  expect(length).toBeGreaterThanOrEqual(3)
  expect(await on.told()).toEqual(['swap.settled'])
  await on.engine.settlement.stop()
  await advance(10 * INTERVAL)
  expect(on.reported('settlement.pass')).toHaveLength(length)
})
