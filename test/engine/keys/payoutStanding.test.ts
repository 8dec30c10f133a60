import { expect, test } from 'vitest'
import { countsFrom, payoutStanding } from '../../../engine/keys/payoutStanding.ts'
import type { PayoutAddress } from '../../../engine/store/partners.ts'

const HOLD = 72

/** Sets addresses one after the other, by the rules, and tells what was set. */
const history = (...sets: readonly (readonly [address: string, at: number])[]): readonly PayoutAddress[] => {
  const all: PayoutAddress[] = []
  for (const [address, at] of sets) {
    const from = countsFrom(payoutStanding(all, 'evm', at), address, { now: at, holdMs: HOLD })
    if (from !== null) all.push({ ecosystem: 'evm', address, countsFrom: from, createdAt: at })
  }
  return all
}

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
})

test('ecosystems stand apart', () => {
  const solana = { ecosystem: 'solana', address: 's', countsFrom: 0, createdAt: 0 } as const
  expect(standing([...history(['a', 0]), solana], 1)).toEqual(['a', null])
})

test('without a hold every change counts at once', () => {
  const before = payoutStanding(history(['a', 0]), 'evm', 10)
  expect(countsFrom(before, 'b', { now: 10, holdMs: 0 })).toBe(10)
})
