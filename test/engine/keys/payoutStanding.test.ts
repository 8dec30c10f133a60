import { expect, test } from 'vitest'
import { countsFrom, payoutStanding, replacedBy } from '../../../engine/keys/payoutStanding.ts'
import type { PayoutAddress } from '../../../engine/store/partners.ts'

const HOLD = 72

/** Sets addresses one after the other, by the rules, and tells what was set. */
const history = (...sets: readonly (readonly [address: string, at: number])[]): readonly PayoutAddress[] => {
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

test.each([
  ['nothing was set', [], 0, [null, null]],
  ['the first counts at once', [['a', 5]], 5, ['a', null]],
  [
    'another one waits',
    [
      ['a', 0],
      ['b', 10],
    ],
    10,
    ['a', 'b'],
  ],
  [
    'until the last moment',
    [
      ['a', 0],
      ['b', 10],
    ],
    10 + HOLD - 1,
    ['a', 'b'],
  ],
  [
    'and counts then',
    [
      ['a', 0],
      ['b', 10],
    ],
    10 + HOLD,
    ['b', null],
  ],
  [
    'the same again restarts no hold',
    [
      ['a', 0],
      ['b', 10],
      ['b', 50],
    ],
    10 + HOLD,
    ['b', null],
  ],
  [
    'what counts is taken back to at once',
    [
      ['a', 0],
      ['b', 10],
      ['a', 50],
    ],
    50,
    ['a', null],
  ],
  [
    'and what was to come never does',
    [
      ['a', 0],
      ['b', 10],
      ['a', 50],
    ],
    10 + HOLD,
    ['a', null],
  ],
  [
    'a third replaces the second, which never counts',
    [
      ['a', 0],
      ['b', 10],
      ['c', 50],
    ],
    10 + HOLD,
    ['a', 'c'],
  ],
  [
    'and waits as long',
    [
      ['a', 0],
      ['b', 10],
      ['c', 50],
    ],
    50 + HOLD,
    ['c', null],
  ],
  [
    'what was taken back waits anew',
    [
      ['a', 0],
      ['b', 10],
      ['a', 20],
      ['b', 30],
    ],
    10 + HOLD,
    ['a', 'b'],
  ],
  [
    'one that once counted waits too',
    [
      ['a', 0],
      ['b', 10],
      ['a', 100],
    ],
    100 + HOLD - 1,
    ['b', 'a'],
  ],
] as const)('%s', (_what, sets, now, expected) => {
  expect(standing(history(...sets), now)).toEqual(expected)
  // The marks only save reading: the times alone tell the same.
  expect(standing(unmarked(history(...sets)), now)).toEqual(expected)
})

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
