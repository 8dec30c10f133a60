import { afterEach, describe, expect, it } from 'vitest'
import { statusOf } from '../../support/fakeVenue.ts'
import { done } from '../../support/moneyBench.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { closeBenches, HOUR, INTERVAL, MINUTE, type SettlementBench, startSettlementBench } from './settlementBench.ts'

afterEach(async () => {
  realTime()
  await closeBenches()
})

/** A swap that the chains show to have ended, which nobody has looked at. */
const delivered = async () => {
  const on = await startSettlementBench()
  const swap = await on.execute()
  on.pay(swap)
  on.says('success', done(on.deliver(swap)))
  return { on, swap }
}

/** The same service over the same records, in another process. */
const beside = (on: SettlementBench) => startSettlementBench('DEPOSIT', {}, { from: on, chain: on.chain })

describe('nothing is lost and nothing is doubled', () => {
  it.each(['swaps.setStatus', 'partnerEvents.add', 'payments.claim', 'settlement.hasten', 'swaps.byId', 'settlement.due'])(
    'when the store is down at %s',
    async (call) => {
      const { on, swap } = await delivered()
      on.store.fails = (one) => one === call
      await on.pass()
      expect((await on.kept(swap)).status.state).toBe('pending')
      expect(on.reported('settlement.failed')).toEqual([])
      on.store.fails = () => false
      expect(await on.told()).toEqual([])
      expect(await on.pass(MINUTE)).toMatchObject({ looked: 1, ended: 1 })
      expect(await on.told()).toEqual(['swap.settled'])
    },
  )

  it.each(['settlement.find', 'settlement.reschedule'])(
    'when the store is down at %s, after the end was written',
    async (call) => {
      const { on } = await delivered()
      on.store.fails = (one) => one === call
      expect(await on.pass()).toBeNull()
      on.store.fails = () => false
      expect(await on.pass(MINUTE)).toMatchObject({ looked: 1 })
      expect(await on.told()).toEqual(['swap.settled'])
    },
  )

  it('when the process is killed between the ask and the write', async () => {
    const { on, swap } = await delivered()
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      const { track } = on.venue.script
      on.venue.script.track = async (...args) => {
        resolve()
        await new Promise<void>((go) => {
          answer = go
        })
        return track(...args)
      }
    })
    const killed = on.pass()
    await asked
    const other = await beside(on)
    other.says('success', done(on.deliver(swap)))
    on.pass(2 * MINUTE)
    expect(await other.engine.settlement.runOnce()).toMatchObject({ ended: 1 })
    answer()
    await killed
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('when the chains cannot be read', async () => {
    const { on, swap } = await delivered()
    on.chain.isUnreadable = () => true
    await on.pass()
    expect((await on.kept(swap)).status.state).toBe('pending')
    on.chain.isUnreadable = () => false
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('when the clock jumps', async () => {
    const { on } = await delivered()
    await on.pass(48 * HOUR)
    on.clock.at -= 40 * HOUR
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
  })
})

it('a swap that cannot be looked at is told with its id, and keeps no other back', async () => {
  const on = await startSettlementBench()
  const [poisonous, other] = [await on.execute(), await on.execute()]
  for (const swap of [poisonous, other]) on.pay(swap)
  on.saysOf(other, { ...statusOf('success'), ...done(on.deliver(other)) })
  on.saysOf(poisonous, { ...statusOf('processing'), paidBy: 7 as never })
  expect(await on.pass()).toMatchObject({ looked: 2, ended: 1, failed: 1 })
  expect(on.reported('settlement.failed')).toMatchObject([
    { swapId: poisonous.id, quoteId: poisonous.record.quoteId, venue: 'toy' },
  ])
  expect(await on.queued(poisonous)).not.toBeNull()
})

it.each(['swaps.setStatus', 'partnerEvents.add', 'swaps.byId', 'settlement.find'])(
  'a swap that a defect of ours meets at %s is told, and keeps no other back',
  async (call) => {
    const on = await startSettlementBench()
    for (const swap of [await on.execute(), await on.execute()]) {
      on.pay(swap)
      on.saysOf(swap, { ...statusOf('success'), ...done(on.deliver(swap)) })
    }
    const poison = () => {
      let isFirst = true
      on.store.fails = (one) => {
        if (one !== call || !isFirst) return false
        isFirst = false
        throw new RangeError('a defect')
      }
    }
    poison()
    expect(await on.pass()).toMatchObject({ looked: 2, failed: 1 })
    expect(on.reported('settlement.failed')).toMatchObject([{ reason: expect.stringContaining('a defect') }])
    on.store.fails = () => false
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled', 'swap.settled'])
  },
)

describe('one instance at a time', () => {
  it('does the settlement; another takes over when its lease is over [settlement-one-instance]', async () => {
    const { on } = await delivered()
    const other = await beside(on)
    await on.pass()
    expect(await other.engine.settlement.runOnce()).toBeNull()
    on.clock.at += MINUTE
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
    expect(await on.engine.settlement.runOnce()).toBeNull()
  })

  it('takes over at once from one that was stopped', async () => {
    const { on } = await delivered()
    const other = await beside(on)
    await on.pass()
    await on.engine.settlement.stop()
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
    expect(await on.engine.settlement.runOnce()).toBeNull()
  })

  it('takes over from one whose clock was ahead by far', async () => {
    const { on } = await delivered()
    const other = await beside(on)
    await on.pass(24 * HOUR)
    on.clock.at -= 24 * HOUR
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
  })

  it('prolongs its lease while a pass runs, and stops when it has lost it', async () => {
    // One ask a minute.
    const on = await startSettlementBench('DEPOSIT', { profile: { limits: { statusPerMinute: 2 } } })
    on.says('processing')
    for (let count = 0; count < 9; count += 1) on.pay(await on.execute())
    const other = await beside(on)
    fakeTime()
    const passing = on.pass()
    const pass = async (ms: number) => {
      on.clock.at += ms
      await advance(ms)
    }
    await pass(MINUTE / 2)
    await pass(MINUTE / 2)
    expect(await other.engine.settlement.runOnce()).toBeNull()
    // Stopped by its host for a while, it comes back too late.
    on.clock.at += 2 * MINUTE
    expect(await other.engine.settlement.runOnce()).not.toBeNull()
    await pass(MINUTE / 2)
    expect(await passing).toMatchObject({ isCut: true })
    expect(on.venue.calls.track.length).toBeLessThan(5)
  })
})

describe('stopping', () => {
  it('ends a pass under way, at once', async () => {
    const { on, swap } = await delivered()
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    on.venue.script.track = (_asked, signal) => {
      isAsked()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const passing = on.pass()
    await asked
    await on.engine.settlement.stop()
    expect(await passing).toMatchObject({ isCut: true })
    expect(on.reported('settlement.failed')).toEqual([])
    expect((await on.kept(swap)).status.state).toBe('pending')
    expect((await on.queued(swap))?.dueAt).toBeLessThan(on.clock.at)
  })
})

describe('by itself', () => {
  it('runs about every interval, and not after it was stopped [settlement-one-instance]', async () => {
    const { on } = await delivered()
    fakeTime()
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
})
