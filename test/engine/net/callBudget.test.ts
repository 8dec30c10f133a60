import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallBudget } from '../../../engine/net/callBudget.ts'

const MINUTE_MS = 60_000

const budgetOf = (callsPerMinute: number | null, at = 1_000_000) => {
  const clock = { at, now: () => clock.at }
  return { clock, budget: createCallBudget(callsPerMinute, clock) }
}

/** How many calls it lets through before it says no. */
const takeAll = ({ budget }: ReturnType<typeof budgetOf>, max = 1_000): number => {
  for (let taken = 0; taken < max; taken += 1) if (!budget.take()) return taken
  return max
}

describe('a budget of calls', () => {
  it.each([
    [50, 40],
    [10, 8],
    [5, 4],
    [4, 4],
    [1, 1],
    [null, 1_000],
  ])('of %s a minute lets %s through at once, and keeps the rest for what must be called', (callsPerMinute, taken) => {
    expect(takeAll(budgetOf(callsPerMinute))).toBe(taken)
  })

  it('is refilled by each call a minute after it, not by the minute of the clock', () => {
    const bench = budgetOf(5)
    expect(bench.budget.take()).toBe(true)
    bench.clock.at += 30_000
    expect(takeAll(bench)).toBe(3)
    bench.clock.at += 30_000 - 1
    expect(takeAll(bench)).toBe(0)
    bench.clock.at += 1
    expect(takeAll(bench)).toBe(1)
    bench.clock.at += 30_000
    expect(takeAll(bench)).toBe(3)
  })

  it('never refuses what must be called, and counts it first', () => {
    const bench = budgetOf(5)
    for (let i = 0; i < 3; i += 1) bench.budget.spend()
    expect(takeAll(bench)).toBe(1)
    for (let i = 0; i < 20; i += 1) bench.budget.spend()
    expect(takeAll(bench)).toBe(0)
    bench.clock.at += MINUTE_MS
    expect(takeAll(bench)).toBe(4)
  })

  it('has back what was not called after all', () => {
    const bench = budgetOf(5)
    expect(takeAll(bench)).toBe(4)
    bench.budget.giveBack()
    expect(takeAll(bench)).toBe(1)
  })

  it('is not used up for longer by a clock that is set back', () => {
    const bench = budgetOf(5)
    expect(takeAll(bench)).toBe(4)
    bench.clock.at -= 3_600_000
    expect(takeAll(bench)).toBe(4)
    bench.clock.at += MINUTE_MS
    expect(takeAll(bench)).toBe(4)
  })

  it('lets no more through in any minute than it says, whatever the times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 100 }),
        (limit, pauses) => {
          const { clock, budget } = budgetOf(limit)
          const takenAt: number[] = []
          for (const pause of pauses) {
            clock.at += pause
            if (budget.take()) takenAt.push(clock.at)
          }
          for (const end of takenAt)
            expect(takenAt.filter((at) => at > end - MINUTE_MS && at <= end).length).toBeLessThanOrEqual(limit)
        },
      ),
    )
  })
})
