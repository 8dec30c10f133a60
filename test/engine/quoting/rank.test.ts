import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { RankingMode } from '../../../engine/core/order.ts'
import { type Candidate, dropOutliers, type NativeFeeWorth, rank as rankBy } from '../../../engine/quoting/rank.ts'

const offer = (venue: string, outputAmount: bigint, rest: Partial<Offer> = {}): Offer => ({
  venue,
  executionType: 'TRANSACTION',
  outputAmount: toAmount(outputAmount),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: null,
  gasUnits: null,
  spender: null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: null,
  ...rest,
})

const candidate = (venue: string, outputAmount: bigint, rest: Partial<Offer> = {}, isExecutable = true): Candidate => ({
  offer: offer(venue, outputAmount, rest),
  isExecutable,
})

/** As in most quotes: nothing is taken beside the input. */
const rank = (offered: readonly Candidate[], mode: RankingMode, worthOf: NativeFeeWorth = () => 0n) =>
  rankBy(offered, mode, worthOf)

const slippage = (guaranteedMin: bigint): Offer['slippage'] => ({ isFirm: true, guaranteedMin: toAmount(guaranteedMin) })

const venues = (candidates: readonly Candidate[]): string[] => candidates.map(({ offer: { venue } }) => venue)

const MODES = ['best_output', 'fastest'] as const satisfies readonly RankingMode[]

/** Few distinct values, so that ties are common. */
const fields = fc.record({
  output: fc.bigInt({ min: 1n, max: 4n }),
  minimum: fc.option(fc.bigInt({ min: 0n, max: 3n })),
  seconds: fc.option(fc.integer({ min: 0, max: 3 })),
  isExecutable: fc.boolean(),
})

const field = fc
  .array(fields, { minLength: 1, maxLength: 8 })
  .map((all) =>
    all.map(({ output, minimum, seconds, isExecutable }, i) =>
      candidate(
        `v${i}`,
        output,
        { estimatedTimeSeconds: seconds, slippage: minimum === null ? null : slippage(minimum) },
        isExecutable,
      ),
    ),
  )

/** The ranking rule as the documents state it, in one sortable line: smaller is better. */
const keyOf = (
  { offer: { outputAmount, slippage: bound, estimatedTimeSeconds, venue }, isExecutable }: Candidate,
  mode: RankingMode,
): string => {
  const down = (value: bigint) => (10n ** 20n - value).toString().padStart(21, '0')
  const output = `${down(outputAmount)}|${down(bound?.guaranteedMin ?? 0n)}`
  const time = String(estimatedTimeSeconds ?? 10 ** 9).padStart(10, '0')
  return [isExecutable ? 0 : 1, ...(mode === 'fastest' ? [time, output] : [output, time]), venue].join('|')
}

describe('the ranking', () => {
  it('comes out the same whatever order the offers came in', () => {
    fc.assert(
      fc.property(field, fc.constantFrom(...MODES), fc.infiniteStream(fc.nat()), (offered, mode, entropy) => {
        const shuffled = offered.map((one) => ({ one, at: entropy.next().value ?? 0 })).sort((a, b) => a.at - b.at)
        expect(
          rank(
            shuffled.map(({ one }) => one),
            mode,
          ),
        ).toEqual(rank(offered, mode))
      }),
    )
  })

  it('is a total order that follows the stated rule, loses nobody and invents nobody [quote-ranking]', () => {
    fc.assert(
      fc.property(field, fc.constantFrom(...MODES), (offered, mode) => {
        const ranked = rank(offered, mode)
        const byRule = [...offered].sort((a, b) => (keyOf(a, mode) < keyOf(b, mode) ? -1 : 1))
        expect(venues(ranked)).toEqual(venues(byRule))
      }),
      { numRuns: 500 },
    )
  })

  it('never puts a preview before an executable offer', () => {
    fc.assert(
      fc.property(field, fc.constantFrom(...MODES), (offered, mode) => {
        const flags = rank(offered, mode).map(({ isExecutable }) => isExecutable)
        expect(flags).toEqual([...flags].sort((a, b) => Number(b) - Number(a)))
      }),
    )
  })

  it('goes by what is left of the output after the fee beside the input', () => {
    const fees: { readonly [venue: string]: bigint } = { gross: 3n, small: 1n }
    const offered = [
      candidate('gross', 102n, { slippage: slippage(102n) }),
      candidate('plain', 100n, { slippage: slippage(95n) }),
      candidate('small', 101n, { slippage: slippage(97n) }),
    ]
    // 99, 100 and 100 are left; of the two alike the higher guarantee after the fee wins.
    expect(venues(rank(offered, 'best_output', ({ venue }) => fees[venue] ?? 0n))).toEqual(['small', 'plain', 'gross'])
    expect(venues(rank(offered, 'best_output'))).toEqual(['gross', 'small', 'plain'])
  })

  it('puts an offer whose fee cannot be priced behind those whose cost is known, but no preview before it', () => {
    const offered = [
      candidate('unpriced', 900n, { estimatedTimeSeconds: 1 }),
      candidate('plain', 1n, { estimatedTimeSeconds: 60 }),
      candidate('preview', 1_000n, {}, false),
    ]
    for (const mode of MODES)
      expect(venues(rank(offered, mode, ({ venue }) => (venue === 'unpriced' ? null : 0n)))).toEqual([
        'plain',
        'unpriced',
        'preview',
      ])
  })

  it('leaves what it was given untouched', () => {
    const offered = Object.freeze([candidate('a', 1n), candidate('b', 2n)])
    expect(venues(rank(offered, 'best_output'))).toEqual(['b', 'a'])
    expect(venues(offered)).toEqual(['a', 'b'])
  })

  it('best_output: more output, then the higher guarantee, then less time', () => {
    const offered = [
      candidate('less', 99n, { slippage: slippage(99n), estimatedTimeSeconds: 1 }),
      candidate('unbound', 100n, { estimatedTimeSeconds: 1 }),
      candidate('slow', 100n, { slippage: slippage(90n), estimatedTimeSeconds: 60 }),
      candidate('quick', 100n, { slippage: slippage(90n), estimatedTimeSeconds: 5 }),
      candidate('safe', 100n, { slippage: slippage(95n) }),
    ]
    expect(venues(rank(offered, 'best_output'))).toEqual(['safe', 'quick', 'slow', 'unbound', 'less'])
  })

  it('fastest: less time, those that do not say last, then more output', () => {
    const offered = [
      candidate('silent', 200n),
      candidate('slow', 150n, { estimatedTimeSeconds: 60 }),
      candidate('quick-poor', 100n, { estimatedTimeSeconds: 5 }),
      candidate('quick-rich', 101n, { estimatedTimeSeconds: 5 }),
      candidate('instant-preview', 900n, { estimatedTimeSeconds: 0 }, false),
    ]
    expect(venues(rank(offered, 'fastest'))).toEqual(['quick-rich', 'quick-poor', 'slow', 'silent', 'instant-preview'])
  })
})

describe('the outlier guard [quote-ranking]', () => {
  const FACTOR = 2
  const drop = (
    candidates: readonly Candidate[],
    published: { readonly [venue: string]: bigint } = {},
    mode: RankingMode = 'best_output',
  ) => {
    const lists = Object.entries(published).map(([venue, amount]) => ({ venue, amount }))
    const { kept, dropped } = dropOutliers(candidates, { factor: FACTOR, published: lists, mode })
    expect(kept.length + dropped.length).toBe(candidates.length)
    return { kept: venues(kept), dropped: venues(dropped) }
  }
  const WRONG = 10n ** 12n
  const right = 1_000_000n

  /** Offers and price lists by venue, and who is dropped. */
  it.each<[string, { [venue: string]: bigint }, { [venue: string]: bigint }, string[]]>([
    ['nobody who is alone, whatever the lists say', { a: right * WRONG }, { x: right, y: right, z: right }, []],
    ['nobody of two without a third witness', { a: right, b: right * WRONG }, {}, []],
    ["the one of two that a third venue's list contradicts too", { a: right, wrong: right * WRONG }, { x: right }, ['wrong']],
    ['the wildly high one of three', { a: right, wrong: right * WRONG, b: right - 7n }, {}, ['wrong']],
    ['nobody, where one is wildly low', { a: right, b: right - 7n, low: 1n }, {}, []],
    ['nobody, where one of two is low and the list is right', { a: right, low: 1n }, { x: right }, []],
    ['nobody, where a list is wildly low', { a: right, b: right - 5n }, { x: 1n }, []],
    ['nobody, where a list is wildly high', { a: right, b: right - 5n }, { x: right * WRONG }, []],
    ['who is above the factor', { a: 100n, b: 100n, above: 201n }, {}, ['above']],
    ['nobody at the factor', { a: 100n, b: 100n, at: 200n }, {}, []],
    ['nobody by one liar whose own list agrees with it: low, against one', { a: right, liar: 1n }, { liar: 1n }, []],
    ['nobody by one liar whose own list agrees with it: low, against two', { a: right, b: right, liar: 1n }, { liar: 1n }, []],
    [
      'nobody by one liar whose own list agrees with it: low, against three',
      { a: 99n, b: 100n, c: 101n, liar: 1n },
      { liar: 1n },
      [],
    ],
    ['one liar whose own list agrees: high, against two', { a: 99n, b: 100n, liar: 10_000n }, { liar: 10_000n }, ['liar']],
    [
      'one high liar, where a third list agrees with the only other',
      { a: 100n, liar: 9_999n },
      { liar: 9_999n, x: 99n },
      ['liar'],
    ],
    ['one high liar, where the others have lists of their own', { a: 99n, b: 100n, liar: 9_999n }, { a: 99n, b: 100n }, ['liar']],
    ['nobody by an offer and the list of the same venue', { a: 100n, thin: 30n }, { thin: 30n }, []],
    ['nobody by many lists against two offers that agree', { a: 100n, b: 99n }, { x: 1n, y: 1n, z: 1n }, []],
    ['nobody by lists that join the lesser of two other offers', { a: 100n, b: 60n, thin: 30n }, { x: 1n, y: 1n }, []],
    ['who is above the factor, also where the others contradict each other more', { a: 100n, thin: 30n, broken: 1n }, {}, ['a']],
    ['nobody by a thin offer and a list that lies still lower', { a: 100n, thin: 30n }, { liar: 1n }, []],
    ['the wildly high one, also where the others are far apart', { a: 100n, thin: 30n, wrong: 10_000n }, {}, ['wrong']],
    ['a high liar, whatever one other list says', { a: 100n, b: 99n, liar: 9_999n }, { x: 9_999n }, ['liar']],
    // What remains: two against one. A liar beside a thin offer outvotes the best one when it stays close to the thin one.
    ['the best one, by a thin offer and a liar beside it', { best: 100n, thin: 30n, liar: 29n }, {}, ['best']],
    ['nobody of one honest offer and one liar', { honest: 100n, liar: 9_999n }, { honest: 100n, liar: 9_999n }, []],
    ['the one honest offer, by two liars that agree', { honest: 100n, liar: 10n, other: 11n }, {}, ['honest']],
  ])('drops %s', (_what, offered, published, dropped) => {
    const candidates = Object.entries(offered).map(([venue, amount]) => candidate(venue, amount))
    expect(drop(candidates, published).dropped).toEqual(dropped)
    expect(drop(candidates.toReversed(), published).dropped.toReversed()).toEqual(dropped)
  })

  /** Offers and price lists by venue, and who is dropped where the quickest wins. */
  it.each<[string, { [venue: string]: bigint }, { [venue: string]: bigint }, string[]]>([
    ['one unit against two', { a: right, b: right - 7n, low: 1n }, {}, ['low']],
    ['one unit against three', { a: right, b: right - 7n, c: right + 9n, low: 1n }, {}, ['low']],
    ['one unit against one, where a third list agrees with it', { a: right, low: 1n }, { x: right }, ['low']],
    ['a tenth and a list of its own against two', { a: 100n, b: 99n, low: 10n }, { low: 10n }, ['low']],
    ['a high one as ever', { a: 100n, b: 99n, wrong: 9_999n }, {}, ['wrong']],
    ['nobody of two without a third witness', { a: right, low: 1n }, { low: 1n }, []],
    ['nobody at half of the others', { a: 100n, b: 101n, half: 50n }, {}, []],
    ['nobody by two that contradict each other more than it', { a: 100n, high: 100_000n, low: 45n }, {}, ['high']],
    ['nobody who is alone', { a: 1n }, { x: right, y: right }, []],
  ])('asked for the fastest: %s', (_what, offered, published, dropped) => {
    const candidates = Object.entries(offered).map(([venue, amount]) => candidate(venue, amount))
    expect(drop(candidates, published, 'fastest').dropped).toEqual(dropped)
  })

  const amounts = (max: bigint, sizes: { minLength: number; maxLength: number }) => fc.array(fc.bigInt({ min: 1n, max }), sizes)
  const named = (all: readonly bigint[], name: string) => all.map((amount, i) => [`${name}${i}`, amount] as const)

  it('never drops everybody, and never one that is no better than the middle of the others', () => {
    const outputs = amounts(1n << 80n, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(outputs, amounts(1n << 80n, { minLength: 0, maxLength: 4 }), (offered, listed) => {
        const { kept, dropped } = dropOutliers(
          offered.map((amount, i) => candidate(`v${i}`, amount)),
          { factor: FACTOR, published: listed.map((amount, i) => ({ venue: `x${i}`, amount })), mode: 'best_output' },
        )
        expect(kept.length).toBeGreaterThan(0)
        const lowest = [...offered].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n
        for (const one of dropped) expect(one.offer.outputAmount).toBeGreaterThan(lowest * BigInt(FACTOR))
      }),
      { numRuns: 500 },
    )
  })

  it('lets nobody stay above the factor times the middle of two others or more', () => {
    fc.assert(
      fc.property(amounts(1_000n, { minLength: 3, maxLength: 8 }), fc.constantFrom(...MODES), (offered, mode) => {
        const { kept } = drop(
          named(offered, 'v').map(([venue, amount]) => candidate(venue, amount)),
          {},
          mode,
        )
        for (const venue of kept) {
          const own = Number(venue.slice(1))
          const others = offered.toSpliced(own, 1).toSorted((a, b) => (a < b ? -1 : 1))
          const upper = others[Math.floor(others.length / 2)] ?? 0n
          expect(offered[own]).toBeLessThanOrEqual(upper * BigInt(FACTOR))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('tells of an offer that is far above the only other one, and keeps it', () => {
    const told = (offered: { [venue: string]: bigint }, lists: readonly { venue: string; amount: bigint }[] = []) => {
      const candidates = Object.entries(offered).map(([venue, amount]) => candidate(venue, amount))
      return venues(dropOutliers(candidates, { factor: FACTOR, published: lists, mode: 'best_output' }).unwitnessed)
    }
    expect(told({ a: 100n, b: 201n })).toEqual(['b'])
    expect(told({ a: 100n, b: 200n })).toEqual([])
    expect(told({ a: 201n })).toEqual([])
    expect(told({ a: 100n, b: 201n }, [{ venue: 'x', amount: 100n }])).toEqual([])
    expect(told({ a: 100n, b: 201n }, [{ venue: 'x', amount: 200n }])).toEqual(['b'])
    expect(told({ a: 100n, b: 201n, c: 300n })).toEqual([])
  })

  /** Honest offers lie within the factor of each other; what one other venue offers and publishes is anything. */
  const honest = amounts(100n, { minLength: 2, maxLength: 6 }).map((all) => all.map((amount) => amount + 100n))
  const lie = fc.bigInt({ min: 1n, max: 1n << 100n })

  it('lets one liar, whatever it offers and publishes, neither remove an honest offer nor stay far above two of them', () => {
    fc.assert(
      fc.property(honest, lie, lie, fc.boolean(), fc.constantFrom(...MODES), (offered, told, published, isListed, mode) => {
        const candidates = [...named(offered, 'honest'), ['liar', told] as const].map(([venue, amount]) =>
          candidate(venue, amount),
        )
        const { dropped } = drop(candidates, isListed ? { liar: published } : {}, mode)
        expect(dropped.filter((venue) => venue !== 'liar')).toEqual([])
        if (told > 400n || (mode === 'fastest' && told < 50n)) expect(dropped).toEqual(['liar'])
      }),
      { numRuns: 1_000 },
    )
  })

  it('lets a venue that only publishes a list remove nobody where two others agree', () => {
    fc.assert(
      fc.property(honest, lie, (offered, published) => {
        const candidates = named(offered, 'honest').map(([venue, amount]) => candidate(venue, amount))
        expect(drop(candidates, { liar: published }).dropped).toEqual([])
      }),
    )
  })

  it('never hears a list where there are two other offers or more', () => {
    const outputs = amounts(1_000n, { minLength: 3, maxLength: 6 })
    fc.assert(
      fc.property(outputs, amounts(1_000n, { minLength: 1, maxLength: 4 }), (offered, listed) => {
        const candidates = named(offered, 'v').map(([venue, amount]) => candidate(venue, amount))
        const byOffers = drop(candidates).dropped
        expect(drop(candidates, Object.fromEntries(named(listed, 'x'))).dropped).toEqual(byOffers)
      }),
      { numRuns: 1_000 },
    )
  })
})
