import { afterEach, expect, test, vi } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createPinWatch } from '../../../engine/venues/checkPins.ts'
import type { PinClaim, PinSource } from '../../../engine/venues/venue.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'

afterEach(() => void vi.useRealTimers())

const ROUTER = '0xAbCdEf0000000000000000000000000000000001'
const claim = (pinned: readonly string[], published: readonly string[]): PinClaim => ({ what: 'router', pinned, published })

const watchOf = (...sources: readonly (() => Promise<readonly PinClaim[]>)[]) => {
  const events: EngineEvent[] = []
  const pins: readonly PinSource[] = sources.map((claims, i) => ({ name: `list ${i + 1}`, claims }))
  const watch = createPinWatch([{ profile: createFakeVenue('fake').profile, pins }], (event) => events.push(event))
  return { watch, events }
}

test.each([
  ['a pinned value in another case', claim([ROUTER], [ROUTER.toLowerCase()]), null],
  ['one of two pinned values during a rotation', claim([ROUTER, '0x02'], ['0x02']), null],
  ['a value that is not pinned', claim([ROUTER], [ROUTER, '0x02']), `router: pinned ${ROUTER}, published ${ROUTER}, 0x02`],
  ['no value any more', claim([ROUTER], []), `router: pinned ${ROUTER}, published nothing`],
  ['a value for which nothing is pinned', claim([], ['0x02']), 'router: pinned nothing, published 0x02'],
  ['another id in another case', claim(['usdc.near'], ['USDC.near']), 'router: pinned usdc.near, published USDC.near'],
])('pins: %s is reported where it differs', async (_what, published, difference) => {
  const { watch, events } = watchOf(async () => [published])
  expect(await watch.check()).toBe(true)
  const differences = difference === null ? [] : [difference]
  const counts = { compared: 1, differing: differences.length }
  expect(events).toEqual([{ event: 'venue.pins', venue: 'fake', ...counts, differences, failures: [] }])
})

test('pins: a source that fails or lists nothing is a failure, and the other sources are compared', async () => {
  const { watch, events } = watchOf(
    async () => Promise.reject(new Error('unreachable')),
    async () => [],
    async () => Array.from({ length: 40 }, () => claim(['0x01'], ['x'.repeat(1_000)])),
  )
  expect(await watch.check()).toBe(false)
  const [event] = events
  if (event?.event !== 'venue.pins') throw new Error('no report')
  expect(event).toMatchObject({ compared: 40, differing: 40, failures: ['list 1: unreachable', 'list 2: nothing was compared'] })
  expect([event.differences.length, event.differences[0]?.length]).toEqual([20, 300])
})

test('pins: the watch compares 20 s after the start, every 6 h, and 30 min after a failure, until it is stopped', async () => {
  vi.useFakeTimers()
  let isDown = true
  const { watch, events } = watchOf(async () => (isDown ? Promise.reject(new Error('down')) : [claim(['0x01'], ['0x01'])]))
  watch.start()
  const passesAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return events.length
  }
  expect(await passesAfter(19_999)).toBe(0)
  expect(await passesAfter(1)).toBe(1)
  isDown = false
  expect(await passesAfter(30 * 60_000)).toBe(2)
  expect(await passesAfter(6 * 3_600_000 - 1)).toBe(2)
  expect(await passesAfter(1)).toBe(3)
  await watch.stop()
  expect(await passesAfter(24 * 3_600_000)).toBe(3)
})
