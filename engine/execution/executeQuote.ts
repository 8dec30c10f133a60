import type { Chains } from '../chains/chains.ts'
import type { CallContext } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { Binding } from '../core/execution.ts'
import type { BuiltSwap } from '../core/quote.ts'
import { SwapError } from '../errors.ts'
import type { Observe } from '../observe/observe.ts'
import type { QuoteTokens, SealedQuote } from '../quoting/quoteToken.ts'
import type { SwapDocument } from '../store/swapDocument.ts'
import type { SwapRecord, SwapStore } from '../store/swaps.ts'
import type { Venue } from '../venues/venue.ts'
import { bindParties, type GivenAddresses } from './bindParties.ts'
import { buildExecution } from './buildExecution.ts'
import { readApproval } from './readApproval.ts'
import { sandboxApproval, sandboxExecution } from './sandbox.ts'
import { createSingleFlight } from './singleFlight.ts'
import { quoteGone } from './venueFailure.ts'

export type ExecutePorts = {
  readonly venues: ReadonlyMap<string, Venue>
  readonly chains: Chains
  readonly tokens: QuoteTokens
  readonly swaps: SwapStore
  readonly clock: Clock
  readonly observe: Observe
}

export type ExecuteRequest = { readonly quoteToken: string } & GivenAddresses

const toBuiltSwap = ({ execution, approval }: SwapDocument): BuiltSwap => ({
  payload: execution.payload,
  approval,
  statusRef: execution.payload.executionType === 'DEPOSIT' ? execution.payload.deposit.address : null,
})

const bindingKey = ({ recipient, refundTo }: Binding): string => `${recipient}|${refundTo}`

/**
 * Turns a quote into what the wallet must sign or send. Repeated with the same addresses it answers with the same
 * payload, so a retry never opens a second deposit address.
 */
export const createExecuteQuote = ({ venues, chains, tokens, swaps, clock, observe }: ExecutePorts) => {
  const once = createSingleFlight<{ record: SwapRecord; repeated: boolean }>()

  const build = async (venue: Venue, quote: SealedQuote, binding: Binding, requestId: string): Promise<SwapDocument> => {
    const { order, offer } = quote
    const approvalRead = readApproval(chains, quote, ({ chainId, message }) =>
      observe({ event: 'chain.unread', requestId, chainId, what: 'allowance', reason: message }),
    )
    // Nobody awaits the read when building fails first; its failure is then of no interest.
    approvalRead.catch(() => {})
    const execution = order.sandbox
      ? await sandboxExecution(quote, binding)
      : await buildExecution(venue, quote, binding, { clock, observe, requestId })
    const approval = await approvalRead
    return { order, offer, binding, execution, approval: approval && order.sandbox ? sandboxApproval(order) : approval }
  }

  const open = async (quoteToken: string): Promise<{ quote: SealedQuote; venue: Venue }> => {
    const quote = await tokens.open(quoteToken)
    if (clock.now() >= quote.expiresAt)
      throw new SwapError('QUOTE_EXPIRED', 'The quote has expired. Request a fresh quote.', {
        details: { expiresAt: quote.expiresAt },
      })
    const venue = venues.get(quote.offer.venue)
    if (!venue) throw quoteGone(quote.offer.venue, 'venueDisabled')
    if (!quote.isExecutable)
      throw new SwapError(
        'QUOTE_NOT_EXECUTABLE',
        'The quote is a preview. Request a fresh one with the addresses in details.missing.',
        {
          details: {
            missing: quote.order.unnamed.map((party) => (party === 'recipient' ? 'destinationAddress' : 'refundAddress')),
          },
        },
      )
    return { quote, venue }
  }

  return async ({ quoteToken, ...given }: ExecuteRequest, { requestId }: CallContext): Promise<BuiltSwap> => {
    const { quote, venue } = await open(quoteToken)
    const { order, offer, id } = quote
    if (order.sandbox && !venue.profile.hasSandbox)
      throw new SwapError('INTERNAL', `${venue.profile.id} does not support sandbox mode. Leave it out with excludeVenues.`, {
        details: { venue: venue.profile.id },
      })
    const binding = bindParties(order, venue.profile, given)
    const key = bindingKey(binding)
    const { record, repeated } = await once(`${id}|${key}`, async () => {
      const known = await swaps.find(id, key)
      if (known) return { record: known, repeated: true }
      const swap = await build(venue, quote, binding, requestId)
      // A transaction is known by its hash, which only the wallet will know.
      const ref = offer.executionType === 'TRANSACTION' ? null : swap.execution.venueRef
      return {
        record: await swaps.add({
          quoteId: id,
          bindingKey: key,
          partnerId: quote.partnerId,
          isSandbox: order.sandbox,
          ref,
          swap,
        }),
        repeated: false,
      }
    })
    observe({ event: 'swap.executed', requestId, quoteId: id, venue: offer.venue, executionType: offer.executionType, repeated })
    return toBuiltSwap(record.swap)
  }
}
