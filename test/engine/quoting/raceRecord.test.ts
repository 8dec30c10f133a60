import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import { leadOf } from '../../../engine/core/toldRace.ts'
import type { RaceOutcome } from '../../../engine/quoting/race.ts'
import { declineOf, eventOf, noOffer, type RaceFacts, recordRace, toldRaceOf } from '../../../engine/quoting/raceRecord.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { TOKENS } from '../../support/fakeChains.ts'

const offerOf = (venue: string, outputAmount: bigint, decimals: Offer['decimals'] = { input: null, output: null }): Offer => ({
  venue,
  executionType: 'TRANSACTION',
  outputAmount: toAmount(outputAmount),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: { isFirm: true, guaranteedMin: toAmount(outputAmount) },
  gasUnits: null,
  spender: null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: 10,
  expiresAt: null,
  decimals,
  carry: null,
})

const offered = (offer: Offer): RaceOutcome => ({ result: 'offer', offer, isExecutable: true })
const failed = (error: VenueError): RaceOutcome => ({ result: 'error', error })

const entryOf = (id: string, outcome: RaceOutcome, elapsedMs = 7): RaceFacts['entries'][number] => ({
  venue: { profile: { id } },
  outcome,
  elapsedMs,
})

const record = (facts: Partial<RaceFacts>) =>
  recordRace(
    {
      entries: [],
      unwilling: [],
      tokens: { input: TOKENS.usdcEthereum, output: TOKENS.usdcArbitrum },
      published: [],
      worthOf: () => 0n,
      ...facts,
    },
    { factor: 2, mode: 'best_output' },
  )

/** A race in which everything happened that can. */
const eventful = () =>
  record({
    entries: [
      entryOf('best', offered(offerOf('best', 1_000n))),
      entryOf('second', offered(offerOf('second', 990n))),
      entryOf('third', offered(offerOf('third', 980n))),
      entryOf('wild', offered(offerOf('wild', 1_000_000n))),
      entryOf('scaled', offered(offerOf('scaled', 999n, { input: 18, output: null }))),
      entryOf('small', failed(new VenueError('amountTooSmall', 'too small', { minimum: 5n }))),
      entryOf('wide', failed(new VenueError('noLiquidity', 'too wide', { reason: 'boundTooWide' }))),
      entryOf('late', failed(new VenueError('timeout', 'no answer'))),
      entryOf('broken', failed(new VenueError('badResponse', 'no JSON'))),
      entryOf('limited', failed(new VenueError('rateLimited', 'not asked', { nature: 'ownLimit' }))),
      entryOf('resting', { result: 'skipped' }),
      entryOf('slow', { result: 'cut' }),
    ],
    unwilling: [{ id: 'unwilling' }],
    published: [
      { venue: 'x', amount: 900n },
      { venue: 'y', amount: 1_100n },
      { venue: 'z', amount: 1_000n },
    ],
  })

describe('the record of a race', () => {
  it('has one entry for every venue that was invited, in their order', () => {
    expect(eventful().runs.map((run) => [run.venue, run.result, run.result === 'dropped' ? run.why : null])).toEqual([
      ['best', 'offer', null],
      ['second', 'offer', null],
      ['third', 'offer', null],
      ['wild', 'dropped', 'outlier'],
      ['scaled', 'dropped', 'contradictsChain'],
      ['small', 'error', null],
      ['wide', 'error', null],
      ['late', 'error', null],
      ['broken', 'error', null],
      ['limited', 'error', null],
      ['resting', 'skipped', null],
      ['slow', 'cut', null],
      ['unwilling', 'unwilling', null],
    ])
  })

  it('tells the log of an offer that is kept though it is far above the only other one', () => {
    const { runs, winner } = record({
      entries: [entryOf('low', offered(offerOf('low', 100n))), entryOf('high', offered(offerOf('high', 201n)))],
    })
    expect(winner?.offer.venue).toBe('high')
    expect(runs.map(eventOf)).toMatchObject([
      { venue: 'low', outcome: 'offer' },
      { venue: 'high', outcome: 'offer', reason: 'far above the only other offer, and kept: there is no second witness' },
    ])
    expect(eventOf(runs[0] as never)).not.toHaveProperty('reason')
  })

  it('names the winner and the reference price', () => {
    const { winner, reference } = eventful()
    expect([winner?.offer.venue, reference]).toEqual(['best', 1_000n])
    expect(record({})).toEqual({ runs: [], winner: null, mode: 'best_output', reference: null })
  })

  it('has no reference price where published prices make more of the input than any amount can be: the race goes on', () => {
    const entries = [entryOf('best', offered(offerOf('best', 1_000n)))]
    const { winner, reference } = record({ entries, published: [{ venue: 'x', amount: 2n ** 256n }] })
    expect([winner?.offer.venue, reference]).toEqual(['best', null])
  })

  it('tells the caller of each venue why it has no offer: of one that was cut, that it was not awaited [quote-no-offer-codes]', () => {
    const told = eventful().runs.filter(({ result }) => result !== 'offer')
    expect(told.map(declineOf)).toEqual([
      { venue: 'wild', kind: 'rejected', check: 'wild.outlier', retryable: true },
      { venue: 'scaled', kind: 'rejected', check: 'scaled.contradictsChain', retryable: true },
      { venue: 'small', kind: 'amountTooSmall', minimum: '5', retryable: false },
      { venue: 'wide', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true },
      { venue: 'late', kind: 'timeout', retryable: true },
      { venue: 'broken', kind: 'badResponse', retryable: true },
      { venue: 'limited', kind: 'rateLimited', retryable: true },
      { venue: 'resting', kind: 'unavailable', retryable: true },
      { venue: 'slow', kind: 'notAwaited', retryable: true },
      { venue: 'unwilling', kind: 'unsupportedPair', retryable: false },
    ])
  })

  it('is told whole in one line: offers by rank with what they guarantee, and of the others why they are none [ops-race-logged]', () => {
    const told = toldRaceOf(eventful())
    expect(told).toEqual({
      mode: 'best_output',
      runs: [
        { venue: 'best', outcome: 'offer', elapsedMs: 7, rank: 1, amount: '1000', minimum: '1000' },
        { venue: 'second', outcome: 'offer', elapsedMs: 7, rank: 2, amount: '990', minimum: '990' },
        { venue: 'third', outcome: 'offer', elapsedMs: 7, rank: 3, amount: '980', minimum: '980' },
        { venue: 'wild', outcome: 'dropped', elapsedMs: 7, amount: '1000000', minimum: '1000000', kind: 'outlier' },
        { venue: 'scaled', outcome: 'dropped', elapsedMs: 7, amount: '999', minimum: '999', kind: 'contradictsChain' },
        { venue: 'small', outcome: 'decline', elapsedMs: 7, kind: 'amountTooSmall', reason: 'too small', inputMinimum: '5' },
        { venue: 'wide', outcome: 'decline', elapsedMs: 7, kind: 'noLiquidity', reason: 'too wide' },
        { venue: 'late', outcome: 'timeout', elapsedMs: 7, kind: 'timeout', reason: 'no answer' },
        { venue: 'broken', outcome: 'failure', elapsedMs: 7, kind: 'badResponse', reason: 'no JSON' },
        { venue: 'limited', outcome: 'skipped', elapsedMs: 7, kind: 'rateLimited', reason: 'not asked' },
        { venue: 'resting', outcome: 'skipped', elapsedMs: 7 },
        { venue: 'slow', outcome: 'cut', elapsedMs: 7 },
      ],
      unwilling: ['unwilling'],
      reference: '1000',
    })
    expect(leadOf(told)).toEqual({ leadBps: 101, referenceBps: 0 })
  })

  it('is told with what a fee beside the input costs, which is part of what it was won by', () => {
    const cheap = offered(offerOf('cheap', 990n))
    const dear = offered({ ...offerOf('dear', 1_000n), nativeFee: toAmount(7n) })
    const unpriced = offered({ ...offerOf('unpriced', 2_000n), nativeFee: toAmount(8n) })
    const worthOf = ({ nativeFee }: Offer) => (nativeFee === 8n ? null : nativeFee === 7n ? 110n : 0n)
    const told = toldRaceOf(
      record({ entries: [entryOf('unpriced', unpriced), entryOf('dear', dear), entryOf('cheap', cheap)], worthOf }),
    )
    expect(told.runs.map(({ venue, rank, feeCost }) => [venue, rank, feeCost])).toEqual([
      ['cheap', 1, undefined],
      ['dear', 2, '110'],
      ['unpriced', 3, null],
    ])
    expect(leadOf(told)).toEqual({ leadBps: 1_123, referenceBps: null })
    expect(leadOf(toldRaceOf(record({ entries: [entryOf('cheap', cheap)] })))).toEqual({ leadBps: null, referenceBps: null })
  })

  it('tells the log of each venue how it did, of those too that were not asked', () => {
    const told = eventful().runs.map(eventOf)
    expect(told.map((event) => ('outcome' in event ? event.outcome : null))).toEqual([
      'offer',
      'offer',
      'offer',
      'dropped',
      'dropped',
      'decline',
      'decline',
      'timeout',
      'failure',
      'skipped',
      'skipped',
      'cut',
      'unwilling',
    ])
    expect(told[5]).toEqual({
      event: 'venue.call',
      venue: 'small',
      call: 'quote',
      outcome: 'decline',
      kind: 'amountTooSmall',
      reason: 'too small',
      elapsedMs: 7,
    })
  })
})

describe('a race without an offer [quote-no-offer-codes]', () => {
  const error = (kind: VenueErrorKind, options: VenueErrorOptions = {}): RaceOutcome =>
    failed(new VenueError(kind, 'in words', options))
  const DECLINES = [
    error('unsupportedPair'),
    error('amountTooSmall'),
    error('amountTooLarge'),
    error('noLiquidity'),
    error('badRequest', { party: 'recipient' }),
  ]
  const OUTAGES: readonly RaceOutcome[] = [
    error('unavailable'),
    error('unavailable', { nature: 'keyRefused' }),
    error('timeout'),
    error('badResponse'),
    error('rateLimited'),
    error('rateLimited', { nature: 'notSent' }),
    { result: 'skipped' },
  ]
  const NEITHER: readonly RaceOutcome[] = [
    { result: 'cut' },
    error('rateLimited', { nature: 'ownLimit' }),
    error('badResponse', { nature: 'unexplained' }),
    offered(offerOf('scaled', 999n, { input: 18, output: null })),
  ]
  const refusal = (...outcomes: readonly RaceOutcome[]) =>
    noOffer(record({ entries: outcomes.map((outcome, i) => entryOf(`v${i}`, outcome)), unwilling: [{ id: 'unwilling' }] }))

  it('is NO_LIQUIDITY where a venue declines, whatever the others do', () => {
    for (const decline of DECLINES)
      expect(refusal(...OUTAGES, ...NEITHER, decline)).toMatchObject({ code: 'NO_LIQUIDITY', isOutage: false })
  })

  it('is INTERNAL, to be repeated, where a venue fails and none declines', () => {
    for (const outage of OUTAGES) {
      const { code, isOutage, details } = refusal(...NEITHER, outage)
      expect([code, isOutage, details?.['retryable']]).toEqual(['INTERNAL', true, true])
      expect(details?.['declines']).toHaveLength(NEITHER.length + 2)
      expect(refusal(outage).code).toBe('INTERNAL')
    }
  })

  it.each([['nobody serves the route', []], ...NEITHER.map((one) => [one.result, [one]] as const)] as const)(
    'is NO_LIQUIDITY where venues neither decline nor fail: %s',
    (_what, outcomes) => {
      expect(refusal(...outcomes)).toMatchObject({ code: 'NO_LIQUIDITY', isOutage: false })
    },
  )
})
