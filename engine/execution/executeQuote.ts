import type { Chains } from '../chains/chains.ts'
import type { CallContext } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { Binding, Execution } from '../core/execution.ts'
import type { Approval, BuiltSwap } from '../core/quote.ts'
import { SwapError } from '../errors.ts'
import type { Observe } from '../observe/observe.ts'
import type { QuoteTokens, SealedQuote } from '../quoting/quoteToken.ts'
import type { SwapRecord, SwapStore } from '../store/swaps.ts'
import type { ExecutedSwap, Venue } from '../venues/venue.ts'
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

/** What /status will be asked with: the deposit address, or the venue's order; a transaction's hash only the wallet knows. */
const handedOutRef = ({ payload, venueRef }: Execution): string | null => {
  switch (payload.executionType) {
    case 'DEPOSIT':
      return payload.deposit.address
    case 'SIGNATURE':
      return venueRef
    case 'TRANSACTION':
      return null
  }
}

const toBuiltSwap = ({ execution }: ExecutedSwap, approval: Approval | null): BuiltSwap => ({
  payload: execution.payload,
  approval,
  statusRef: execution.payload.executionType === 'DEPOSIT' ? handedOutRef(execution) : null,
})

const bindingKey = ({ recipient, refundTo }: Binding): string => `${recipient}|${refundTo}`

/**
 * Turns a quote into what the wallet must sign or send. Repeated with the same addresses it answers with the same
 * payload, so a retry never opens a second deposit address.
 */
export const createExecuteQuote = ({ venues, chains, tokens, swaps, clock, observe }: ExecutePorts) => {
  const once = createSingleFlight<{ record: SwapRecord; repeated: boolean }>()

  const approvalFor = async (quote: SealedQuote, requestId: string): Promise<Approval | null> => {
    const approval = await readApproval(chains, quote, ({ chainId, message }) =>
      observe({ event: 'chain.unread', requestId, chainId, what: 'allowance', reason: message }),
    )
    return approval && quote.order.sandbox ? sandboxApproval(quote.order) : approval
  }

  const build = async (venue: Venue, quote: SealedQuote, binding: Binding, requestId: string): Promise<ExecutedSwap> => {
    const { order, offer } = quote
    const execution = order.sandbox
      ? await sandboxExecution(quote, binding)
      : await buildExecution(venue, quote, binding, { clock, observe, requestId })
    return { order, offer, binding, execution }
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
    // Read on every call, also a repeated one: the wallet may have approved in the meantime.
    const [approval, { record, repeated }] = await Promise.all([
      approvalFor(quote, requestId),
      once(`${id}|${key}`, async () => {
        const known = await swaps.find(id, key)
        if (known) return { record: known, repeated: true }
        const swap = await build(venue, quote, binding, requestId)
        const ref = handedOutRef(swap.execution)
        const { partnerId } = quote
        return {
          record: await swaps.add({ quoteId: id, bindingKey: key, partnerId, isSandbox: order.sandbox, ref, swap }),
          repeated: false,
        }
      }),
    ])
    observe({ event: 'swap.executed', requestId, quoteId: id, venue: offer.venue, executionType: offer.executionType, repeated })
    return toBuiltSwap(record.swap, approval)
  }
}
