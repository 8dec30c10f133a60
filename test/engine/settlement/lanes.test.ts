import { expect, it } from 'vitest'
import { soonest } from '../../../engine/settlement/nextLook.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { createFakeVenue, type FakeVenueOptions, fails, hangs, statusOf } from '../../support/fakeVenue.ts'
import { advance } from '../../support/raceTime.ts'
import { fakeTimeHere } from '../../support/storeStage.ts'
import { createTestClock, createTestEngine, START_AT, type TestEngineOptions } from '../../support/testEngine.ts'
import { depositOf, HOUR, INTERVAL, MINUTE, storeSwaps } from './settlementBench.ts'

const aVenue = (id: string, profile: FakeVenueOptions['profile'] = {}) =>
  createFakeVenue(id, { kind: 'DEPOSIT', now: () => START_AT, profile })
const start = (change: TestEngineOptions = {}) =>
  createTestEngine({ evidence: createFakeEvidence(), venues: [aVenue('toy')], ...change })

it('a pass over 10,000 open swaps calls the venue about the 100 paid ones, those known to be paid first [settlement-paid-first]', {
  timeout: 120_000,
}, async () => {
  const [chain, venue] = [createFakeEvidence(), aVenue('toy')]
  const on = await start({ evidence: chain, venues: [venue] })
  // The service knows every second paid swap to be paid; the chain shows the others.
  await storeSwaps(on.store, 10_000, { isPaid: (number) => number % 200 === 7 })
  for (let number = 7; number < 10_000; number += 100) chain.inUse.add(depositOf(number))
  venue.script.track = async () => statusOf('processing')
  const report = await on.engine.settlement.runOnce()
  expect(report).toMatchObject({ looked: 10_000, open: 10_000, failed: 0, isCut: false })
  const asked = venue.calls.track.map(({ ref }) => ref)
  const known = Array.from({ length: 50 }, (_none, index) => depositOf(index * 200 + 7) as string)
  expect([asked.length, new Set(asked).size]).toEqual([100, 100])
  expect(new Set(asked.slice(0, 50))).toEqual(new Set(known))
})

it('a venue that hangs delays no other venue [settlement-paid-first]', async () => {
  fakeTimeHere()
  const [slow, quick] = [aVenue('slow'), aVenue('quick')]
  slow.script.track = hangs
  const on = await start({ evidence: 'trustVenues', venues: [slow, quick], clock: createTestClock() })
  await storeSwaps(on.store, 40, { venue: 'slow' })
  await storeSwaps(on.store, 40, { venue: 'quick' })
  const pass = on.engine.settlement.runOnce()
  await advance(100)
  expect([quick.calls.track.length, slow.calls.track.length]).toEqual([40, 4])
  await advance(10 * MINUTE)
  expect(await pass).toMatchObject({ failed: 0, open: 80 })
})

it('a venue that is down rests after some calls until the next pass', async () => {
  const venue = aVenue('toy')
  venue.script.track = fails(new VenueError('unavailable', 'down'))
  const on = await start({ evidence: 'trustVenues', venues: [venue] })
  await storeSwaps(on.store, 100)
  expect(await on.engine.settlement.runOnce()).toMatchObject({ isCut: true, failed: 0, open: 100 })
  expect(venue.calls.track.length).toBeLessThan(20)
})

it('a venue with a limit is called at half of its rate, which leaves the rest to callers', async () => {
  fakeTimeHere()
  const [clock, venue] = [createTestClock(), aVenue('toy', { limits: { statusPerMinute: 20 } })]
  const on = await start({ evidence: 'trustVenues', venues: [venue], clock })
  await storeSwaps(on.store, 30)
  const pass = on.engine.settlement.runOnce()
  for (const expected of [10, 20, 30]) {
    await advance(1_000)
    expect(venue.calls.track).toHaveLength(expected)
    clock.at += MINUTE
  }
  expect(await pass).toMatchObject({ looked: 30, isCut: false })
})

it.each([
  ['unpaid', false, [INTERVAL, 2 * HOUR, 7 * HOUR, 30 * HOUR], [0, 15 * MINUTE, HOUR, 6 * HOUR]],
  ['paid', true, [INTERVAL, 7 * HOUR, 30 * HOUR], [0, 15 * MINUTE, HOUR]],
] as const)('an %s swap is read later the older it is [settlement-paid-first]', async (_name, isPaid, ages, pauses) => {
  const on = await start()
  const [id = 0] = await storeSwaps(on.store, 1, { isPaid: () => isPaid })
  for (const [index, age] of ages.entries()) {
    on.clock.at = START_AT + age
    await on.engine.settlement.runOnce()
    const pauseMs = ((await on.store.settlement.find(id))?.dueAt ?? 0) - on.clock.at
    const expected = pauses[index] ?? 0
    expect(pauseMs).toBeGreaterThanOrEqual(Math.floor(Math.max(expected * 0.9, soonest(INTERVAL))))
    expect(pauseMs).toBeLessThanOrEqual(Math.ceil(Math.max(expected * 1.1, soonest(INTERVAL))))
  }
})

it('the next reading of a swap is at most one pause away after the clock is set back', async () => {
  const on = await start()
  const [id = 0] = await storeSwaps(on.store, 1)
  on.clock.at += 72 * HOUR
  await on.engine.settlement.runOnce()
  on.clock.at = START_AT
  expect(await on.engine.settlement.runOnce()).toMatchObject({ looked: 1 })
  expect((await on.store.settlement.find(id))?.dueAt).toBeLessThan(START_AT + 7 * HOUR)
})
