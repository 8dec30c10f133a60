import { ChainError, type Chains } from '../../chains/chains.ts'
import { CLOCKS_APART_MS_MAX, requireRightClock } from '../../chains/endpoints/chainClock.ts'
import type { BuiltSwap } from '../../core/answers.ts'
import type { Payload } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import type { Approval } from '../../core/swap.ts'
import { SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import { createSingleFlight } from '../../net/singleFlight.ts'
import { bindSwap, type CallContext, markOf } from '../../observe/callContext.ts'
import type { QuoteSeal, SealedQuote } from '../../quoting/seal.ts'
import { tokenKeyIdIn } from '../../quoting/tokenKeyId.ts'
import { needsTrust } from '../../quoting/trust.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { broadcastable } from '../broadcast/broadcastable.ts'
import { sandboxApproval } from '../sandbox.ts'
import { quoteGone } from '../venueFailure.ts'
import type { VenuePlaces } from '../venuePlaces.ts'
import { keyOf } from './bindings.ts'
import { bindParties, type GivenAddresses } from './bindParties.ts'
import { RETRY_SAFELY } from './buildExecution.ts'
import type { BuiltOnce } from './buildOnce.ts'
import { createFindOrBuild, expectedOf, type FindOrBuildPorts, type OpenedQuote } from './findOrBuild.ts'
import { readApproval } from './readApproval.ts'

export type ExecutePorts = FindOrBuildPorts & {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly chains: Chains
  readonly seal: QuoteSeal
  /** False rejects payloads with parts that rest on the venue's report, also of earlier quotes. */
  readonly venuesOnTrust: boolean
  readonly places: VenuePlaces
}

export type ExecuteRequest = { readonly quoteToken: string } & GivenAddresses

const previewOnly = ({ unnamed }: Order): SwapError =>
  new SwapError('QUOTE_NOT_EXECUTABLE', 'The quote is a preview. Request a fresh one with the addresses in details.missing.', {
    details: { missing: unnamed.map((party) => (party === 'recipient' ? 'destinationAddress' : 'refundAddress')) },
  })

const TOKEN_DEADLINE_MS = 3_000

/** Adds its token to a deposit. Throws a retryable INTERNAL if the chain cannot be read. */
const withToken = async (payload: Payload, { input }: Order, chains: Chains): Promise<BuiltSwap['payload']> => {
  if (payload.executionType !== 'DEPOSIT') return payload
  try {
    return { ...payload, token: await withDeadline(TOKEN_DEADLINE_MS, (signal) => chains.token(input, signal)) }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { chainId } = input
    const text = `The input token could not be read on chain ${chainId}. ${RETRY_SAFELY}`
    throw new SwapError('INTERNAL', text, { details: { chainId, retryable: true }, cause: error })
  }
}

/**
 * Turns a quote into a payload for the wallet. A repeated call with the same addresses returns the same payload, so a retry never
 * opens a second deposit address.
 */
export const createExecuteQuote = (ports: ExecutePorts) => {
  const { venues, chains, seal, clock, chainClock, venuesOnTrust, places } = ports
  const once = createSingleFlight<BuiltOnce>()
  const findOrBuild = createFindOrBuild(ports)

  const approvalFor = async (quote: SealedQuote, { observe }: CallContext): Promise<Approval | null> => {
    const approval = await readApproval(chains, quote, observe)
    return approval && quote.order.sandbox ? sandboxApproval(quote.order) : approval
  }

  const toBuiltSwap = async (
    { quote, venue }: { readonly quote: SealedQuote; readonly venue: GuardedVenue },
    { id, ref, swap }: SwapRecord,
    approval: Approval | null,
  ): Promise<Omit<BuiltSwap, 'ignored'>> => {
    const payload = await withToken(swap.execution.payload, swap.order, chains)
    // A signed approval needs no transaction.
    const isSigned = payload.executionType === 'SIGNATURE' && payload.approvalData !== null
    const built = { payload, approval: isSigned ? null : approval, proof: swap.proof ?? expectedOf(venue, quote) }
    if (broadcastable(swap.order, swap.execution) === null)
      return { ...built, statusRef: payload.executionType === 'DEPOSIT' ? ref : null, submission: null }
    return { ...built, statusRef: ref, submission: { quoteToken: seal.mint({ ...quote, swapId: id, race: null }) } }
  }

  const open = async (quoteToken: string): Promise<{ quote: OpenedQuote; venue: GuardedVenue }> => {
    const quote = { ...seal.open(quoteToken), tokenKey: tokenKeyIdIn(quoteToken) }
    const { expiresAt, mintedAt = 0 } = quote
    if (clock.now() >= expiresAt) {
      requireRightClock(chainClock)
      throw new SwapError('QUOTE_EXPIRED', 'The quote has expired. Request a fresh quote.', { details: { expiresAt } })
    }
    // While our own clock is known to be behind, the quote may be right: a stored payload is returned, and the build fails with 503.
    if (mintedAt > clock.now() + CLOCKS_APART_MS_MAX && chainClock.wrongByMs() === null)
      throw quoteGone(quote.offer.venue, 'quotedInFuture')
    const venue = venues.get(quote.offer.venue)
    if (!venue?.isEnabled || (!venuesOnTrust && needsTrust(venue.profile, quote.order)))
      throw quoteGone(quote.offer.venue, 'venueDisabled')
    if (!quote.isExecutable) throw previewOnly(quote.order)
    return { quote, venue }
  }

  return async ({ quoteToken, ...given }: ExecuteRequest, asked: CallContext): Promise<BuiltSwap> => {
    const { quote, venue } = await open(quoteToken)
    const { order, offer, id } = quote
    const context = bindSwap(asked, { quoteId: id })
    if (order.sandbox && !venue.profile.hasSandbox)
      throw new SwapError('INTERNAL', `${venue.profile.id} does not support sandbox mode. Leave it out with excludeVenues.`, {
        details: { venue: venue.profile.id },
      })
    const { binding, ignored } = bindParties(quote, venue.profile, given)
    // Read on every call: the wallet may have approved since the last one.
    const [approval, { record, repeated }] = await Promise.all([
      approvalFor(quote, context),
      places.within(offer.venue, () => once(`${id}|${keyOf(binding)}`, () => findOrBuild(venue, quote, binding, context))),
    ])
    const { venue: venueId, executionType } = offer
    context.observe({ event: 'swap.executed', ...markOf(record), venue: venueId, executionType, repeated })
    return { ...(await toBuiltSwap({ quote, venue }, record, approval)), ignored }
  }
}
