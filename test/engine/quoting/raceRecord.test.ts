import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { RaceOutcome } from '../../../engine/quoting/race.ts'
import { declineOf, eventOf, type RaceFacts, recordRace } from '../../../engine/quoting/raceRecord.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
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
      entryOf('limited', failed(new VenueError('rateLimited', 'not asked', { nature: 'notSent' }))),
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
    expect(record({})).toEqual({ runs: [], winner: null, reference: null })
  })

  it('tells the caller of each venue why it has no offer: of one that was cut, that it was not awaited', () => {
    const told = eventful().runs.filter(({ result }) => result !== 'offer')
    expect(told.map(declineOf)).toEqual([
      { venue: 'wild', kind: 'badResponse', retryable: true },
      { venue: 'scaled', kind: 'badResponse', retryable: true },
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
