import { expect, it } from 'vitest'
import { createLoopDelay } from '../../../../engine/observe/metrics/loopDelay.ts'
import { createTestClock } from '../../../support/testEngine.ts'

/** A loop whose delays a test sets, ms. Every running histogram records all of them. */
const open = () => {
  const clock = createTestClock()
  const running = new Set<number[]>()
  const start = () => {
    const recorded: number[] = []
    running.add(recorded)
    return {
      percentile: (percent: number) =>
        recorded.toSorted((a, b) => a - b)[Math.ceil((percent / 100) * recorded.length) - 1] ?? 511,
      get max() {
        return Math.max(0, ...recorded)
      },
      disable: () => running.delete(recorded),
    }
  }
  const late = (...delays: readonly number[]) => {
    for (const recorded of running) recorded.push(...delays.map((ms) => (20 + ms) * 1e6))
  }
  return { clock, late, running, delay: createLoopDelay({ now: clock.now, start }) }
}

it('loop delay: is 0 before the first turn and while the loop is in time', () => {
  const { late, delay } = open()
  expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 })
  late(0, 0)
  expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 })
})

it('loop delay: every reader receives the delays of the last minute, from two histograms at most', () => {
  const { clock, late, running, delay } = open()
  late(1, 1, 300)
  expect(delay.read()).toEqual({ p50: expect.closeTo(0.001), p99: expect.closeTo(0.3), max: expect.closeTo(0.3) })
  for (let read = 0; read < 12; read += 1) {
    clock.at += 5_000
    late(2)
    expect(delay.read().max).toBeCloseTo(read < 11 ? 0.3 : 0.002)
    expect(running.size).toBeLessThanOrEqual(2)
  }
})

it('loop delay: a reader after an hour receives the delays since the last read', () => {
  const { clock, late, delay } = open()
  late(700)
  clock.at += 3_600_000
  expect(delay.read().max).toBeCloseTo(0.7)
  clock.at += 60_000
  late(3)
  expect(delay.read().max).toBeCloseTo(0.003)
})
