import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { RankingMode } from '../../../engine/core/order.ts'
import { type Candidate, dropOutliers, rank } from '../../../engine/quoting/rank.ts'

const offer = (venue: string, outputAmount: bigint, rest: Partial<Offer> = {}): Offer => ({
  venue,
  executionType: 'TRANSACTION',
  outputAmount: toAmount(outputAmount),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: null,
  gasUnits: null,
  spender: null,
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

  it('is a total order that follows the stated rule, loses nobody and invents nobody', () => {
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

describe('the outlier guard', () => {
  const FACTOR = 2
  const drop = (candidates: readonly Candidate[], reference: bigint | null = null) => {
    const { kept, dropped } = dropOutliers(candidates, { factor: FACTOR, reference })
    expect(kept.length + dropped.length).toBe(candidates.length)
    return { kept: venues(kept), dropped: venues(dropped) }
  }
  const WRONG = 10n ** 12n
  const right = 1_000_000n

  it('keeps a lone offer, whatever the reference says', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1n << 200n }),
        fc.option(fc.bigInt({ min: 0n, max: 1n << 200n })),
        (output, reference) => {
          expect(drop([candidate('a', output)], reference).dropped).toEqual([])
        },
      ),
    )
  })

  it('keeps two offers that have no third witness', () => {
    expect(drop([candidate('a', right), candidate('b', right * WRONG)]).dropped).toEqual([])
  })

  it('drops the one of two that contradicts the reference upwards', () => {
    expect(drop([candidate('right', right), candidate('wrong', right * WRONG)], right)).toEqual({
      kept: ['right'],
      dropped: ['wrong'],
    })
  })

  it('does not let one that is too low, or a reference that is, drop the right one', () => {
    expect(drop([candidate('right', right), candidate('low', 1n)], right).dropped).toEqual([])
    expect(drop([candidate('right', right), candidate('also', right - 5n)], 1n).dropped).toEqual([])
  })

  it('does not let a reference that is wildly high keep anyone from being right', () => {
    expect(drop([candidate('right', right), candidate('also', right - 5n)], right * WRONG).dropped).toEqual([])
  })

  it('drops the wildly high one of three without any reference, wherever it stands', () => {
    for (const position of [0, 1, 2]) {
      const offered = [candidate('a', right), candidate('b', right - 7n)]
      offered.splice(position, 0, candidate('wrong', right * WRONG))
      expect(drop(offered)).toEqual({ kept: ['a', 'b'], dropped: ['wrong'] })
    }
  })

  it('keeps the right ones of three when one is wildly low', () => {
    expect(drop([candidate('a', right), candidate('b', right - 7n), candidate('low', 1n)]).dropped).toEqual([])
  })

  it('drops above the factor, not at it', () => {
    const others = [candidate('a', 100n), candidate('b', 100n)]
    expect(drop([...others, candidate('at', 200n)]).dropped).toEqual([])
    expect(drop([...others, candidate('above', 201n)]).dropped).toEqual(['above'])
  })

  it('never drops everybody, and never one that is no better than the middle of the others', () => {
    const outputs = fc.array(fc.bigInt({ min: 1n, max: 1n << 80n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(outputs, fc.option(fc.bigInt({ min: 1n, max: 1n << 80n })), (amounts, reference) => {
        const { kept, dropped } = dropOutliers(
          amounts.map((amount, i) => candidate(`v${i}`, amount)),
          { factor: FACTOR, reference },
        )
        expect(kept.length).toBeGreaterThan(0)
        const lowest = [...amounts].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n
        for (const one of dropped) expect(one.offer.outputAmount).toBeGreaterThan(lowest * BigInt(FACTOR))
      }),
      { numRuns: 500 },
    )
  })
})
