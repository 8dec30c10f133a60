import type { Clock } from '../../core/clock.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import { SwapError } from '../../errors.ts'
import type { Observe } from '../../observe/observe.ts'
import type { SealedQuote } from '../../quoting/seal.ts'
import type { Venue } from '../../venues/venue.ts'
import { callWithin, venueErrorIn } from '../callWithin.ts'
import { provePayload } from '../payloadProof.ts'
import { quoteGone, venueFailure } from '../venueFailure.ts'

export type BuildPorts = { readonly clock: Clock; readonly observe: Observe; readonly requestId: string }

/** Building may ask the venue for a fresh price and a deposit address; callers wait no longer than this. */
const BUILD_DEADLINE_MS = 10_000

const askVenue = async (
  venue: Venue,
  quote: SealedQuote,
  binding: Binding,
  { observe, requestId }: BuildPorts,
): Promise<Execution> => {
  const { id } = venue.profile
  try {
    return await callWithin(BUILD_DEADLINE_MS, (signal) => venue.execute(quote, binding, signal))
  } catch (error) {
    const failure = venueErrorIn(error)
    observe({ event: 'venue.failed', requestId, venue: id, call: 'execute', kind: failure.kind, reason: failure.message })
    throw venueFailure(id, failure, 'The same quoteToken may be tried again until it expires.')
  }
}

/** The terms at build time must not be worse than what the quote guaranteed. */
const isWorse = ({ slippage, outputAmount }: Execution, { offer }: SealedQuote): boolean => {
  const promised = offer.slippage?.guaranteedMin ?? null
  if (promised === null) return false
  return outputAmount < promised || slippage === null || slippage.guaranteedMin < promised
}

/**
 * Has the venue build the payload and proves it. QUOTE_EXPIRED when the price no longer holds; INTERNAL naming the
 * venue when it cannot build, or when the payload is not what was quoted: such a payload reaches nobody.
 */
export const buildExecution = async (
  venue: Venue,
  quote: SealedQuote,
  binding: Binding,
  ports: BuildPorts,
): Promise<Execution> => {
  const { id } = venue.profile
  const execution = await askVenue(venue, quote, binding, ports)
  if (isWorse(execution, quote)) throw quoteGone(id, 'priceMoved')
  const mismatches = await provePayload(venue, execution, { sealed: quote, binding, now: ports.clock.now() })
  if (mismatches.length === 0) return execution
  ports.observe({ event: 'payload.refused', requestId: ports.requestId, quoteId: quote.id, venue: id, mismatches })
  const text = `${id} answered with a payload that does not match the quote. It was refused: nothing is to be signed or sent.`
  throw new SwapError('INTERNAL', text, { details: { venue: id, reason: 'payloadMismatch' } })
}
