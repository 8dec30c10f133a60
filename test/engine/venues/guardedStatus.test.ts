import { expect, it } from 'vitest'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { guardedVenue } from '../../support/guardedVenue.ts'
import { createTestEngine } from '../../support/testEngine.ts'

it('counts each swap that settlement follows once: five whose statuses fail make the venue unhealthy, and quotes go on', async () => {
  const fake = createFakeVenue('best')
  fake.script.track = async () => {
    throw new VenueError('unavailable', 'scripted')
  }
  const venue = guardedVenue(fake)
  const calling = { observe: () => undefined, client: 'settlement', canWait: true, signal: new AbortController().signal } as const
  const follow = async (ref: string) => {
    for (let i = 0; i < 3; i += 1) await venue.tracker?.track(ref, {} as never, calling).catch(() => undefined)
  }
  for (const ref of ['a', 'b', 'c', 'd']) await follow(ref)
  expect(venue.trouble).toBeNull()
  await follow('e')
  expect([venue.trouble, venue.failing, venue.isResting]).toEqual(['failing', ['status'], false])
})

it('a wall clock that is set forth and back does not lift the limits of a venue', async () => {
  const venue = createFakeVenue('best', { profile: { limits: { requestsPerMinute: 5 } } })
  const { engine, clock, context } = await createTestEngine({ venues: [venue], monotonic: () => 0 })
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  for (const minutes of [2, -2, 2, -2, 2, -2]) {
    clock.at += minutes * 60_000
    await engine.quote(order, context).catch(() => undefined)
  }
  expect(venue.calls.quote.length).toBeLessThanOrEqual(5)
})
