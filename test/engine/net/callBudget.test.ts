import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tier } from '../../../engine/core/caller.ts'
import { type CallLimits, createCallBudget } from '../../../engine/net/callBudget.ts'
import type { CallUser } from '../../../engine/net/callWindow.ts'

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

const user = (client: string, tier: Tier = 'anonymous'): CallUser => ({ tier, partnerId: client, client })
const [a, b, c] = [user('a'), user('b'), user('c')]
/** One /64 of the /48 and the /56. */
const network = (at: number): CallUser => user(`2001:db8:0:${at.toString(16)}::/64`)

const TIERS = ['enterprise', 'selfServe', 'anonymous'] as const

const budgetOf = (perMinute: number | null) => open({ perMinute })

/** How many calls it lets through before it says no. */
const takeAll = ({ budget }: ReturnType<typeof budgetOf>, caller = a, max = 1_000): number => {
  for (let taken = 0; taken < max; taken += 1) if (budget.take(caller) !== null) return taken
  return max
}

/** Between two calls of a class that uses its part evenly: a quarter of the limit for keys, for others the rest of four fifths. */
const rateMsOf = ({ perMinute, perSecond }: { perMinute?: number; perSecond?: number }, tier: Tier): number => {
  const [max, lengthMs] = perMinute === undefined ? [(perSecond ?? 0) * 4, 4_000] : [perMinute, MINUTE_MS]
  const kept = perMinute === undefined ? 4 * Math.floor((perSecond ?? 0) / 5) : Math.floor(max / 5)
  const ofKeys = Math.max(1, Math.min(Math.ceil(max / 4), Math.floor((max - kept - 1) / 2)))
  return tier === 'anonymous' ? lengthMs / (max - kept - 2 * ofKeys) : Math.max((4 * lengthMs) / max, lengthMs / ofKeys)
}

describe('a budget of calls', () => {
  it.each([
    [100, [21, 15, 17], [28, 24, 28]],
    [50, [10, 7, 9], [14, 12, 14]],
    [10, [2, 1, 1], [3, 3, 2]],
    [4, [1, 1, 1], [1, 1, 2]],
    [3, [1, 1, 1], [1, 1, 1]],
  ])(
    'of %s a minute gives one caller of each class %j at once, and all callers of one class after the other %j',
    (limit, one, all) => {
      expect(TIERS.map((tier) => takeAll(budgetOf(limit), user('one', tier)))).toEqual(one)
      const bench = budgetOf(limit)
      const ofClass = (tier: Tier): number => {
        let calls = 0
        for (let i = 0; i < 50; i += 1) calls += takeAll(bench, user(`${tier} ${i}`, tier))
        return calls
      }
      expect(TIERS.map(ofClass)).toEqual(all)
    },
  )

  it('is no limit where there is none', () => {
    expect(takeAll(budgetOf(null))).toBe(1_000)
  })

  it('leaves to others most of what one /64, one /56 and one /48 cannot take', () => {
    const takenBy = (networks: readonly CallUser[]): number => {
      // Without what other classes lend, and without what refills.
      const bench = budgetOf(40)
      return networks.reduce((sum, caller) => sum + takeAll(bench, caller), 0)
    }
    // 12 of 40 are for anonymous callers.
    expect(takenBy([network(0)])).toBe(6)
    expect(takenBy([0, 1, 2, 3, 4].map(network))).toBe(7)
    expect(takenBy([0, 0x100, 0x200, 0x300, 0x400, 0x500].map(network))).toBe(9)
  })

  it('is refilled by each call a minute after it, not by the minute of the clock', () => {
    const bench = budgetOf(10)
    expect(bench.budget.take(a)).toBeNull()
    bench.clock.at += 30_000
    expect(bench.budget.take(b)).toBeNull()
    bench.clock.at += 30_000 - 1
    expect(takeAll(bench, c)).toBe(0)
    bench.clock.at += 1
    expect(takeAll(bench, c)).toBe(1)
  })

  it('never refuses what must be called, and counts it as far as the part of its caller goes', () => {
    const bench = budgetOf(10)
    for (let i = 0; i < 1_000; i += 1) bench.budget.spend(a)
    expect([takeAll(bench, a), takeAll(bench, b), takeAll(bench, c)]).toEqual([0, 1, 0])
    bench.clock.at += MINUTE_MS
    expect([takeAll(bench, a), takeAll(bench, b)]).toEqual([1, 1])
  })

  it('has back what was not called after all', () => {
    const bench = budgetOf(10)
    expect(takeAll(bench, a)).toBe(1)
    bench.budget.giveBack(a)
    expect(takeAll(bench, a)).toBe(1)
  })

  it('is not used up for longer by a clock that is set back', () => {
    const bench = budgetOf(50)
    expect(takeAll(bench, a)).toBe(9)
    bench.clock.at -= 3_600_000
    expect(takeAll(bench, a)).toBe(9)
    bench.clock.at += MINUTE_MS
    expect(takeAll(bench, a)).toBe(9)
  })

  it.each([
    ['waits', 1_000, ['limit', null]],
    ['left 5 seconds ago', 5_001, [null, 'limit']],
  ])('lets the caller with the fewest calls go first: the one that %s', (_what, laterMs, taken) => {
    const { budget, clock } = budgetOf(10)
    expect(budget.take(a)).toBeNull()
    clock.at += 30_000
    expect(budget.take(b)).toBeNull()
    clock.at += 29_000
    expect(budget.take(c)).toBe('limit')
    clock.at += laterMs
    expect([budget.take(b), budget.take(c)]).toEqual(taken)
  })

  it('serves a caller that asks at the rate of its class within 5 seconds, whatever callers of other classes ask', () => {
    const limitOf = fc.oneof(
      fc.record({ perMinute: fc.integer({ min: 3, max: 200 }) }),
      fc.record({ perSecond: fc.integer({ min: 1, max: 12 }) }),
    )
    /** Of a quarter of a second: how long after its last call, at the earliest, the caller asks, and how many others ask. */
    const stepOf = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 6 }))
    fc.assert(
      fc.property(
        limitOf,
        fc.constantFrom(...TIERS),
        fc.array(stepOf, { minLength: 300, maxLength: 500 }),
        (limit, tier, steps) => {
          // Of one call a second, anonymous callers have what the keys leave.
          fc.pre(!('perSecond' in limit && limit.perSecond === 1 && tier === 'anonymous'))
          const { clock, budget } = open(limit)
          const others = TIERS.filter((other) => other !== tier)
          const owner = user('owner', tier)
          let [asksAt, askedAt, turn] = [clock.at, null as number | null, 0]
          for (const [late, crowd] of steps) {
            for (let i = 0; i < crowd; i += 1, turn += 1) budget.take(user(`crowd ${turn % 17}`, others[turn % 2] as Tier))
            if (askedAt === null && clock.at >= asksAt + late * 250) askedAt = clock.at
            if (askedAt !== null && budget.take(owner) === null) {
              expect(clock.at - askedAt).toBeLessThanOrEqual(5_000)
              asksAt = askedAt + rateMsOf(limit, tier)
              askedAt = null
            }
            if (askedAt !== null) expect(clock.at - askedAt).toBeLessThan(5_000)
            clock.at += 250
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
  })

  it('lets no more through in any minute than it says, whatever the times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(a, b, user('s', 'selfServe'), user('k', 'enterprise'))),
          {
            maxLength: 100,
          },
        ),
        (limit, pauses) => {
          const { clock, budget } = budgetOf(limit)
          const takenAt: number[] = []
          for (const [pause, caller] of pauses) {
            clock.at += pause
            if (budget.take(caller) === null) takenAt.push(clock.at)
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
    expect([takeAll(bench, a), takeAll(bench, b), takeAll(bench, c)]).toEqual([3, 1, 0])
    bench.clock.at += 999
    expect(takeAll(bench, c)).toBe(0)
    bench.clock.at += 1
    expect(takeAll(bench, c)).toBe(3)
  })

  it('count what ended without what was asked for, and leave others their part of that too', () => {
    const { budget, clock } = open({ missesPerMinute: 4 })
    for (let i = 0; i < 1_000; i += 1) if (budget.take(a) === null) budget.miss(a)
    expect([budget.take(a), budget.take(b)]).toEqual(['misses', null])
    clock.at += MINUTE_MS
    expect(budget.take(a)).toBeNull()
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
      expect(budget.take(a)).toBe('pause')
      clock.at += 1
      expect(budget.take(a)).toBeNull()
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
    expect(budget.take(b)).toBeNull()
    budget.refused('b', 60_000)
    expect(budget.take(c)).toBe('pause')
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
