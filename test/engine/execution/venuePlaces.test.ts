import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createVenuePlaces } from '../../../engine/execution/venuePlaces.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (max: number) => {
  const told: unknown[] = []
  const places = createVenuePlaces(max, (event) => void told.push(event))
  const begun = { count: 0 }
  const ends: (() => void)[] = []
  const hang = () => {
    begun.count += 1
    return new Promise<string>((resolve) => ends.push(() => resolve('done')))
  }
  const ask = (venue = 'slow') =>
    places.within(venue, hang).then(
      (answer) => answer,
      (error: { code: string }) => error.code,
    )
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  return { told, begun, ask, endAll }
}

describe('the places of one venue', () => {
  it('are as many as come where it is quick', async () => {
    const { ask, endAll, told } = start(2)
    const asked = Array.from({ length: 200 }, () => ask())
    await vi.advanceTimersByTimeAsync(1_900)
    endAll()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(told).toEqual([])
  })

  it('are for so many who wait long: others are refused then, and at once from then on, with nothing begun', async () => {
    const { ask, endAll, begun, told } = start(2)
    const asked = Array.from({ length: 5 }, () => ask())
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await Promise.all(asked.slice(2))).toEqual(Array(3).fill('OVERLOADED'))
    expect(await ask()).toBe('OVERLOADED')
    expect(begun.count).toBe(5)
    const other = ask('quick')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told).toEqual([{ event: 'venue.crowded', venue: 'slow', refused: 4, waiting: 2 }])
    endAll()
    expect(await Promise.all([...asked.slice(0, 2), other])).toEqual(['done', 'done', 'done'])
    const next = ask()
    endAll()
    expect(await next).toBe('done')
  })
})
