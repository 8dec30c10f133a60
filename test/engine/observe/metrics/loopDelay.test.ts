import { describe, expect, it } from 'vitest'
import { createLoopDelay } from '../../../../engine/observe/metrics/loopDelay.ts'
import { createTestClock } from '../../../support/testEngine.ts'

/** Delays as a loop makes them: every histogram that is on records all of them. */
const createLoop = () => {
  const on = new Set<number[]>()
  return {
    /** ms */
    late: (...delays: readonly number[]): void => {
      for (const recorded of on) recorded.push(...delays.map((ms) => (20 + ms) * 1e6))
    },
    running: () => on.size,
    start: () => {
      const recorded: number[] = []
      on.add(recorded)
      return {
        percentile: (percent: number) =>
          recorded.toSorted((a, b) => a - b)[Math.ceil((percent / 100) * recorded.length) - 1] ?? 511,
        get max() {
          return Math.max(0, ...recorded)
        },
        disable: () => on.delete(recorded),
      }
    },
  }
}

describe('delays of the event loop', () => {
  it('are told to everybody who asks, whoever asked before', () => {
    const [clock, loop] = [createTestClock(), createLoop()]
    const delay = createLoopDelay({ now: clock.now, start: loop.start })
    loop.late(1, 1, 300)
    for (let asked = 0; asked < 6; asked += 1) {
      expect(delay.read()).toEqual({ p50: expect.closeTo(0.001), p99: expect.closeTo(0.3), max: expect.closeTo(0.3) })
      clock.at += 5_000
    }
  })

  it('are those of the last minute, in two histograms at most', () => {
    const [clock, loop] = [createTestClock(), createLoop()]
    const delay = createLoopDelay({ now: clock.now, start: loop.start })
    loop.late(500)
    for (let asked = 0; asked < 12; asked += 1) {
      clock.at += 5_000
      loop.late(2)
      expect(delay.read().max).toBeCloseTo(asked < 11 ? 0.5 : 0.002)
      expect(loop.running()).toBeLessThanOrEqual(2)
    }
  })

  it('are those since it was last asked for, where nobody asks for long', () => {
    const [clock, loop] = [createTestClock(), createLoop()]
    const delay = createLoopDelay({ now: clock.now, start: loop.start })
    loop.late(700)
    clock.at += 3_600_000
    expect(delay.read().max).toBeCloseTo(0.7)
    clock.at += 60_000
    loop.late(3)
    expect(delay.read().max).toBeCloseTo(0.003)
  })

  it('are 0 of a loop that is on time, and before its first turn', () => {
    const [clock, loop] = [createTestClock(), createLoop()]
    const delay = createLoopDelay({ now: clock.now, start: loop.start })
    expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 })
    loop.late(0, 0)
    expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 })
  })
})
