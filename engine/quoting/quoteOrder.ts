import type { Chains } from '../chains/chains.ts'
import type { Config } from '../config/config.ts'
import type { Quote } from '../core/answers.ts'
import type { Clock } from '../core/clock.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { FeeOwner } from '../core/partner.ts'
import { deadline } from '../net/deadline.ts'
import type { LoopWatch } from '../net/loopWatch.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { assembleQuote } from './assembleQuote.ts'
import { chooseOffer, refuseStrangers } from './chooseOffer.ts'
import { feeFor } from './fee.ts'
import { type ReadLimits, startQuoteReads } from './quoteReads.ts'
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
  readonly newId: () => string
}

/** Serves quote requests: the race, the chain reads beside it, the choice and the seal. */
export const createQuoteOrder = (
  { venues, loopWatch, chains, seal, clock, newId }: QuotePorts,
  { quote: rules, fees, venuesOnTrust }: Pick<Config, 'quote' | 'fees' | 'venuesOnTrust'>,
): ((asked: Order, context: CallContext) => Promise<Quote>) => {
  const isSold = (profile: VenueProfile, order: Order) => profile.serves(order) && (venuesOnTrust || !needsTrust(profile, order))

  const runRace = async (order: Order, context: CallContext, { stop, ...limits }: ReadLimits & { stop: AbortController }) => {
    const invited = [...venues.values()].filter(
      ({ isEnabled, profile }) => isEnabled && !order.excludeVenues.includes(profile.id),
    )
    const willing = invited.filter(({ profile }) => isSold(profile, order))
    const unwilling = invited.filter((venue) => !willing.includes(venue)).map(({ profile }) => profile)
    const reads = startQuoteReads(chains, willing, order, limits, context)
    const { outlierFactor } = rules
    const isBelievable = (offer: Offer) => !contradictsChain(offer, reads.tokensSoFar())
    const running = race(willing, order, { ...rules, clock, isBelievable, loopWatch, context, signal: stop.signal })
    // A stranger ends the race at once; that there is none is only worth waiting for once the race is over.
    refuseStrangers(order, reads).catch(() => stop.abort())
    const entries = await running
    const { winner } = await chooseOffer({ order, entries, unwilling, reads }, { outlierFactor, observe: context.observe })
    return { reads, winner, offers: entries.filter(({ outcome }) => outcome.result === 'offer').length }
  }

  const sealWinner = async (
    asked: Order,
    feeOf: FeeOwner,
    { reads, winner }: Awaited<ReturnType<typeof runRace>>,
    context: CallContext,
  ) => {
    const { offer, isExecutable } = winner
    const profile = venues.get(offer.venue)?.profile
    if (!profile) throw new Error('the winner took no part')
    const order = orderFor(profile, asked, rules.slippageBpsMaxDefault)
    const expiresAt = offer.expiresAt ?? clock.now() + rules.lifetimeMs
    const id = newId()
    const [quote, quoteToken] = await Promise.all([
      assembleQuote({ order, offer, isExecutable, expiresAt, profile }, reads, (chainId, what, error) =>
        context.observe({ event: 'chain.unread', chainId, what, reason: error.message }),
      ),
      seal.mint({ id, order, offer, isExecutable, partnerId: context.caller.partnerId, feeOf, expiresAt, swapId: null }),
    ])
    return { id, quote: { quoteToken, ...quote } }
  }

  return async (asked, context) => {
    const startedAt = performance.now()
    const fee = feeFor(asked, context.caller, fees.schedule)
    const order: Order = { ...asked, feeBps: fee.bps }
    // The race keeps its own deadline; `stop` ends it early, and all reads with it, once nobody waits any more.
    const stop = new AbortController()
    const limit = deadline(rules.deadlineMs, stop.signal)
    // Prices are for display and sanity: nobody waits for them longer than for a venue.
    const priceLimit = deadline(rules.softDeadlineMs, limit.signal)
    try {
      const limits = { signal: limit.signal, priceSignal: priceLimit.signal }
      const raced = await runRace(order, context, { stop, ...limits })
      const { id, quote } = await sealWinner(order, fee.of, raced, context)
      const elapsedMs = Math.round(performance.now() - startedAt)
      context.observe({
        event: 'quote.served',
        quoteId: id,
        venue: quote.venue.id,
        executable: quote.isExecutable,
        offers: raced.offers,
        elapsedMs,
      })
      return quote
    } finally {
      stop.abort()
      limit.clear()
      priceLimit.clear()
    }
  }
}
