import { expect, test } from 'vitest'
import { countsFrom, payoutStanding, replacedBy } from '../../../engine/keys/payoutStanding.ts'
import type { PayoutAddress } from '../../../engine/store/partners.ts'
import cases from './payoutStanding.json' with { type: 'json' }

/** The cases count with it. */
const HOLD = 72

type Sets = readonly (readonly [address: string, at: number])[]

/** Sets addresses one after the other, by the rules, and tells what was set. */
const history = (...sets: Sets): readonly PayoutAddress[] => {
  let all: readonly PayoutAddress[] = []
  for (const [address, at] of sets) {
    const before = payoutStanding(all, 'evm', at)
    const from = countsFrom(before, address, { now: at, holdMs: HOLD })
    if (from === null) continue
    const replaced = replacedBy(before, from, at).map(({ id }) => id)
    all = all.map((one) => (replaced.includes(one.id) ? { ...one, replacedAt: at } : one))
    all = [...all, { id: all.length, ecosystem: 'evm', address, countsFrom: from, replacedAt: null, createdAt: at }]
  }
  return all
}

const unmarked = (all: readonly PayoutAddress[]) => all.map((one) => ({ ...one, replacedAt: null }))

const standing = (all: readonly PayoutAddress[], now: number) => {
  const { counts, awaited } = payoutStanding(all, 'evm', now)
  return [counts?.address ?? null, awaited?.address ?? null]
}

test.each(cases as unknown as readonly [string, Sets, number, readonly (string | null)[]][])(
  '%s',
  (_what, sets, now, expected) => {
    expect(standing(history(...sets), now)).toEqual(expected)
    // The marks only save reading: the times alone tell the same.
    expect(standing(unmarked(history(...sets)), now)).toEqual(expected)
  },
)

test('however often it is changed, few stand', () => {
  const sets = Array.from({ length: 200 }, (_, i) => [i % 2 === 0 ? 'a' : 'b', i] as const)
  expect(history(...sets)).toHaveLength(200)
  expect(history(...sets).filter(({ replacedAt }) => replacedAt === null)).toHaveLength(2)
})

test('ecosystems stand apart', () => {
  const solana = { id: 9, ecosystem: 'solana', address: 's', countsFrom: 0, replacedAt: null, createdAt: 0 } as const
  expect(standing([...history(['a', 0]), solana], 1)).toEqual(['a', null])
})

test('without a hold every change counts at once', () => {
  const before = payoutStanding(history(['a', 0]), 'evm', 10)
  expect(countsFrom(before, 'b', { now: 10, holdMs: 0 })).toBe(10)
})
