import { expect, it } from 'vitest'
import { MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import { leadOf, type ToldRace, type ToldRun } from '../../../engine/core/toldRace.ts'
import { PACKED_RACE_MAX, packRace, unpackRace } from '../../../engine/quoting/packedRace.ts'
import type { RaceOutcome } from '../../../engine/quoting/race.ts'
import { declineOf, eventOf, noOffer, type RaceFacts, recordRace, toldRaceOf } from '../../../engine/quoting/raceRecord.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { firm, offerOf } from '../../support/quoteBench.ts'

const offered = (venue: string, amount: bigint, wish: Partial<Offer> = {}, isExecutable = true): RaceOutcome => ({
  result: 'offer',
  offer: offerOf(venue, amount, { slippage: firm(amount), ...wish }),
  isExecutable,
})
const failed = (kind: VenueErrorKind, options: VenueErrorOptions = {}, message = 'in words'): RaceOutcome => ({
  result: 'error',
  error: new VenueError(kind, message, options),
})
const ownLimit = failed('rateLimited', { nature: 'ownLimit' })
const scaled = offered('scaled', 999n, { decimals: { input: 18, output: null } })

type Outcomes = { readonly [venue: string]: RaceOutcome }

const record = (outcomes: Outcomes, facts: Partial<RaceFacts> = {}) => {
  const entries = Object.entries(outcomes).map(([id, outcome]) => ({ venue: { profile: { id } }, outcome, elapsedMs: 7 }))
  const tokens = { input: TOKENS.usdcEthereum, output: TOKENS.usdcArbitrum }
  const all = { entries, unwilling: [], tokens, published: [], worthOf: () => 0n, ...facts }
  return recordRace(all, { factor: 2, mode: 'best_output' })
}

const published = (...amounts: readonly bigint[]) => amounts.map((amount, i) => ({ venue: `list${i}`, amount }))

const price = (amount: string) => ({ amount, minimum: amount })
const without = (outcome: string, kind: VenueErrorKind, reason = 'in words') => ({ outcome, kind, reason })
const offer = { outcome: 'offer' }
const dropped = (amount: string, kind: string) => ({ outcome: 'dropped', ...price(amount), kind })
const because = (reason: string) => ({ outcome: 'dropped', reason })
const rejected = (check: string) => ({ kind: 'rejected', check, retryable: true })
const previewed = offered('preview', 1_001n, { slippage: null }, false)
const notAwaited = { kind: 'notAwaited', retryable: true }
/** By venue: its outcome, its run in the log line of the race, its decline (null: an offer), and its event where that differs. */
const VENUES: { readonly [venue: string]: readonly [RaceOutcome, line: object, decline: object | null, event?: object] } = {
  best: [offered('best', 1_000n), { ...offer, rank: 1, ...price('1000') }, null, offer],
  preview: [previewed, { ...offer, rank: 3, amount: '1001', isPreview: true }, null, offer],
  wild: [
    offered('wild', 1_000_000n),
    dropped('1000000', 'outlier'),
    rejected('wild.outlier'),
    because('contradicts the other offers'),
  ],
  scaled: [scaled, dropped('999', 'contradictsChain'), rejected('scaled.contradictsChain'), because('contradicts the chain')],
  second: [offered('second', 990n), { ...offer, rank: 2, ...price('990') }, null, offer],
  small: [
    failed('amountTooSmall', { minimum: 5n, maximum: 9n }),
    { ...without('decline', 'amountTooSmall'), inputMinimum: '5', inputMaximum: '9' },
    { kind: 'amountTooSmall', minimum: '5', maximum: '9', retryable: false },
    without('decline', 'amountTooSmall'),
  ],
  large: [
    failed('amountTooLarge', { maximum: 9n }),
    { ...without('decline', 'amountTooLarge'), inputMaximum: '9' },
    { kind: 'amountTooLarge', maximum: '9', retryable: false },
    without('decline', 'amountTooLarge'),
  ],
  refused: [failed('badRequest'), without('decline', 'badRequest'), { kind: 'badRequest', retryable: false }],
  down: [failed('unavailable'), without('failure', 'unavailable'), { kind: 'unavailable', retryable: true }],
  wide: [
    failed('noLiquidity', { reason: 'boundTooWide' }, 'x'.repeat(201)),
    without('decline', 'noLiquidity', 'x'.repeat(200)),
    { kind: 'noLiquidity', reason: 'boundTooWide', retryable: true },
    without('decline', 'noLiquidity', 'x'.repeat(201)),
  ],
  unsold: [
    failed('unsupportedPair', { reason: 'notSold' }),
    without('decline', 'unsupportedPair'),
    { kind: 'unsupportedPair', reason: 'notSold', retryable: false },
    { ...without('decline', 'unsupportedPair'), isNotSold: true },
  ],
  late: [failed('timeout'), without('timeout', 'timeout'), { kind: 'timeout', retryable: true }],
  broken: [failed('badResponse'), without('failure', 'badResponse'), { kind: 'badResponse', retryable: true }],
  limited: [ownLimit, without('skipped', 'rateLimited'), { kind: 'rateLimited', retryable: true }],
  checked: [failed('rejected', { check: 'router' }), without('rejected', 'rejected'), rejected('checked.router')],
  resting: [{ result: 'skipped' }, { outcome: 'skipped' }, { kind: 'unavailable', retryable: true }],
  cut: [{ result: 'cut' }, { outcome: 'cut' }, notAwaited],
  slow: [{ result: 'cut', isSlow: true }, { outcome: 'cut' }, notAwaited, { outcome: 'slow' }],
}
const race = () => {
  const outcomes = Object.fromEntries(Object.entries(VENUES).map(([venue, [outcome]]) => [venue, outcome]))
  const whole = record(outcomes, { unwilling: [{ id: 'unwilling' }], published: published(900n, 1_100n, 1_000n) })
  return { runs: whole.runs, told: toldRaceOf(whole) }
}

it('the record of a race: each venue has its log line, its event and its decline [quote-no-offer-codes] [ops-race-logged]', () => {
  const { runs, told } = race()
  for (const [venue, [, line, decline, event = line]] of Object.entries(VENUES)) {
    expect(told.runs.find((one) => one.venue === venue)).toEqual({ venue, elapsedMs: 7, ...line })
    const run = runs.find((one) => one.venue === venue) as (typeof runs)[number]
    expect(eventOf(run)).toEqual({ event: 'venue.call', call: 'quote', venue, elapsedMs: 7, ...event })
    if (decline !== null) expect(declineOf(run)).toEqual({ venue, ...decline })
  }
})

it('the record of a race: one log line holds the whole race: offers by rank, the other venues in their order, and the unwilling ones [ops-race-logged]', () => {
  const { runs, told } = race()
  const others = Object.entries(VENUES).flatMap(([venue, [, , decline]]) => (decline === null ? [] : [venue]))
  expect(told.runs.map(({ venue }) => venue)).toEqual(['best', 'second', 'preview', ...others])
  expect(told).toMatchObject({ mode: 'best_output', unwilling: ['unwilling'], reference: '1000' })
  expect(leadOf(told)).toEqual({ leadBps: 101, referenceBps: 0 })
  expect(runs.map(({ venue }) => venue)).toEqual([...Object.keys(VENUES), 'unwilling'])
  const unasked = { venue: 'unwilling', result: 'unwilling', elapsedMs: 0 } as const
  expect(declineOf(unasked)).toEqual({ venue: 'unwilling', kind: 'unsupportedPair', retryable: false })
  expect(eventOf(unasked)).toMatchObject({ venue: 'unwilling', outcome: 'unwilling' })
})

it('the record of a race: an offer far above the only other one wins, with a reason in the log and in its event [ops-race-logged]', () => {
  const { runs, winner } = record({ low: offered('low', 100n), high: offered('high', 201n) })
  const unwitnessed = { reason: 'far above the only other offer, and kept: there is no second witness' }
  expect(winner?.offer.venue).toBe('high')
  expect(runs.map(eventOf).map((event) => 'reason' in event && event.reason)).toEqual([false, unwitnessed.reason])
  expect(toldRaceOf({ runs, winner, mode: 'best_output', reference: null }).runs).toMatchObject([unwitnessed, { venue: 'low' }])
})

it('the record of a race: a fee beside the input is part of the ranking, of the lead and of the log [ops-race-logged]', () => {
  const outcomes = {
    unpriced: offered('unpriced', 2_000n, { nativeFee: toAmount(8n) }),
    dear: offered('dear', 1_000n, { nativeFee: toAmount(7n) }),
    cheap: offered('cheap', 990n),
  }
  const worthOf = ({ nativeFee }: Offer) => (nativeFee === 8n ? null : nativeFee === 7n ? 110n : 0n)
  const told = toldRaceOf(record(outcomes, { worthOf }))
  const { runs } = told
  expect(runs.map(({ venue, feeCost }) => [venue, feeCost])).toEqual([
    ['cheap', undefined],
    ['dear', '110'],
    ['unpriced', null],
  ])
  expect(leadOf(told)).toEqual({ leadBps: 1_123, referenceBps: null })
  expect(leadOf({ ...told, runs: runs.slice(0, 1) })).toEqual({ leadBps: null, referenceBps: null })
})

it('the record of a race: has no winner without an offer, and no reference price without a list or above any amount [ops-race-logged]', () => {
  expect(record({})).toEqual({ runs: [], winner: null, mode: 'best_output', reference: null })
  const { winner, reference } = record({ best: offered('best', 1_000n) }, { published: published(2n ** 256n) })
  expect([winner?.offer.venue, reference]).toEqual(['best', null])
})

const DECLINES = ['unsupportedPair', 'amountTooSmall', 'amountTooLarge', 'noLiquidity', 'badRequest'] as const
const OUTAGES: Outcomes = {
  unavailable: failed('unavailable'),
  keyRefused: failed('unavailable', { nature: 'keyRefused' }),
  timeout: failed('timeout'),
  badResponse: failed('badResponse'),
  rateLimited: failed('rateLimited'),
  paused: failed('rateLimited', { nature: 'notSent' }),
  skipped: { result: 'skipped' },
}
const NEITHER: Outcomes = {
  cut: { result: 'cut' },
  ownLimit,
  unexplained: failed('badResponse', { nature: 'unexplained' }),
  rejected: failed('rejected'),
  scaled,
}
const refusal = (outcomes: Outcomes) => noOffer(record(outcomes, { unwilling: [{ id: 'unwilling' }] }))

it('a race without an offer is NO_LIQUIDITY when a venue declines, whatever the others do, and when no venue fails or declines [quote-no-offer-codes]', () => {
  const declined = DECLINES.map((kind) => ({ ...OUTAGES, ...NEITHER, [kind]: failed(kind) }))
  const neither = Object.entries(NEITHER).map(([venue, outcome]) => ({ [venue]: outcome }))
  for (const outcomes of [...declined, ...neither, {}])
    expect(refusal(outcomes), Object.keys(outcomes).at(-1)).toMatchObject({ code: 'NO_LIQUIDITY', isOutage: false })
})

it('a race without an offer is a retryable INTERNAL when a venue fails and none declines [quote-no-offer-codes]', () => {
  for (const [kind, outage] of Object.entries(OUTAGES)) {
    const { code, isOutage, details } = refusal({ ...NEITHER, [kind]: outage })
    expect([kind, code, isOutage, details?.['retryable']]).toEqual([kind, 'INTERNAL', true, true])
    expect(details?.['declines']).toHaveLength(Object.keys(NEITHER).length + 2)
  }
})

const raceOf = (runs: readonly ToldRun[], wish: Partial<ToldRace> = {}): ToldRace => {
  return { mode: 'best_output', runs, unwilling: [], reference: null, ...wish }
}
const [most, MOST] = [{ amount: `${MAX_AMOUNT}`, minimum: `${MAX_AMOUNT}` }, MAX_AMOUNT.toString(36)]
const greatest = raceOf(
  [
    { venue: 'near-intents', outcome: 'offer', rank: 1, elapsedMs: 0, ...most, feeCost: '0' },
    { venue: 'lifi', outcome: 'offer', rank: 2, elapsedMs: 60_000, amount: '5', feeCost: null, isPreview: true },
  ],
  { mode: 'fastest', reference: `${MAX_AMOUNT}` },
)
const OTHERS = { dropped: 'd', decline: 'n', rejected: 'r', timeout: 't', failure: 'f', cut: 'c', skipped: 's' } as const

it.each<[string, ToldRace, string]>([
  ['an offer', raceOf([{ venue: 'v2', outcome: 'offer', rank: 1, elapsedMs: 40, amount: '36' }]), 'b;v2,o14,,10'],
  [
    'previews, the greatest amounts, and fees with and without a price',
    greatest,
    `f${MOST};near-intents,o0,,${MOST},${MOST},0;lifi,o1aao,,5,,?,p`,
  ],
  ...Object.entries(OTHERS).map(([outcome, letter]): [string, ToldRace, string] => [
    `a venue without an offer: ${outcome}`,
    raceOf([{ venue: 'toy', outcome: outcome as keyof typeof OTHERS, elapsedMs: 5, kind: 'badResponse' }]),
    `b;toy,${letter}5,badResponse`,
  ]),
])('a race packed into a quote token holds %s, and unpacks to the same race', (_what, race, packed) => {
  expect([packRace(race), unpackRace(packed)]).toEqual([packed, race])
})

it('a race packed into a quote token is left out when it is longer than its share of the token, or a text of another version', () => {
  const run: ToldRun = { venue: 'v'.repeat(PACKED_RACE_MAX - 5), outcome: 'cut', elapsedMs: 1 }
  expect(packRace(raceOf([run]))).toHaveLength(PACKED_RACE_MAX)
  expect(packRace(raceOf([{ ...run, venue: `${run.venue}v` }]))).toBeNull()
  expect(['', 'b;toy', 'b;toy,x1', 'b!;toy,o1'].map(unpackRace)).toEqual(Array(4).fill(null))
})
