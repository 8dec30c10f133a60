import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CallLimits, createCallBudget } from '../../../engine/net/callBudget.ts'

const MINUTE_MS = 60_000

const NONE: CallLimits = {
  perSecond: null,
  perMinute: null,
  missesPerMinute: null,
  statusPerMinute: null,
  statusMissesPerMinute: null,
  coverStatus: false,
}

const open = (limits: Partial<CallLimits>, at = 1_000_000) => {
  const clock = { at, now: () => clock.at }
  return { clock, budget: createCallBudget({ ...NONE, ...limits }, clock) }
}

const budgetOf = (perMinute: number | null) => open({ perMinute })

/** How many calls it lets through before it says no. */
const takeAll = ({ budget }: ReturnType<typeof budgetOf>, client = 'a', max = 1_000): number => {
  for (let taken = 0; taken < max; taken += 1) if (budget.take(client) !== null) return taken
  return max
}

describe('a budget of calls', () => {
  it.each([
    [50, 30, 7, 40],
    [10, 6, 1, 8],
    [5, 3, 1, 4],
    [4, 3, 1, 4],
    [1, 1, 0, 1],
    [null, 1_000, 1_000, null],
  ])(
    'of %s a minute lets one client have %s and the next %s, of %s in all; the rest is kept for what must be called',
    (limit, first, second, all) => {
      const bench = budgetOf(limit)
      expect([takeAll(bench, 'a'), takeAll(bench, 'b')]).toEqual([first, second])
      const others = Array.from({ length: 50 }, (_, i) => takeAll(bench, `c${i}`)).reduce((sum, taken) => sum + taken, 0)
      if (all !== null) expect(first + second + others).toBe(all)
    },
  )

  it('is refilled by each call a minute after it, not by the minute of the clock', () => {
    const bench = budgetOf(5)
    expect(bench.budget.take('a')).toBeNull()
    bench.clock.at += 30_000
    expect(takeAll(bench)).toBe(2)
    bench.clock.at += 30_000 - 1
    expect(takeAll(bench)).toBe(0)
    bench.clock.at += 1
    expect(takeAll(bench)).toBe(1)
    bench.clock.at += 30_000
    expect(takeAll(bench)).toBe(2)
  })

  it('never refuses what must be called, and counts it first', () => {
    const bench = budgetOf(5)
    for (let i = 0; i < 2; i += 1) bench.budget.spend('a')
    expect(takeAll(bench)).toBe(1)
    for (const client of ['b', 'c', 'd']) bench.budget.spend(client)
    expect(takeAll(bench, 'e')).toBe(0)
    bench.clock.at += MINUTE_MS
    expect(takeAll(bench)).toBe(3)
  })

  it('counts what one client must call against the others only as far as its own part goes', () => {
    const bench = budgetOf(5)
    for (let i = 0; i < 1_000; i += 1) bench.budget.spend('a')
    expect([takeAll(bench, 'a'), takeAll(bench, 'b')]).toEqual([0, 1])
  })

  it('has back what was not called after all', () => {
    const bench = budgetOf(5)
    expect(takeAll(bench)).toBe(3)
    bench.budget.giveBack('a')
    expect(takeAll(bench)).toBe(1)
  })

  it('is not used up for longer by a clock that is set back', () => {
    const bench = budgetOf(5)
    expect(takeAll(bench)).toBe(3)
    bench.clock.at -= 3_600_000
    expect(takeAll(bench)).toBe(3)
    bench.clock.at += MINUTE_MS
    expect(takeAll(bench)).toBe(3)
  })

  it('lets no more through in any minute than it says, whatever the times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom('a', 'b', 'c')), { maxLength: 100 }),
        (limit, pauses) => {
          const { clock, budget } = budgetOf(limit)
          const takenAt: number[] = []
          for (const [pause, client] of pauses) {
            clock.at += pause
            if (budget.take(client) === null) takenAt.push(clock.at)
          }
          for (const end of takenAt)
            expect(takenAt.filter((at) => at > end - MINUTE_MS && at <= end).length).toBeLessThanOrEqual(limit)
        },
      ),
    )
  })
})

describe('other limits', () => {
  it('hold for a second', () => {
    const bench = open({ perSecond: 5, perMinute: 50 })
    expect(takeAll(bench)).toBe(3)
    bench.clock.at += 999
    expect(takeAll(bench)).toBe(0)
    bench.clock.at += 1
    expect(takeAll(bench)).toBe(3)
  })

  it('count what ended without what was asked for, and leave others their part of that too', () => {
    const { budget, clock } = open({ missesPerMinute: 4 })
    for (let i = 0; i < 1_000; i += 1) if (budget.take('a') === null) budget.miss('a')
    expect([budget.take('a'), budget.take('b')]).toEqual(['misses', null])
    clock.at += MINUTE_MS
    expect(budget.take('a')).toBeNull()
  })
})

describe('a pause that the far side asks for', () => {
  it('is kept to the millisecond, and is no longer than ten minutes', () => {
    for (const [asked, kept] of [
      [7_000, 7_000],
      [86_400_000, 600_000],
    ] as const) {
      const { budget, clock } = open({})
      budget.refused('a', asked)
      clock.at += kept - 1
      expect(budget.take('a')).toBe('pause')
      clock.at += 1
      expect(budget.take('a')).toBeNull()
    }
  })

  it('is a second where none is told, doubling to a minute until a call is accepted', () => {
    const { budget, clock } = open({})
    const pauseOf = (): number => {
      budget.refused('a', null)
      const from = clock.at
      while (budget.isPausing('a')) clock.at += 500
      return clock.at - from
    }
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(pauseOf)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000))
    budget.accepted('a')
    expect(pauseOf()).toBe(1_000)
  })

  it('is one for all calls that were refused together', () => {
    const { budget, clock } = open({})
    for (let i = 0; i < 100; i += 1) budget.refused('a', null)
    clock.at += 1_000
    expect(budget.isPausing('a')).toBe(false)
  })

  it('is for whoever was refused, and for all once two were', () => {
    const { budget } = open({})
    budget.refused('a', 60_000)
    expect(budget.take('b')).toBeNull()
    budget.refused('b', 60_000)
    expect(budget.take('c')).toBe('pause')
  })
})

describe('status asks for nobody who waits', () => {
  const asked = (budget: ReturnType<typeof open>['budget'], max = 100): number => {
    for (let taken = 0; taken < max; taken += 1) if (budget.takeStatus('job') !== null) return taken
    return max
  }

  it('have the half of what the venue allows them, refilled a minute after each', () => {
    const { budget, clock } = open({ statusPerMinute: 20 })
    expect(asked(budget)).toBe(10)
    expect(budget.takeStatus('job')).toBe('limit')
    clock.at += MINUTE_MS
    expect(asked(budget)).toBe(10)
  })

  it('take no call of anybody’s, and have the kept part where all calls count together', () => {
    const bench = open({ perSecond: 10, perMinute: 50, coverStatus: true })
    expect(asked(bench.budget)).toBe(2)
    const fresh = open({ perSecond: 10, perMinute: 50, coverStatus: true })
    expect(takeAll(bench)).toBe(takeAll(fresh))
  })

  it('stop before what found nothing, whoever asked, is held against all', () => {
    const { budget, clock } = open({ statusMissesPerMinute: 10 })
    for (let i = 0; i < 5; i += 1) budget.missStatus()
    expect(budget.takeStatus('job')).toBe('misses')
    clock.at += MINUTE_MS
    expect(budget.takeStatus('job')).toBeNull()
  })

  it('pause where the venue wants it, and go on without a limit where there is none', () => {
    const { budget } = open({})
    expect(asked(budget, 1_000)).toBe(1_000)
    budget.refused('job', 5_000)
    expect(budget.takeStatus('job')).toBe('pause')
  })
})
