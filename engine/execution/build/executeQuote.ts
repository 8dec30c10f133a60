import type { Chains } from '../../chains/chains.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import type { BuiltSwap } from '../../core/answers.ts'
import type { Clock } from '../../core/clock.ts'
import type { Binding } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import type { Proof } from '../../core/proof.ts'
import type { Approval, ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import { SwapError } from '../../errors.ts'
import { createSingleFlight } from '../../net/singleFlight.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { QuoteSeal, SealedQuote } from '../../quoting/seal.ts'
import { expectProof, needsTrust } from '../../quoting/trust.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { sandboxApproval, sandboxExecution } from '../sandbox.ts'
import { quoteGone, venueFailure } from '../venueFailure.ts'
import { keyOf } from './bindings.ts'
import { bindParties, type GivenAddresses } from './bindParties.ts'
import { buildExecution, RETRY_SAFELY } from './buildExecution.ts'
import { type BuiltOnce, createBuildOnce } from './buildOnce.ts'
import { createFindStanding } from './findStanding.ts'
import { SwapKeyTaken } from './keepSwap.ts'
import { proveAgain } from './proveAgain.ts'
import { readApproval } from './readApproval.ts'
import { simulatePayment } from './simulatePayment.ts'

export type ExecutePorts = {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly chains: Chains
  readonly solana: SolanaTransactions
  readonly seal: QuoteSeal
  readonly store: Store
  readonly clock: Clock
  readonly newId: () => string
  /** False: what would be taken on a venue's word is not built, even where it was quoted before. */
  readonly venuesOnTrust: boolean
}

export type ExecuteRequest = { readonly quoteToken: string } & GivenAddresses

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

/** Of two swaps that their venue cannot tell apart only the first is handed out: whoever made them alike, the other never is. */
const sameAsAnother = (
  venue: GuardedVenue,
  taken: SwapKeyTaken,
  { quoteId, context }: { readonly quoteId: string; readonly context: CallContext },
): SwapError => {
  const { id } = venue.profile
  // Two alike by what we wrote: a fresh quote is another.
  if (!taken.isVenuesFault) return quoteGone(id, 'sameAsAnotherSwap', taken)
  venue.proved(false, context)
  context.observe({ event: 'payload.refused', quoteId, venue: id, mismatches: [taken.message] })
  const text = `${id} answered with what it gave to another swap. It was refused: nothing is to be signed or sent.`
  return new SwapError('INTERNAL', text, { details: { venue: id, reason: 'reusedReference' }, cause: taken })
}

/** What the profile promises stands in where nothing was proved: in the sandbox, and for swaps stored before proofs were. */
const expectedOf = ({ profile }: GuardedVenue, { order, offer }: SealedOffer): Proof =>
  expectProof(profile, offer.executionType, order)

const previewOnly = ({ unnamed }: Order): SwapError =>
  new SwapError('QUOTE_NOT_EXECUTABLE', 'The quote is a preview. Request a fresh one with the addresses in details.missing.', {
    details: { missing: unnamed.map((party) => (party === 'recipient' ? 'destinationAddress' : 'refundAddress')) },
  })

/**
 * Turns a quote into what the wallet must sign or send. Repeated with the same addresses it answers with the same
 * payload, so a retry never opens a second deposit address.
 */
export const createExecuteQuote = ({ venues, chains, solana, seal, store, clock, newId, venuesOnTrust }: ExecutePorts) => {
  const once = createSingleFlight<BuiltOnce>()
  const findStanding = createFindStanding({ store, solana })
  const buildOnce = createBuildOnce({ store, newId })

  const approvalFor = async (quote: SealedQuote, { observe }: CallContext): Promise<Approval | null> => {
    const approval = await readApproval(chains, quote, observe)
    return approval && quote.order.sandbox ? sandboxApproval(quote.order) : approval
  }

  const build = async (
    venue: GuardedVenue,
    quote: SealedQuote,
    binding: Binding,
    { observe, client }: CallContext,
  ): Promise<ExecutedSwap> => {
    const { order, offer } = quote
    if (order.sandbox)
      return { order, offer, binding, execution: await sandboxExecution(quote, binding), proof: expectedOf(venue, quote) }
    const { execution, proof, deadlineAt } = await buildExecution(venue, quote, binding, { clock, observe, client })
    await simulatePayment(execution, { id: quote.id, venue: offer.venue }, { solana, observe })
    return { order, offer, binding, execution, proof, deadlineAt }
  }

  const buildOrFind = (venue: GuardedVenue, quote: SealedQuote, binding: Binding, context: CallContext): Promise<BuiltOnce> => {
    const { id: quoteId, partnerId, order } = quote
    return buildOnce(quoteId, {
      observe: context.observe,
      find: () => findStanding(quoteId, keyOf(binding), context.observe),
      build: async (bindingKey) => {
        const swap = await build(venue, quote, binding, context)
        const ref = handedOutRef(swap, () => `broadcast-${newId()}`)
        const keys = order.sandbox ? [] : await venue.profile.toldApartBy(swap)
        return { swap: { quoteId, bindingKey, partnerId, isSandbox: order.sandbox, ref, swap }, keys }
      },
      tooLong: () => venueFailure(venue.profile.id, new VenueError('timeout', 'another process is still building'), RETRY_SAFELY),
    })
  }

  const findOrBuild: typeof buildOrFind = async (venue, quote, binding, context) => {
    try {
      const built = await buildOrFind(venue, quote, binding, context)
      if (quote.order.sandbox) return built
      if (built.repeated) await proveAgain(venue, built.record, { clock, observe: context.observe })
      else venue.proved(true, context)
      return built
    } catch (error) {
      if (!(error instanceof SwapKeyTaken)) throw error
      throw sameAsAnother(venue, error, { quoteId: quote.id, context })
    }
  }

  const toBuiltSwap = async (
    { quote, venue }: { readonly quote: SealedQuote; readonly venue: GuardedVenue },
    { id, ref, swap }: SwapRecord,
    approval: Approval | null,
  ): Promise<BuiltSwap> => {
    const { payload } = swap.execution
    const built = { payload, approval, proof: swap.proof ?? expectedOf(venue, quote) }
    if (broadcastable(swap.order, swap.execution) === null)
      return { ...built, statusRef: payload.executionType === 'DEPOSIT' ? ref : null, submission: null }
    return { ...built, statusRef: ref, submission: { quoteToken: await seal.mint({ ...quote, swapId: id }) } }
  }

  const open = async (quoteToken: string): Promise<{ quote: SealedQuote; venue: GuardedVenue }> => {
    const quote = await seal.open(quoteToken)
    if (clock.now() >= quote.expiresAt)
      throw new SwapError('QUOTE_EXPIRED', 'The quote has expired. Request a fresh quote.', {
        details: { expiresAt: quote.expiresAt },
      })
    const venue = venues.get(quote.offer.venue)
    if (!venue?.isEnabled || (!venuesOnTrust && needsTrust(venue.profile, quote.order)))
      throw quoteGone(quote.offer.venue, 'venueDisabled')
    if (!quote.isExecutable) throw previewOnly(quote.order)
    return { quote, venue }
  }

  return async ({ quoteToken, ...given }: ExecuteRequest, context: CallContext): Promise<BuiltSwap> => {
    const { quote, venue } = await open(quoteToken)
    const { order, offer, id } = quote
    if (order.sandbox && !venue.profile.hasSandbox)
      throw new SwapError('INTERNAL', `${venue.profile.id} does not support sandbox mode. Leave it out with excludeVenues.`, {
        details: { venue: venue.profile.id },
      })
    const binding = bindParties(order, venue.profile, given)
    // Read on every call, also a repeated one: the wallet may have approved in the meantime.
    const [approval, { record, repeated }] = await Promise.all([
      approvalFor(quote, context),
      once(`${id}|${keyOf(binding)}`, () => findOrBuild(venue, quote, binding, context)),
    ])
    const { venue: venueId, executionType } = offer
    context.observe({ event: 'swap.executed', quoteId: id, venue: venueId, executionType, repeated })
    return toBuiltSwap({ quote, venue }, record, approval)
  }
}
