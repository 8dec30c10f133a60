import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createVenuePlaces } from '../../../engine/execution/venuePlaces.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Two may wait long for one venue. */
const start = () => {
  const [events, ends]: [unknown[], (() => void)[]] = [[], []]
  const places = createVenuePlaces(2, (event) => void events.push(event))
  let begun = 0
  const hang = () => {
    begun += 1
    return new Promise<string>((resolve) => ends.push(() => resolve('done')))
  }
  const call = (venue = 'slow') => places.within(venue, hang).catch(({ code }: { code: string }) => code)
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  return { events, call, endAll, begun: () => begun }
}

it('venue places: a venue serves any number of callers for two seconds, then its maximum, and refuses others with OVERLOADED', async () => {
  const { call, endAll, begun, events } = start()
  const fast = Array.from({ length: 200 }, () => call())
  await vi.advanceTimersByTimeAsync(1_900)
  endAll()
  expect(new Set(await Promise.all(fast))).toEqual(new Set(['done']))
  const calls = Array.from({ length: 5 }, () => call())
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await Promise.all(calls.slice(2))).toEqual(Array(3).fill('OVERLOADED'))
  expect(await call()).toBe('OVERLOADED')
  expect(begun()).toBe(205)
  const other = call('quick')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(events).toEqual([{ event: 'venue.crowded', venue: 'slow', refused: 4, waiting: 2 }])
  endAll()
  expect(await Promise.all([...calls.slice(0, 2), other])).toEqual(['done', 'done', 'done'])
  const next = call()
  endAll()
  expect(await next).toBe('done')
})
