import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createPinWatch, describeCheck } from '../../../engine/venues/checkPins.ts'
import type { PinClaim, PinSource } from '../../../engine/venues/venue.ts'
import { printedLines } from '../../../scripts/drift.ts'
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
  const differences = difference === null ? [] : [difference]
  // What two passes in a row find to differ is reported.
  expect([await watch.check(), await watch.check()]).toEqual([(difference === null ? 360 : 5) * 60_000, 6 * 3_600_000])
  const report = { event: 'venue.pins', venue: 'fake', compared: 1, failures: [] }
  expect(events).toEqual([
    { ...report, differing: 0, differences: [] },
    { ...report, differing: differences.length, differences },
  ])
})

test('pins: a source that fails or lists nothing is a failure, and the other sources are compared', async () => {
  const { watch, events } = watchOf(
    async () => Promise.reject(new Error('unreachable')),
    async () => [],
    async () => Array.from({ length: 40 }, () => claim(['0x01'], ['x'.repeat(1_000)])),
  )
  await watch.check()
  expect(await watch.check()).toBe(30 * 60_000)
  const [, event] = events
  if (event?.event !== 'venue.pins') throw new Error('no report')
  expect(event).toMatchObject({ compared: 40, differing: 40, failures: ['list 1: unreachable', 'list 2: nothing was compared'] })
  expect([event.differences.length, event.differences[0]?.length]).toEqual([20, 300])
})

test('pins: one wrong read is no difference, and a source that fails between two differences hides none', async () => {
  const told = [claim(['0x01'], ['0x02']), claim(['0x01'], ['0x01']), claim(['0x01'], ['0x02']), null, claim(['0x01'], ['0x03'])]
  const { watch, events } = watchOf(async () => {
    const next = told.shift()
    return next ? [next] : Promise.reject(new Error('down'))
  })
  const waits = []
  while (told.length > 0) waits.push((await watch.check()) / 60_000)
  expect(waits).toEqual([5, 360, 5, 30, 360])
  expect(events.map((event) => 'differing' in event && event.differing)).toEqual([0, 0, 0, 0, 1])
})

test('drift: a wrong setting is reported as such, and what a venue publishes moves no cursor', async () => {
  const env = { ...process.env, VENUE_RELAY_SOLVER: '0x' }
  const ended = await promisify(execFile)('node', ['scripts/drift.ts'], { env }).catch((error: unknown) => error)
  expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('VENUE_RELAY_SOLVER must be an EVM address') })
  expect(ended).toMatchObject({ stdout: expect.not.stringContaining('packages') })
  const check = { venue: 'v', source: 's', compared: 1, failure: null }
  const lines = describeCheck({ ...check, differences: [claim([], ['\u001b[2J\nv: 1'])] })
  expect(printedLines(lines)).toBe('v: 1 compared with s: 1 DIFFER\n  router: pinned nothing, published \\u{1b}[2J\\u{a}v: 1\n')
})

test('pins: the watch compares 20 s after the start, every 6 h, and 30 min after a failure, until it is stopped [ops-pin-watch]', async () => {
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
