import { expect, it } from 'vitest'
import { MAX_AMOUNT } from '../../../engine/core/amount.ts'
import type { ToldRace, ToldRun } from '../../../engine/core/toldRace.ts'
import { PACKED_RACE_MAX, packRace, unpackRace } from '../../../engine/quoting/packedRace.ts'

const race = (runs: readonly ToldRun[], wish: Partial<ToldRace> = {}): ToldRace => ({
  mode: 'best_output',
  runs,
  unwilling: [],
  reference: null,
  ...wish,
})
const most = { amount: `${MAX_AMOUNT}`, minimum: `${MAX_AMOUNT}` }
const MOST = MAX_AMOUNT.toString(36)
const OTHERS = { dropped: 'd', decline: 'n', rejected: 'r', timeout: 't', failure: 'f', cut: 'c', skipped: 's' } as const

it.each<[string, ToldRace, string]>([
  ['an offer', race([{ venue: 'v2', outcome: 'offer', rank: 1, elapsedMs: 40, amount: '36' }]), 'b;v2,o14,,10'],
  [
    'previews with a reference price, the greatest amounts and fees with and without a price',
    race(
      [
        { venue: 'near-intents', outcome: 'offer', rank: 1, elapsedMs: 0, ...most, feeCost: '0' },
        { venue: 'lifi', outcome: 'offer', rank: 2, elapsedMs: 60_000, amount: '5', feeCost: null, isPreview: true },
      ],
      { mode: 'fastest', reference: `${MAX_AMOUNT}` },
    ),
    `f${MOST};near-intents,o0,,${MOST},${MOST},0;lifi,o1aao,,5,,?,p`,
  ],
  ...Object.entries(OTHERS).map(([outcome, letter]): [string, ToldRace, string] => [
    `a venue without an offer: ${outcome}`,
    race([{ venue: 'toy', outcome: outcome as keyof typeof OTHERS, elapsedMs: 5, kind: 'badResponse' }]),
    `b;toy,${letter}5,badResponse`,
  ]),
])('a packed race holds %s, and unpacks to the same race', (_what, whole, packed) => {
  expect(packRace(whole)).toBe(packed)
  expect(unpackRace(packed)).toEqual(whole)
})

it('a race that is longer than its share of a token is not packed', () => {
  const run: ToldRun = { venue: 'v'.repeat(PACKED_RACE_MAX - 5), outcome: 'cut', elapsedMs: 1 }
  expect(packRace(race([run]))).toHaveLength(PACKED_RACE_MAX)
  expect(packRace(race([{ ...run, venue: `${run.venue}v` }]))).toBeNull()
})

it.each(['', 'b;toy', 'b;toy,x1', 'b!;toy,o1'])('a text of another version unpacks to no race: "%s"', (packed) => {
  expect(unpackRace(packed)).toBeNull()
})
