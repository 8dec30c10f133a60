import { expect, test } from 'vitest'
import { createKeptList } from '../../../../engine/venues/kit/keptList.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'

const FRESH_MS = 60_000
const down = new VenueError('unavailable', 'down')

/** A list whose loads end when a test says so, and the time of its clock. */
const aList = () => {
  const [time, loads] = [{ now: 0 }, [] as PromiseWithResolvers<string>[]]
  const load = () => {
    const next = Promise.withResolvers<string>()
    loads.push(next)
    return next.promise
  }
  const list = createKeptList({ clock: { now: () => time.now }, freshMs: FRESH_MS, load })
  const end = async (at: number, outcome: string | VenueError) => {
    if (typeof outcome === 'string') loads[at]?.resolve(outcome)
    else loads[at]?.reject(outcome)
    await new Promise(setImmediate)
  }
  const renew = () => list.renew(AbortSignal.timeout(60_000))
  /** What a read returns without waiting, and the loads by then. */
  const now = async () => [await list.read(null), loads.length]
  return { list, loads, time, end, renew, now }
}

/** A list that was loaded as `one`. */
const loaded = async () => {
  const made = aList()
  const first = made.list.read(null)
  await made.end(0, 'one')
  await first
  return made
}

test('callers share one load, which continues when one of them leaves', async () => {
  const { list, loads, end } = aList()
  const leaving = new AbortController()
  const [first, second] = [list.read(leaving.signal), list.read(null)]
  leaving.abort()
  await expect(first).rejects.toMatchObject({ name: 'VenueError', kind: 'timeout' })
  await end(0, 'one')
  expect([await second, loads.length]).toEqual(['one', 1])
})

test('a first load that fails ends for all who wait, and the next caller loads again', async () => {
  const { list, end } = aList()
  const both = [list.read(null), list.read(AbortSignal.timeout(60_000))].map((read) => expect(read).rejects.toBe(down))
  await end(0, down)
  await Promise.all(both)
  const next = list.read(null)
  await end(1, 'one')
  expect(await next).toBe('one')
})

test('an old list serves while it is loaded again, and for 15 seconds after a failure without another load', async () => {
  const { time, end, now } = await loaded()
  time.now = FRESH_MS - 1
  expect(await now()).toEqual(['one', 1])
  time.now = FRESH_MS
  expect(await now()).toEqual(['one', 2])
  await end(1, down)
  time.now += 14_999
  expect(await now()).toEqual(['one', 2])
  time.now += 1
  expect(await now()).toEqual(['one', 3])
  await end(2, 'two')
  expect(await now()).toEqual(['two', 3])
})

test.each(['one', down])(
  'a renewal waits for a load of its own after one that was under way and ends with %s',
  async (earlier) => {
    const { time, loads, end, renew, now } = await loaded()
    time.now = FRESH_MS
    await now()
    const both = [renew(), renew()]
    expect(loads).toHaveLength(2)
    await end(1, earlier)
    await end(2, 'halted')
    expect([...(await Promise.all(both)), ...(await now())]).toEqual(['halted', 'halted', 'halted', 3])
    const failing = expect(renew()).rejects.toBe(down)
    await end(3, down)
    await failing
    expect(await now()).toEqual(['halted', 4])
  },
)
