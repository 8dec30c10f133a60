import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_AMOUNT } from '../../../engine/core/amount.ts'
import type { ToldRace, ToldRun } from '../../../engine/core/toldRace.ts'
import { PACKED_RACE_MAX, packRace, unpackRace } from '../../../engine/quoting/packedRace.ts'

const amount = fc.bigInt({ min: 0n, max: MAX_AMOUNT }).map(String)
const venue = fc.constantFrom('across', 'near-intents', 'uniswapx', 'v2')
const elapsedMs = fc.nat(60_000)

const offer = fc.record({ venue, elapsedMs, amount, minimum: fc.option(amount), feeCost: fc.option(amount), how: fc.nat(3) }).map(
  ({ minimum, feeCost, how, ...run }) =>
    (rank: number): ToldRun => ({
      ...run,
      outcome: 'offer',
      rank,
      ...(minimum !== null && { minimum }),
      ...(how > 0 && { feeCost }),
      ...(how > 1 && { isPreview: true }),
    }),
)
const other = fc
  .record({
    venue,
    elapsedMs,
    outcome: fc.constantFrom('dropped', 'decline', 'timeout', 'failure', 'cut', 'skipped'),
    kind: fc.option(fc.constantFrom('outlier', 'amountTooSmall')),
  })
  .map(({ kind, ...run }): ToldRun => ({ ...run, ...(kind !== null && { kind }) }))

const race = fc
  .record({
    mode: fc.constantFrom('best_output', 'fastest'),
    offers: fc.array(offer, { maxLength: 5 }),
    others: fc.array(other, { minLength: 1, maxLength: 5 }),
    reference: fc.option(amount),
  })
  .map(
    ({ mode, offers, others, reference }): ToldRace => ({
      mode,
      runs: [...offers.map((ranked, place) => ranked(place + 1)), ...others],
      unwilling: [],
      reference,
    }),
  )

describe('a packed race', () => {
  it('is unpacked to what it was, but for words and for who was not asked', () => {
    fc.assert(
      fc.property(race, (one) => {
        const packed = packRace(one)
        expect(packed === null ? null : unpackRace(packed)).toEqual(packed === null ? null : one)
      }),
      { numRuns: 500 },
    )
    const told: ToldRace = {
      mode: 'best_output',
      runs: [{ venue: 'slow', outcome: 'failure', elapsedMs: 5, kind: 'badResponse', reason: 'the words of a venue' }],
      unwilling: ['thorchain'],
      reference: null,
    }
    const packed = packRace(told) ?? ''
    expect(packed).toBe('b;slow,f5,badResponse')
    expect(unpackRace(packed)).toEqual({ ...told, runs: [{ ...told.runs[0], reason: undefined }], unwilling: [] })
  })

  it('is none where it would take too much of the token', () => {
    const runs = Array.from({ length: 60 }, (_, i): ToldRun => ({ venue: `venue-number-${i}`, outcome: 'cut', elapsedMs: 1 }))
    expect(packRace({ mode: 'fastest', runs, unwilling: [], reference: null })).toBeNull()
    expect(packRace({ mode: 'fastest', runs: runs.slice(0, 14), unwilling: [], reference: null })?.length).toBeLessThan(
      PACKED_RACE_MAX,
    )
  })

  it.each(['', 'b;toy', 'b;toy,x1', 'b!;toy,o1'])('that this version does not pack is none: "%s"', (packed) => {
    expect(unpackRace(packed)).toBeNull()
  })
})
