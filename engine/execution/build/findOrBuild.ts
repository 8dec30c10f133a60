import { type ChainClock, requireRightClock } from '../../chains/endpoints/chainClock.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import type { Clock } from '../../core/clock.ts'
import type { Binding } from '../../core/execution.ts'
import type { Proof } from '../../core/proof.ts'
import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import { SwapError } from '../../errors.ts'
import type { ClockReads } from '../../health/clockReads.ts'
import { bindSwap, type CallContext, markOf } from '../../observe/callContext.ts'
import { unpackRace } from '../../quoting/packedRace.ts'
import type { SealedQuote } from '../../quoting/seal.ts'
import { expectProof } from '../../quoting/trust.ts'
import type { Store } from '../../store/store.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { rejected, VenueError } from '../../venues/venueError.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { sandboxExecution } from '../sandbox.ts'
import { quoteGone, venueFailure } from '../venueFailure.ts'
import { keyOf } from './bindings.ts'
import { buildExecution, RETRY_SAFELY } from './buildExecution.ts'
import { type BuiltOnce, createBuildOnce } from './buildOnce.ts'
import { createFindStanding } from './findStanding.ts'
import { SwapKeyTaken } from './keepSwap.ts'
import { proveAgain } from './proveAgain.ts'
import { simulatePayment } from './simulatePayment.ts'

/** Our clock may be so far ahead of the chains without a note: the search for evidence begins earlier anyway. */
const AHEAD_MS_MIN = 60_000
/** Evidence is never searched from longer before our time than this. */
const AHEAD_MS_MAX = 24 * 3_600_000

/** The time of the chains at an execution, where our clock is ahead of it. */
const chainsAtOf = (now: number, aheadMs: number): Pick<ExecutedSwap, 'chainsAt'> =>
  aheadMs > AHEAD_MS_MIN ? { chainsAt: Math.floor(now - Math.min(aheadMs, AHEAD_MS_MAX)) } : {}

export type FindOrBuildPorts = {
  readonly solana: SolanaTransactions
  readonly store: Store
  readonly clock: Clock
  readonly chainClock: ChainClock
  readonly clockReads: Pick<ClockReads, 'settled' | 'compared'>
  readonly newId: () => string
}

/** A quote, and the key that its token is sealed under. */
export type OpenedQuote = SealedQuote & { readonly tokenKey: string | null }

/**
 * What /status will be asked with: the deposit address, the venue's order, or for what the service broadcasts the
 * venue's reference or one of ours. The hash of a transaction the wallet sends is only known to the wallet.
 */
const handedOutRef = ({ order, execution }: ExecutedSwap, newRef: () => string): string | null => {
  const { payload, venueRef } = execution
  switch (payload.executionType) {
    case 'DEPOSIT':
      return payload.deposit.address
    case 'SIGNATURE':
      return venueRef
    case 'TRANSACTION':
      return broadcastable(order, execution) === null ? null : (venueRef ?? newRef())
  }
}

/** Rejects the second of two swaps that their venue cannot distinguish, whether the venue or this service made them equal. */
const sameAsAnother = (venue: GuardedVenue, taken: SwapKeyTaken, quote: OpenedQuote, context: CallContext): SwapError => {
  const { id } = venue.profile
  // This service wrote the equal values, so a fresh quote differs.
  if (!taken.isVenuesFault) return quoteGone(id, 'sameAsAnotherSwap', taken)
  venue.proved(quote, rejected('reusedReference', taken.message), context)
  context.observe({ event: 'payload.refused', venue: id, mismatches: [taken.message] })
  const text = `${id} answered with what it gave to another swap. It was refused: nothing is to be signed or sent.`
  return new SwapError('INTERNAL', text, { details: { venue: id, reason: 'reusedReference' }, cause: taken })
}

const stillBuilding = new VenueError('timeout', 'another process is still building')

/** What the profile promises stands in where nothing was proved: in the sandbox, and for swaps stored before proofs were. */
export const expectedOf = ({ profile }: GuardedVenue, { order, offer }: SealedOffer): Proof =>
  expectProof(profile, offer.executionType, order)

/** Finds what stands for a quote and its addresses, proved again, or has it built, proved and stored. */
export const createFindOrBuild = ({ solana, store, clock, chainClock, clockReads, newId }: FindOrBuildPorts) => {
  const findStanding = createFindStanding({ store, solana })
  const buildOnce = createBuildOnce({ store, newId })

  const build = async (
    venue: GuardedVenue,
    quote: SealedQuote,
    binding: Binding,
    { observe, client, caller }: CallContext,
  ): Promise<ExecutedSwap> => {
    const { order, offer } = quote
    if (order.sandbox)
      return { order, offer, binding, execution: await sandboxExecution(quote, binding), proof: expectedOf(venue, quote) }
    const requireClock = async () => {
      await clockReads.compared()
      requireRightClock(chainClock)
    }
    requireRightClock(chainClock)
    const [{ execution, ...proved }] = await Promise.all([
      buildExecution(venue, quote, binding, { clock, requireClock, observe, client, caller }),
      clockReads.settled(),
    ])
    requireRightClock(chainClock)
    await simulatePayment(execution, offer.venue, { solana, observe })
    const hasFee = offer.fee.amount > 0n
    return {
      order,
      offer,
      binding,
      execution,
      ...proved,
      ...chainsAtOf(clock.now(), chainClock.aheadMs() ?? 0),
      ...(hasFee && { feeCustody: venue.profile.feeCustody({ order, offer }) }),
    }
  }

  const buildOrFind = (venue: GuardedVenue, quote: OpenedQuote, binding: Binding, context: CallContext): Promise<BuiltOnce> => {
    const { id: quoteId, partnerId, feeOf, tokenKey, order } = quote
    const race = quote.race === null ? null : unpackRace(quote.race)
    const { requestId, caller } = context
    const attribution = { partnerId, feeOf, executedBy: caller.partnerId ?? partnerId, requestId, tokenKey }
    return buildOnce(quoteId, {
      observe: context.observe,
      find: () => findStanding(quoteId, keyOf(binding), context.observe),
      build: async (bindingKey) => {
        const swap = await build(venue, quote, binding, context)
        const ref = handedOutRef(swap, () => `broadcast-${newId()}`)
        const keys = order.sandbox ? [] : await venue.profile.toldApartBy(swap)
        return { swap: { quoteId, bindingKey, ...attribution, isSandbox: order.sandbox, ref, swap, race }, keys }
      },
      tooLong: () => venueFailure(venue.profile.id, stillBuilding, RETRY_SAFELY, true),
    })
  }

  return async (venue: GuardedVenue, quote: OpenedQuote, binding: Binding, context: CallContext): Promise<BuiltOnce> => {
    try {
      const built = await buildOrFind(venue, quote, binding, context)
      if (quote.order.sandbox) return built
      if (built.repeated)
        await proveAgain(venue, built.record, { clock, chainClock, observe: bindSwap(context, markOf(built.record)).observe })
      else venue.proved(quote, null, context)
      return built
    } catch (error) {
      if (!(error instanceof SwapKeyTaken)) throw error
      throw sameAsAnother(venue, error, quote, context)
    }
  }
}
