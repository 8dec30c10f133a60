import { type Amount, MAX_AMOUNT, toAmount } from '../core/amount.ts'
import type { Json } from '../core/json.ts'
import type { Offer, VenueId } from '../core/offer.ts'
import type { RankingMode } from '../core/order.ts'
import type { ToldRace, ToldRun } from '../core/toldRace.ts'
import { SwapError } from '../errors.ts'
import type { RequestEvent } from '../observe/observe.ts'
import type { VenueProfile } from '../venues/venue.ts'
import type { VenueError } from '../venues/venueError.ts'
import { outcomeOf } from '../venues/venueOutcome.ts'
import type { KnownTokens } from './quoteReads.ts'
import type { RaceEntry } from './race.ts'
import { type Candidate, dropOutliers, medianWorth, type NativeFeeWorth, type PublishedWorth, rank } from './rank.ts'

/** Why an offer that came in time is left out. */
export type Dropped = 'contradictsChain' | 'outlier'

/**
 * The result of one venue. `error`: a decline, a timeout or a failure, by its kind. `cut`: the race was decided before it
 * answered. `skipped`: its breaker is open. Beside these `unwilling`: it does not serve the route, and was not asked.
 */
export type VenueResult =
  /** `isUnwitnessed`: it promises far more than the only other offer, and nothing shows which of them is wrong. */
  | {
      readonly result: 'offer'
      readonly offer: Offer
      readonly isExecutable: boolean
      readonly isUnwitnessed: boolean
      /** From 1, the best. */
      readonly rank: number
      readonly feeWorth: ReturnType<NativeFeeWorth>
    }
  | { readonly result: 'dropped'; readonly offer: Offer; readonly why: Dropped }
  | { readonly result: 'error'; readonly error: VenueError; readonly isLate?: boolean }
  | { readonly result: 'skipped' }
  | { readonly result: 'cut'; readonly isSlow?: boolean }

type Who = { readonly venue: VenueId; readonly elapsedMs: number }

type AskedRun = Who & VenueResult

export type VenueRun = AskedRun | (Who & { readonly result: 'unwilling' })

/** The whole result of a race: the answer to the caller, the log and all later records derive from it. */
export type RaceRecord = {
  /** One for every venue that was invited. */
  readonly runs: readonly VenueRun[]
  readonly winner: Candidate | null
  readonly mode: RankingMode
  /**
   * The worth of the input by the venues' published prices, smallest units of the output token. Null without a price, or for an
   * amount above the maximum.
   */
  readonly reference: Amount | null
}

type Named = Pick<VenueProfile, 'id'>

export type RaceFacts = {
  readonly entries: readonly (Pick<RaceEntry, 'outcome' | 'elapsedMs'> & { readonly venue: { readonly profile: Named } })[]
  /** Invited, but they do not serve the route. */
  readonly unwilling: readonly Named[]
  /** The tokens as their chains report them. */
  readonly tokens: KnownTokens
  readonly published: readonly PublishedWorth[]
  /** The cost of a fee beside the input, in the output token. */
  readonly worthOf: NativeFeeWorth
}

/** A venue that scales a token by other decimals than its chain does would be wrong by powers of ten. */
export const contradictsChain = ({ decimals }: Offer, { input, output }: KnownTokens): boolean =>
  (decimals.input !== null && input !== null && decimals.input !== input.decimals) ||
  (decimals.output !== null && output !== null && decimals.output !== output.decimals)

const judge = (facts: RaceFacts, factor: number, mode: RankingMode) => {
  const { entries, tokens, published, worthOf } = facts
  const offers = entries.flatMap(({ outcome }) => (outcome.result === 'offer' ? [outcome] : []))
  const credible = offers.filter(({ offer }) => !contradictsChain(offer, tokens))
  const { kept, unwitnessed } = dropOutliers(credible, { factor, published, mode })
  const whyDropped = (candidate: Candidate): Dropped | null => {
    if (kept.includes(candidate)) return null
    return credible.includes(candidate as (typeof credible)[number]) ? 'outlier' : 'contradictsChain'
  }
  const isUnwitnessed = (candidate: Candidate): boolean => unwitnessed.includes(candidate)
  return { ranking: rank(kept, mode, worthOf), whyDropped, isUnwitnessed }
}

/** Pure: derives the result of every venue, and the winning offer. */
export const recordRace = (facts: RaceFacts, { factor, mode }: { factor: number; mode: RankingMode }): RaceRecord => {
  const { ranking, whyDropped, isUnwitnessed } = judge(facts, factor, mode)
  const asked = facts.entries.map(({ venue, outcome, elapsedMs }): VenueRun => {
    const who = { venue: venue.profile.id, elapsedMs }
    if (outcome.result !== 'offer') return { ...who, ...outcome }
    const why = whyDropped(outcome)
    if (why !== null) return { ...who, result: 'dropped', offer: outcome.offer, why }
    const rank = ranking.indexOf(outcome) + 1
    return { ...who, ...outcome, isUnwitnessed: isUnwitnessed(outcome), rank, feeWorth: facts.worthOf(outcome.offer) }
  })
  const unasked = facts.unwilling.map(({ id }): VenueRun => ({ venue: id, elapsedMs: 0, result: 'unwilling' }))
  const reference = medianWorth(facts.published)
  return {
    runs: [...asked, ...unasked],
    winner: ranking[0] ?? null,
    mode,
    reference: reference === null || reference > MAX_AMOUNT ? null : toAmount(reference),
  }
}

const plain = (venue: VenueId, kind: string, retryable: boolean) => ({ venue, kind, retryable })

/** Why a venue has no offer, as one entry of `details.declines`. */
export const declineOf = (run: VenueRun): Json => {
  switch (run.result) {
    case 'error': {
      const { kind, check, minimum, maximum, reason, isRetryable } = run.error
      return {
        venue: run.venue,
        kind,
        ...(check === null ? {} : { check: `${run.venue}.${check}` }),
        ...(minimum === null ? {} : { minimum: minimum.toString() }),
        ...(maximum === null ? {} : { maximum: maximum.toString() }),
        ...(reason === null ? {} : { reason }),
        retryable: isRetryable,
      }
    }
    case 'skipped':
      return plain(run.venue, 'unavailable', true)
    case 'cut':
      return plain(run.venue, 'notAwaited', true)
    case 'unwilling':
      return plain(run.venue, 'unsupportedPair', false)
    case 'dropped':
      return { ...plain(run.venue, 'rejected', true), check: `${run.venue}.${run.why}` }
    case 'offer':
      return plain(run.venue, 'badResponse', true)
  }
}

const isOutage = (run: VenueRun): boolean => run.result === 'skipped' || (run.result === 'error' && run.error.isOutage)

const isDecline = (run: VenueRun): boolean => run.result === 'error' && run.error.isDecline

/**
 * The error of a race without an offer. INTERNAL, to be repeated, where venues that serve the route fail and none declines;
 * NO_LIQUIDITY otherwise. A cut venue, a dropped offer and a limit of the service are neither.
 */
export const noOffer = ({ runs }: RaceRecord): SwapError => {
  const declines = runs.map(declineOf)
  if (runs.some(isDecline) || !runs.some(isOutage)) {
    const text = 'No venue can quote this pair and amount. See details.declines for what each one said.'
    return new SwapError('NO_LIQUIDITY', text, { details: { declines } })
  }
  const text = 'Every venue that serves this route fails now. Repeat the request; see details.declines.'
  return new SwapError('INTERNAL', text, { details: { retryable: true, declines }, isOutage: true })
}

export const DROPPED: { readonly [why in Dropped]: string } = {
  contradictsChain: 'contradicts the chain',
  outlier: 'contradicts the other offers',
}

const UNWITNESSED = 'far above the only other offer, and kept: there is no second witness'

const notSold = ({ reason }: VenueError) => (reason === 'notSold' ? ({ isNotSold: true } as const) : {})

/** The result of a venue, for the log and the metrics. */
export const eventOf = (run: VenueRun): Extract<RequestEvent, { readonly event: 'venue.call' }> => {
  const { venue, elapsedMs } = run
  const call = { event: 'venue.call', venue, call: 'quote', elapsedMs } as const
  switch (run.result) {
    case 'error':
      return { ...call, outcome: outcomeOf(run.error), kind: run.error.kind, reason: run.error.message, ...notSold(run.error) }
    case 'dropped':
      return { ...call, outcome: 'dropped', reason: DROPPED[run.why] }
    case 'offer':
      return { ...call, outcome: 'offer', ...(run.isUnwitnessed ? { reason: UNWITNESSED } : {}) }
    case 'cut':
      return { ...call, outcome: run.isSlow ? 'slow' : 'cut' }
    default:
      return { ...call, outcome: run.result }
  }
}

/** The length of a venue's message in the one log line about the race. */
const REASON_LENGTH_MAX = 200

export const priceOf = ({ outputAmount, slippage }: Offer) => ({
  amount: outputAmount.toString(),
  ...(slippage && { minimum: slippage.guaranteedMin.toString() }),
})

const costOf = (feeWorth: bigint | null) => (feeWorth === 0n ? {} : { feeCost: feeWorth === null ? null : feeWorth.toString() })

const toldRun = (run: AskedRun): ToldRun => {
  const { venue, elapsedMs } = run
  switch (run.result) {
    case 'offer':
      return {
        venue,
        outcome: 'offer',
        elapsedMs,
        rank: run.rank,
        ...priceOf(run.offer),
        ...costOf(run.feeWorth),
        ...(!run.isExecutable && { isPreview: true }),
        ...(run.isUnwitnessed && { reason: UNWITNESSED }),
      }
    case 'dropped':
      return { venue, outcome: 'dropped', elapsedMs, ...priceOf(run.offer), kind: run.why }
    case 'error': {
      const { kind, message, minimum, maximum } = run.error
      return {
        ...{ venue, outcome: outcomeOf(run.error), elapsedMs, kind, reason: message.slice(0, REASON_LENGTH_MAX) },
        ...(minimum !== null && { inputMinimum: minimum.toString() }),
        ...(maximum !== null && { inputMaximum: maximum.toString() }),
      }
    }
    default:
      return { venue, outcome: run.result, elapsedMs }
  }
}

const isAsked = (run: VenueRun): run is AskedRun => run.result !== 'unwilling'

/** The whole race, for its one log line and for the swap that follows from it. */
export const toldRaceOf = ({ runs, mode, reference }: RaceRecord): ToldRace => ({
  mode,
  runs: runs
    .filter(isAsked)
    .map(toldRun)
    .sort((a, b) => (a.rank ?? runs.length) - (b.rank ?? runs.length)),
  unwilling: runs.flatMap(({ venue, result }) => (result === 'unwilling' ? [venue] : [])),
  reference: reference === null ? null : reference.toString(),
})
