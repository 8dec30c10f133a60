import { afterEach, describe, expect, it } from 'vitest'
import { soonest } from '../../../engine/settlement/nextLook.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { createFakeVenue, hangs, statusOf } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestClock, START_AT } from '../../support/testEngine.ts'
import { depositOf, storeSwaps } from './manySwaps.ts'
import { closeBenches, HOUR, INTERVAL, MINUTE, startJob } from './settlementBench.ts'

afterEach(async () => {
  realTime()
  await closeBenches()
})

const now = () => START_AT

it('10,000 open swaps of which 100 are paid: the paid ones are all asked within one pass, and no other [settlement-paid-first]', {
  timeout: 120_000,
}, async () => {
  const chain = createFakeEvidence()
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
  const on = await startJob({ evidence: chain, venues: [venue] })
  // Every second paid one is known to be; the others were paid just now.
  const isPaid = (number: number) => number % 100 === 7
  await storeSwaps(on.store, 10_000, { isPaid: (number) => isPaid(number) && number % 200 === 7 })
  for (let number = 7; number < 10_000; number += 100) chain.inUse.add(depositOf(number))
  let [together, most] = [0, 0]
  venue.script.track = async () => {
    together += 1
    most = Math.max(most, together)
    await new Promise((resolve) => setImmediate(resolve))
    together -= 1
    return statusOf('processing')
  }
  const before = process.memoryUsage().heapUsed
  const report = await on.engine.settlement.runOnce()
  const grown = (process.memoryUsage().heapUsed - before) / 1e6
  const asked = venue.calls.track.map(({ ref }) => ref)
  const known = Array.from({ length: 50 }, (_none, index) => depositOf(index * 200 + 7) as string)
  expect(report).toMatchObject({ looked: 10_000, open: 10_000, failed: 0, isCut: false })
  expect(new Set(asked).size).toBe(100)
  expect(asked).toHaveLength(100)
  expect(new Set(asked.slice(0, 50))).toEqual(new Set(known))
  expect(most).toBeLessThanOrEqual(4)
  process.stdout.write(`settlement: 10,000 open, 100 paid and asked, in ${report?.elapsedMs} ms, heap +${grown.toFixed(0)} MB\n`)
})

describe('each venue has a lane of its own:', () => {
  it('one that hangs holds back no other, and keeps its swaps [settlement-paid-first]', async () => {
    fakeTime()
    const clock = createTestClock()
    const slow = createFakeVenue('slow', { kind: 'DEPOSIT', now })
    const quick = createFakeVenue('quick', { kind: 'DEPOSIT', now })
    slow.script.track = hangs
    const on = await startJob({ evidence: 'trustVenues', venues: [slow, quick], clock })
    await storeSwaps(on.store, 40, { venue: 'slow' })
    await storeSwaps(on.store, 40, { venue: 'quick', from: 100 })
    const pass = on.engine.settlement.runOnce()
    await advance(100)
    expect(quick.calls.track).toHaveLength(40)
    expect(slow.calls.track).toHaveLength(4)
    await advance(10 * MINUTE)
    expect(await pass).toMatchObject({ failed: 0, open: 80 })
  })

  it('one that is down is left alone, after some asks, until the next pass', async () => {
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    venue.script.track = async () => {
      throw new VenueError('unavailable', 'down')
    }
    const on = await startJob({ evidence: 'trustVenues', venues: [venue] })
    await storeSwaps(on.store, 100)
    expect(await on.engine.settlement.runOnce()).toMatchObject({ isCut: true, failed: 0, open: 100 })
    expect(venue.calls.track.length).toBeLessThan(20)
  })

  it('one with limits is asked as fast as they allow the half of, and callers beside it are asked for at once', async () => {
    fakeTime()
    const clock = createTestClock()
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now, profile: { limits: { statusPerMinute: 20 } } })
    const on = await startJob({ evidence: 'trustVenues', venues: [venue], clock })
    await storeSwaps(on.store, 30)
    const pass = on.engine.settlement.runOnce()
    for (const expected of [10, 20, 30]) {
      await advance(1_000)
      expect(venue.calls.track).toHaveLength(expected)
      clock.at += MINUTE
    }
    expect(await pass).toMatchObject({ looked: 30, isCut: false })
    const calls = on.events.flatMap((event) => (event.event === 'venue.call' ? [event] : []))
    const waits = calls.flatMap(({ waitedMs }) => waitedMs ?? [])
    expect(calls).toHaveLength(30)
    // As many as are asked for at once are held back each time that nothing is left: the two times of this test, some of them.
    expect(waits.length).toBeGreaterThanOrEqual(2)
    expect(waits.length).toBeLessThanOrEqual(8)
    for (const ms of waits) expect(ms).toSatisfy((waited: number) => waited >= 250 && waited <= 3_000)
  })
})

describe('a look is put off', () => {
  it.each([
    ['unpaid', false, [INTERVAL, 2 * HOUR, 7 * HOUR, 30 * HOUR], [0, 15 * MINUTE, HOUR, 6 * HOUR]],
    ['paid', true, [INTERVAL, 7 * HOUR, 30 * HOUR], [0, 15 * MINUTE, HOUR]],
  ] as const)('the longer the older an %s swap is [settlement-paid-first]', async (_name, isPaid, ages, pauses) => {
    const on = await startJob({})
    const [id = 0] = await storeSwaps(on.store, 1, { isPaid: () => isPaid })
    const told: number[] = []
    for (const age of ages) {
      on.clock.at = START_AT + age
      await on.engine.settlement.runOnce()
      told.push(((await on.store.settlement.find(id))?.dueAt ?? 0) - on.clock.at)
    }
    pauses.forEach((wanted, index) => {
      const least = Math.max(wanted * 0.9, soonest(INTERVAL))
      expect(told[index]).toBeGreaterThanOrEqual(Math.floor(least))
      expect(told[index]).toBeLessThanOrEqual(Math.ceil(Math.max(wanted * 1.1, soonest(INTERVAL))))
    })
  })

  it('no longer than a pause by a clock that has since been set back', async () => {
    const on = await startJob({})
    const [id = 0] = await storeSwaps(on.store, 1)
    on.clock.at += 72 * HOUR
    await on.engine.settlement.runOnce()
    on.clock.at = START_AT
    expect(await on.engine.settlement.runOnce()).toMatchObject({ looked: 1 })
    expect((await on.store.settlement.find(id))?.dueAt).toBeLessThan(START_AT + 7 * HOUR)
  })
})
