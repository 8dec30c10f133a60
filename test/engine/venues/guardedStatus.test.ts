import { expect, it } from 'vitest'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { guardedVenue } from '../../support/guardedVenue.ts'

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
