import { expect, test } from 'vitest'
import { createKeptList } from '../../../../engine/venues/kit/keptList.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'

const FRESH_MS = 60_000

/** A list whose loads end when they are told to, at a time that is told. */
const aList = () => {
  const time = { now: 0 }
  const loads: PromiseWithResolvers<string>[] = []
  const list = createKeptList({
    clock: { now: () => time.now },
    freshMs: FRESH_MS,
    load: () => {
      const load = Promise.withResolvers<string>()
      loads.push(load)
      return load.promise
    },
  })
  return { list, loads, time }
}

test('all callers share one load, and one who leaves takes nothing from the others', async () => {
  const { list, loads } = aList()
  const leaving = new AbortController()
  const first = list.read(leaving.signal)
  const second = list.read(null)
  leaving.abort()
  await expect(first).rejects.toMatchObject({ name: 'VenueError', kind: 'timeout' })
  loads[0]?.resolve('one')
  expect(await second).toBe('one')
  expect(loads).toHaveLength(1)
})

test('an old list serves while it is renewed, and when it cannot be', async () => {
  const { list, loads, time } = aList()
  const first = list.read(null)
  loads[0]?.resolve('one')
  await first

  time.now = FRESH_MS - 1
  expect([await list.read(null), loads.length]).toEqual(['one', 1])
  time.now = FRESH_MS
  expect([await list.read(null), loads.length]).toEqual(['one', 2])
  loads[1]?.reject(new VenueError('unavailable', 'down'))
  await new Promise(setImmediate)
  expect([await list.read(null), loads.length]).toEqual(['one', 2])

  time.now += 15_000
  expect([await list.read(null), loads.length]).toEqual(['one', 3])
  loads[2]?.resolve('two')
  await new Promise(setImmediate)
  expect(await list.read(null)).toBe('two')
})

test('a first load that fails is told to all who waited, and tried again by the next', async () => {
  const { list, loads } = aList()
  const both = [list.read(null), list.read(AbortSignal.timeout(60_000))]
  loads[0]?.reject(new VenueError('unavailable', 'down'))
  for (const read of both) await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  const next = list.read(null)
  loads[1]?.resolve('one')
  expect(await next).toBe('one')
})

test('what is renewed is as it is told now and kept, and fails with its load, which costs others nothing', async () => {
  const { list, loads } = aList()
  const first = list.read(null)
  loads[0]?.resolve('one')
  await first
  const signal = AbortSignal.timeout(60_000)
  const second = list.renew(signal)
  expect([await list.read(null), loads.length]).toEqual(['one', 2])
  loads[1]?.resolve('two')
  expect([await second, await list.read(null), loads.length]).toEqual(['two', 'two', 2])
  const third = list.renew(signal)
  loads[2]?.reject(new VenueError('unavailable', 'down'))
  await expect(third).rejects.toMatchObject({ kind: 'unavailable' })
  expect([await list.read(null), loads.length]).toEqual(['two', 3])
})

test('what was on its way before is no renewed list, however that ends: those who ask meanwhile share the next', async () => {
  const { list, loads, time } = aList()
  const first = list.read(null)
  loads[0]?.resolve('on')
  await first
  time.now = FRESH_MS
  await list.read(null)
  const signal = AbortSignal.timeout(60_000)
  const both = [list.renew(signal), list.renew(signal)]
  expect(loads).toHaveLength(2)
  loads[1]?.resolve('on')
  await new Promise(setImmediate)
  loads[2]?.resolve('halted')
  expect([...(await Promise.all(both)), await list.read(null), loads.length]).toEqual(['halted', 'halted', 'halted', 3])
  const [third, fourth] = [list.renew(signal), list.renew(signal)]
  loads[3]?.reject(new VenueError('unavailable', 'down'))
  await expect(third).rejects.toMatchObject({ kind: 'unavailable' })
  await new Promise(setImmediate)
  loads[4]?.resolve('on')
  expect(await fourth).toBe('on')
})

test('a clock that is set back keeps no list beyond its time', async () => {
  const { list, loads, time } = aList()
  time.now = 1_000_000
  const first = list.read(null)
  loads[0]?.resolve('one')
  await first
  time.now = 0
  expect([await list.read(null), loads.length]).toEqual(['one', 2])
  expect([await list.read(null), loads.length]).toEqual(['one', 2])
})
