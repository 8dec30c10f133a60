import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RankingMode } from '../../../engine/core/order.ts'
import { type Candidate, dropOutliers, rank } from '../../../engine/quoting/rank.ts'
import { firm, offerOf } from '../../support/quoteBench.ts'

const MODES = ['best_output', 'fastest'] as const satisfies readonly RankingMode[]

const venues = (candidates: readonly Candidate[]): string[] => candidates.map(({ offer: { venue } }) => venue)

type Terms = { readonly min?: bigint; readonly seconds?: number; readonly fee?: bigint; readonly isPreview?: true }
/** A fee beside the input that no list can price. */
const UNPRICED = 7n

/** Best first. An amount counts after the fee beside the input. */
const RANKED: { readonly [mode in RankingMode]: readonly (readonly [venue: string, output: bigint, terms: Terms])[] } = {
  best_output: [
    ['most', 101n, { seconds: 60 }],
    ['safe', 100n, { min: 97n }],
    ['safe after the fee', 103n, { min: 99n, fee: 3n, seconds: 60 }],
    ['quick', 100n, { min: 95n, seconds: 5 }],
    ['slow a', 100n, { min: 95n, seconds: 60 }],
    ['slow b', 100n, { min: 95n, seconds: 60 }],
    ['no time', 100n, { min: 95n }],
    ['no minimum', 100n, { seconds: 1 }],
    ['less', 99n, { min: 99n, seconds: 1 }],
    ['dear', 200n, { min: 200n, fee: 150n }],
    ['unpriced fee', 900n, { fee: UNPRICED, seconds: 1 }],
    ['preview', 1_000n, { min: 1_000n, seconds: 0, isPreview: true }],
  ],
  fastest: [
    ['quick, more', 101n, { seconds: 5 }],
    ['quick, safe after the fee', 103n, { min: 99n, fee: 3n, seconds: 5 }],
    ['quick a', 100n, { min: 95n, seconds: 5 }],
    ['quick b', 100n, { min: 95n, seconds: 5 }],
    ['slow', 150n, { seconds: 60 }],
    ['no time', 200n, {}],
    ['unpriced fee', 900n, { fee: UNPRICED, seconds: 1 }],
    ['preview', 900n, { seconds: 0, isPreview: true }],
  ],
}

it.each(MODES)('ranking by %s: offers rank as in the table, in whatever order they arrive [quote-ranking]', (mode) => {
  const ranked = RANKED[mode].map(([venue, output, { min, seconds = null, fee = 0n, isPreview }]) => {
    const slippage = min === undefined ? null : firm(min)
    const terms = { slippage, estimatedTimeSeconds: seconds, nativeFee: fee as never }
    return { offer: offerOf(venue, output, terms), isExecutable: !isPreview }
  })
  const rankOf = (...offered: readonly Candidate[]) =>
    venues(rank(Object.freeze(offered), mode, ({ nativeFee }) => (nativeFee === UNPRICED ? null : nativeFee)))
  for (const [at, better] of ranked.entries())
    for (const worse of ranked.slice(at + 1)) {
      expect(rankOf(better, worse)).toEqual(venues([better, worse]))
      expect(rankOf(worse, better)).toEqual(venues([better, worse]))
    }
  expect(rankOf(...ranked.toReversed())).toEqual(venues(ranked))
})

type Amounts = { readonly [venue: string]: bigint }

const judge = (offered: Amounts, published: Amounts, mode: RankingMode, isReversed = false) => {
  const candidates = Object.entries(offered).map(([venue, amount]) => ({ offer: offerOf(venue, amount), isExecutable: true }))
  const lists = Object.entries(published).map(([venue, amount]) => ({ venue, amount }))
  const order = isReversed ? candidates.toReversed() : candidates
  const { kept, dropped } = dropOutliers(order, { factor: 2, published: lists, mode })
  expect(venues([...kept, ...dropped]).sort()).toEqual(Object.keys(offered).sort())
  return venues(dropped).sort()
}
const [right, wrong] = [1_000_000n, 10n ** 18n]

/** The case, the venues that leave the race, the offers and the price lists by venue. */
const CASES: { readonly [mode in RankingMode]: readonly (readonly [string, readonly string[], Amounts, Amounts])[] } = {
  best_output: [
    ['a single offer, against three lists', [], { a: wrong }, { x: right, y: right, z: right }],
    ['two offers without a second witness', [], { a: right, b: wrong }, {}],
    ['two offers, each with a list of its own', [], { honest: 100n, liar: 9_999n }, { honest: 100n, liar: 9_999n }],
    ['one of two that the list of a third venue contradicts', ['wrong'], { a: right, wrong }, { x: right }],
    ['one of two that is too low by a list', [], { a: right, low: 1n }, { x: right }],
    ['a list that is far too low', [], { a: right, b: right - 5n }, { x: 1n }],
    ['a list that is far too high', [], { a: right, b: right - 5n }, { x: wrong }],
    ['a unit above twice the others', ['above'], { a: 100n, b: 100n, above: 201n }, {}],
    ['twice the others', [], { a: 100n, b: 100n, at: 200n }, {}],
    ['a unit above twice the middle of three others', ['above'], { a: 10n, b: 50n, c: 90n, above: 101n }, {}],
    ['twice the middle of three others', [], { a: 10n, b: 50n, c: 90n, at: 100n }, {}],
    ['a low liar and its own list, against one', [], { a: right, liar: 1n }, { liar: 1n }],
    ['a high liar and its own list, against one and a third list', ['liar'], { a: 100n, liar: 9_999n }, { liar: 9_999n, x: 99n }],
    ['a high liar, against two with lists of their own', ['liar'], { a: 99n, b: 100n, liar: 9_999n }, { a: 99n, b: 100n }],
    ['a high liar, with the list of one other venue', ['liar'], { a: 100n, b: 99n, liar: 9_999n }, { x: 9_999n }],
    ['a thin offer and its own list', [], { a: 100n, thin: 30n }, { thin: 30n }],
    ['a thin offer and a list that lies still lower', [], { a: 100n, thin: 30n }, { liar: 1n }],
    ['two offers that agree, against three lists', [], { a: 100n, b: 99n }, { x: 1n, y: 1n, z: 1n }],
    ['lists that join the least of three offers', [], { a: 100n, b: 60n, thin: 30n }, { x: 1n, y: 1n }],
    ['two others that contradict each other more', ['a'], { a: 100n, thin: 30n, broken: 1n }, {}],
    ['two others that are far apart', ['wrong'], { a: 100n, thin: 30n, wrong: 10_000n }, {}],
    // What remains: two against one.
    ['a thin offer and a liar beside it', ['best'], { best: 100n, thin: 30n, liar: 29n }, {}],
    ['two liars that agree', ['honest'], { honest: 100n, liar: 10n, other: 11n }, {}],
  ],
  fastest: [
    ['one unit, against one and the list of a third venue', ['low'], { a: right, low: 1n }, { x: right }],
    ['two offers without a second witness', [], { a: right, low: 1n }, { low: 1n }],
    ['half of the others', [], { a: 100n, b: 101n, half: 50n }, {}],
    ['a unit below half of the others', ['low'], { a: 100n, b: 101n, low: 49n }, {}],
    ['a unit below half of the middle of three', ['low'], { a: 100n, b: 100n, half: 50n, low: 49n }, {}],
    ['two others that contradict each other more', ['high'], { a: 100n, high: 100_000n, low: 45n }, {}],
    ['a single offer, against two lists', [], { a: 1n }, { x: right, y: right }],
  ],
}

const ALL_CASES = MODES.flatMap((mode) => CASES[mode].map((row) => [mode, ...row] as const))
it.each(ALL_CASES)('outliers, %s: %s: drops %j [quote-ranking]', (mode, _what, dropped, offered, published) => {
  for (const isReversed of [false, true]) expect(judge(offered, published, mode, isReversed)).toEqual(dropped)
})

it.each([
  ['a unit above twice', ['b'], 201n],
  ['twice', [], 200n],
])('outliers: an offer of %s the only other one is kept; without a second witness: %j', (_what, expected, b) => {
  const candidates = Object.entries({ a: 100n, b }).map(([venue, amount]) => ({
    offer: offerOf(venue, amount),
    isExecutable: true,
  }))
  const { kept, unwitnessed } = dropOutliers(candidates, { factor: 2, published: [], mode: 'best_output' })
  expect([kept.length, venues(unwitnessed)]).toEqual([2, expected])
})

it('outliers: one liar, whatever it offers and publishes, removes no honest offer and never stays far above two of them [quote-ranking]', () => {
  const honest = fc.array(fc.bigInt({ min: 101n, max: 200n }), { minLength: 2, maxLength: 6 })
  const lie = fc.bigInt({ min: 1n, max: 1n << 100n })
  fc.assert(
    fc.property(honest, lie, lie, fc.boolean(), fc.constantFrom(...MODES), (amounts, liar, published, isListed, mode) => {
      const offered = { ...Object.fromEntries(amounts.map((amount, i) => [`honest${i}`, amount])), liar }
      const dropped = judge(offered, isListed ? { liar: published } : {}, mode)
      const isFar = liar > 400n || (mode === 'fastest' && liar < 50n)
      expect(isFar ? dropped : dropped.filter((venue) => venue !== 'liar')).toEqual(isFar ? ['liar'] : [])
    }),
    { numRuns: 1_000 },
  )
})
