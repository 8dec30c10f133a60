import type { Chains } from '../chains/chains.ts'
import { type ChainClock, requireRightClock } from '../chains/endpoints/chainClock.ts'
import type { Config } from '../config/config.ts'
import type { Quote } from '../core/answers.ts'
import type { Clock } from '../core/clock.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { FeeOwner } from '../core/partner.ts'
import { leadOf, toldRoute } from '../core/toldRace.ts'
import { deadline, whenAborted } from '../net/deadline.ts'
import type { LoopWatch } from '../net/loopWatch.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { assembleQuote } from './assembleQuote.ts'
import { sealBridged } from './bridgedLeast.ts'
import { requireSignable } from './canSign.ts'
import { chooseOffer, refuseKnownMissing, refuseStrangers } from './chooseOffer.ts'
import { feeFor } from './fee.ts'
import { packRace } from './packedRace.ts'
import { startQuoteReads } from './quoteReads.ts'
import { race } from './race.ts'
import { contradictsChain } from './raceRecord.ts'
import type { QuoteSeal } from './seal.ts'
import { orderFor } from './tolerance.ts'
import { needsTrust } from './trust.ts'

export type QuotePorts = {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly loopWatch: LoopWatch
  readonly chains: Chains
  readonly seal: QuoteSeal
  readonly clock: Clock
  readonly chainClock: ChainClock
  readonly newId: () => string
}

/** Shared instance: thrown on every quote, so its stack trace is not needed. */
const NOBODY_WAITS = new Error('nobody waits for the quote any more')

/** The race keeps its own deadline. `stop` ends the race and all reads early, once no caller waits. */
const startLimits = ({ deadlineMs, softDeadlineMs }: Config['quote'], leaving: AbortSignal) => {
  const over = new AbortController()
  const stop = () => over.abort(NOBODY_WAITS)
  const stay = whenAborted(leaving, stop)
  const limit = deadline(deadlineMs, over.signal)
  // Prices are for display and sanity checks: the quote waits for them no longer than for a venue.
  const priceLimit = deadline(softDeadlineMs, limit.signal)
  const end = () => {
    stay()
    stop()
    limit.clear()
    priceLimit.clear()
  }
  const startLate = () => deadline(softDeadlineMs, over.signal)
  return { over: over.signal, signal: limit.signal, priceSignal: priceLimit.signal, startLate, stop, end }
}

/** The offer, expiring at `least` or later. */
const prolonged = (offer: Offer, least: number): Offer =>
  offer.expiresAt === null || offer.expiresAt >= least ? offer : { ...offer, expiresAt: least }

/** Serves quote requests: the race, the chain reads beside it, the choice and the seal. */
export const createQuoteOrder = (
  { venues, loopWatch, chains, seal, clock, chainClock, newId }: QuotePorts,
  { quote: rules, fees, venuesOnTrust }: Pick<Config, 'quote' | 'fees' | 'venuesOnTrust'>,
): ((asked: Order, context: CallContext) => Promise<Quote>) => {
  const isSold = (profile: VenueProfile, order: Order) => profile.serves(order) && (venuesOnTrust || !needsTrust(profile, order))

  const runRace = async (order: Order, context: CallContext, limits: ReturnType<typeof startLimits>) => {
    const invited = [...venues.values()].filter(
      ({ isEnabled, profile }) => isEnabled && !order.excludeVenues.includes(profile.id),
    )
    const willing = invited.filter(({ profile }) => isSold(profile, order))
    const unwilling = invited.filter((venue) => !willing.includes(venue)).map(({ profile }) => profile)
    const listing = [...venues.values()].filter(({ isEnabled }) => isEnabled)
    const reads = startQuoteReads(chains, { venues: willing, listing }, order, limits, context)
    const { outlierFactor } = rules
    const isBelievable = (offer: Offer) => !contradictsChain(offer, reads.tokensSoFar())
    const judge = async (offer: Offer, profile: VenueProfile) => {
      await requireSignable(offer, profile, reads.senderCode)
      return sealBridged(order, offer, profile, { reads, clock })
    }
    const racingSince = performance.now()
    const running = race(willing, order, { ...rules, clock, isBelievable, judge, loopWatch, context, signal: limits.over })
    // An unknown token ends the race at once. That both tokens are known only matters after the race.
    refuseStrangers(order, reads).catch(limits.stop)
    const entries = await running
    const raceMs = performance.now() - racingSince
    const { winner, told } = await chooseOffer({ order, entries, unwilling, reads }, { ...context, outlierFactor })
    return { reads, winner, told, raceMs, offers: entries.filter(({ outcome }) => outcome.result === 'offer').length }
  }

  const sealWinner = async (
    asked: Order,
    feeOf: FeeOwner,
    { reads, winner, told }: Awaited<ReturnType<typeof runRace>>,
    context: CallContext,
  ) => {
    const { isExecutable } = winner
    const offer = prolonged(winner.offer, clock.now() + rules.lifetimeMsMin)
    const { partnerId } = context.caller
    const profile = venues.get(offer.venue)?.profile
    if (!profile) throw new Error('the winner took no part')
    const order = orderFor(profile, asked, rules.slippageBpsMaxDefault)
    const expiresAt = offer.expiresAt ?? clock.now() + rules.lifetimeMs
    const id = newId()
    const quote = await assembleQuote({ order, offer, isExecutable, expiresAt, profile }, reads, (chainId, what, error) =>
      context.observe({ event: 'chain.unread', chainId, what, reason: error.message }),
    )
    const race = packRace(told)
    const sealed = { id, order, offer, isExecutable, partnerId, feeOf, expiresAt, mintedAt: clock.now(), swapId: null, race }
    const quoteToken = seal.mint(sealed)
    return { id, quote: { quoteToken, ...quote } }
  }

  return async (asked, context) => {
    const startedAt = performance.now()
    if (!asked.sandbox) requireRightClock(chainClock)
    refuseKnownMissing(asked, chains, context.observe)
    const fee = feeFor(asked, context.caller, fees.schedule)
    const order: Order = { ...asked, feeBps: fee.bps }
    const limits = startLimits(rules, context.signal)
    try {
      const raced = await runRace(order, context, limits)
      const { id, quote } = await sealWinner(order, fee.of, raced, context)
      const elapsedMs = performance.now() - startedAt
      const { offers, told } = raced
      const how = { offers, elapsedMs: Math.round(elapsedMs), overheadMs: elapsedMs - raced.raceMs }
      const { venue, isExecutable: executable } = quote
      const race = { ...toldRoute(order), ...told, ...leadOf(told) }
      context.observe({ event: 'quote.served', quoteId: id, venue: venue.id, executable, ...how, ...race })
      return quote
    } finally {
      limits.end()
    }
  }
}
