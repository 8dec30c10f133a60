import fc from 'fast-check'
import { expect, it } from 'vitest'
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

const count = (isTaken: () => boolean, max: number): number => {
  for (let taken = 0; taken < max; taken += 1) if (!isTaken()) return taken
  return max
}

/** How many calls the budget allows a caller before it refuses one. */
const takeAll = ({ budget }: ReturnType<typeof open>, caller = a): number => count(() => budget.take(caller) === null, 1_000)
const takeEach = (bench: ReturnType<typeof open>, callers: readonly CallUser[]): number =>
  callers.reduce((sum, caller) => sum + takeAll(bench, caller), 0)
/** Between two calls of a class that uses its part evenly: a quarter of the limit for keys, for others the rest of four fifths. */
const rateMsOf = ({ perMinute, perSecond }: { perMinute?: number; perSecond?: number }, tier: Tier): number => {
  const [max, lengthMs] = perMinute === undefined ? [(perSecond ?? 0) * 4, 4_000] : [perMinute, MINUTE_MS]
  const kept = perMinute === undefined ? 4 * Math.floor((perSecond ?? 0) / 5) : Math.floor(max / 5)
  const ofKeys = Math.max(1, Math.min(Math.ceil(max / 4), Math.floor((max - kept - 1) / 2)))
  return tier === 'anonymous' ? lengthMs / (max - kept - 2 * ofKeys) : Math.max((4 * lengthMs) / max, lengthMs / ofKeys)
}

it.each([
  [50, [10, 7, 9], [14, 12, 14]],
  [4, [1, 1, 1], [1, 1, 2]],
  [3, [1, 1, 1], [1, 1, 1]],
])('call budget: %s a minute allow one caller of each class %j at once, and all callers of a class %j', (perMinute, one, all) => {
  expect(TIERS.map((tier) => takeAll(open({ perMinute }), user('one', tier)))).toEqual(one)
  const bench = open({ perMinute })
  const callers = (tier: Tier) => Array.from({ length: 50 }, (_, i) => user(`${tier} ${i}`, tier))
  expect(TIERS.map((tier) => takeEach(bench, callers(tier)))).toEqual(all)
})

it.each([
  ['/64', [0], 6],
  ['/56', [0, 1, 2, 3, 4], 7],
  ['/48', [0, 0x100, 0x200, 0x300, 0x400, 0x500], 9],
])('call budget: of the 12 calls of anonymous callers one %s leaves some to others', (_network, callers, taken) => {
  // 40 a minute: without refills, and without what other classes lend.
  expect(takeEach(open({ perMinute: 40 }), callers.map(network))).toBe(taken)
})

it.each([
  ['a minute', { perMinute: 10 }, MINUTE_MS],
  ['a second', { perSecond: 5 }, 1_000],
])('call budget: a call is free again after %s, and not a millisecond before', (_length, limits, ms) => {
  const bench = open(limits)
  expect(takeEach(bench, [a, b, c])).toBeGreaterThan(1)
  bench.clock.at += ms - 1
  expect(takeAll(bench, c)).toBe(0)
  bench.clock.at += 1
  expect(takeAll(bench, c)).toBeGreaterThan(0)
})

it('call budget: serves a caller at the rate of its class within 5 seconds, whatever callers of other classes call', () => {
  const limitOf = fc.oneof(
    fc.record({ perMinute: fc.integer({ min: 3, max: 200 }) }),
    fc.record({ perSecond: fc.integer({ min: 1, max: 12 }) }),
  )
  /** Of a quarter of a second: how long after its last call, at the earliest, the caller calls, and how many others call. */
  const stepOf = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 6 }))
  const stepsOf = fc.array(stepOf, { minLength: 300, maxLength: 500 })
  fc.assert(
    fc.property(limitOf, fc.constantFrom(...TIERS), stepsOf, (limit, tier, steps) => {
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
    }),
    { numRuns: 300, endOnFailure: true },
  )
})

it('call budget: allows at most its limit in any minute or second', () => {
  const callers = fc.constantFrom(a, b, user('s', 'selfServe'), user('k', 'enterprise'))
  const calls = fc.array(fc.tuple(fc.double({ min: 0, max: 1 / 3, noNaN: true }), callers), { maxLength: 100 })
  const lengths = fc.constantFrom(['perMinute', MINUTE_MS] as const, ['perSecond', 1_000] as const)
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 20 }), calls, ([limit, lengthMs], max, pauses) => {
      const { clock, budget } = open({ [limit]: max })
      const takenAt: number[] = []
      for (const [pause, caller] of pauses) {
        clock.at += Math.round(pause * lengthMs)
        if (budget.take(caller) === null) takenAt.push(clock.at)
      }
      for (const end of takenAt) expect(takenAt.filter((at) => at > end - lengthMs && at <= end).length).toBeLessThanOrEqual(max)
    }),
  )
})

it('call budget: calls without a result count against their own limit, and leave others their share', () => {
  const { budget, clock } = open({ missesPerMinute: 4 })
  for (let i = 0; i < 1_000; i += 1) if (budget.take(a) === null) budget.miss(a)
  expect([budget.take(a), budget.take(b)]).toEqual(['misses', null])
  clock.at += MINUTE_MS
  expect(budget.take(a)).toBeNull()
})

it('call budget: a pause that the venue requests lasts at most ten minutes, for quotes and status calls', () => {
  const { budget, clock } = open({})
  budget.refused('a', 86_400_000)
  clock.at += 600_000 - 1
  expect([budget.take(a), budget.takeStatus('a')]).toEqual(['pause', 'pause'])
  clock.at += 1
  expect([budget.take(a), budget.takeStatus('a')]).toEqual([null, null])
})

it('call budget: a pause without a requested time is a second, and doubles up to a minute until a call succeeds', () => {
  const { budget, clock } = open({})
  const pauseMs = (): number => {
    // Calls under way together are refused together: one pause.
    for (let i = 0; i < 100; i += 1) budget.refused('a', null)
    const from = clock.at
    while (budget.isPausing('a')) clock.at += 500
    return clock.at - from
  }
  expect(Array.from({ length: 8 }, pauseMs)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000))
  budget.accepted('a')
  expect(pauseMs()).toBe(1_000)
})

it('call budget: a pause holds for the caller that was refused, and for all callers after two were', () => {
  const { budget } = open({})
  budget.refused('a', 60_000)
  expect(budget.take(b)).toBeNull()
  budget.refused('b', 60_000)
  expect(budget.take(c)).toBe('pause')
})

it.each([
  ['half of the limit of the venue for them', { statusPerMinute: 20 }, 10],
  ['a reserved part where all calls count together', { perSecond: 10, perMinute: 50, coverStatus: true }, 2],
  ['half of the misses that the venue tolerates', { statusMissesPerMinute: 10 }, 5],
])('call budget: status calls of the job have %s, and take no other calls', (_what, limits, allowed) => {
  const bench = open(limits)
  const takeEvery = () =>
    count(() => {
      const isTaken = bench.budget.takeStatus('job') === null
      if (isTaken) bench.budget.missStatus()
      return isTaken
    }, 100)
  expect(takeEvery()).toBe(allowed)
  expect(takeAll(bench)).toBe(takeAll(open(limits)))
  bench.clock.at += MINUTE_MS
  expect(takeEvery()).toBe(allowed)
})
