import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createPinWatch, describeCheck } from '../../../engine/venues/checkPins.ts'
import type { PinClaim } from '../../../engine/venues/venue.ts'
import { printedLines } from '../../../scripts/drift.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'

const MINUTE = 60_000
const ROUTER = '0xAbCdEf0000000000000000000000000000000001'
const claim = (pinned: readonly string[], published: readonly string[]): PinClaim => ({ what: 'router', pinned, published })

const watchOf = (...sources: readonly (() => Promise<readonly PinClaim[]>)[]) => {
  const events: EngineEvent[] = []
  const pins = sources.map((claims, i) => ({ name: `list ${i + 1}`, claims }))
  const watch = createPinWatch([{ profile: createFakeVenue('fake').profile, pins }], (event) => events.push(event))
  return { watch, events }
}

describe('the watch of pinned values [ops-pin-watch]', () => {
  test.each([
    ['nothing for a pinned value in another case', claim([ROUTER], [ROUTER.toLowerCase()]), null],
    ['a value that is not pinned', claim([ROUTER], [ROUTER, '0x02']), `router: pinned ${ROUTER}, published ${ROUTER}, 0x02`],
    ['a value that is no longer published', claim([ROUTER], []), `router: pinned ${ROUTER}, published nothing`],
    ['an id in another case', claim(['usdc.near'], ['USDC.near']), 'router: pinned usdc.near, published USDC.near'],
  ])('reports %s, after two passes in a row', async (_what, published, difference) => {
    const { watch, events } = watchOf(async () => [published])
    const differences = difference === null ? [] : [difference]
    expect([await watch.check(), await watch.check()]).toEqual([(difference === null ? 360 : 5) * MINUTE, 360 * MINUTE])
    const report = { event: 'venue.pins', venue: 'fake', compared: 1, failures: [] }
    expect(events).toEqual([
      { ...report, differing: 0, differences: [] },
      { ...report, differing: differences.length, differences },
    ])
  })

  test('reports sources that fail or list nothing beside the others, in a bounded event', async () => {
    const long = Array.from({ length: 40 }, () => claim(['0x01'], ['x'.repeat(1_000)]))
    const { watch, events } = watchOf(
      () => Promise.reject(new Error('unreachable')),
      async () => [],
      async () => long,
    )
    expect([await watch.check(), await watch.check()]).toEqual([5 * MINUTE, 30 * MINUTE])
    const failures = ['list 1: unreachable', 'list 2: nothing was compared']
    const differences = Array(20).fill(expect.stringMatching(/^.{300}$/))
    expect(events[1]).toMatchObject({ compared: 40, differing: 40, failures, differences })
  })

  test('compares 20 s after the start and when its wait is over, until it is stopped', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { watch, events } = watchOf(async () => [claim(['0x01'], ['0x01'])])
    const passesAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return events.length
    }
    watch.start()
    expect([await passesAfter(19_999), await passesAfter(1)]).toEqual([0, 1])
    expect([await passesAfter(360 * MINUTE - 1), await passesAfter(1)]).toEqual([1, 2])
    await watch.stop()
    expect(await passesAfter(24 * 60 * MINUTE)).toBe(2)
  })
})

test('drift: prints no control character of a venue', () => {
  const differences = [claim([], ['\u001b[2J\nv: 1'])]
  const lines = describeCheck({ venue: 'v', source: 's', compared: 1, failure: null, differences })
  expect(printedLines(lines)).toBe('v: 1 compared with s: 1 DIFFER\n  router: pinned nothing, published \\u{1b}[2J\\u{a}v: 1\n')
})
