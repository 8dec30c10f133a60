import type { Clock } from '../../core/clock.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { SwapError } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { areByClock, judgePayload, mismatchError, type Proved } from '../payloadProof.ts'
import { quoteGone, venueFailure } from '../venueFailure.ts'

export type BuildPorts = {
  readonly clock: Clock
  /** Compares our clock if it is not compared yet. Throws OVERLOADED while it is wrong. */
  readonly requireClock: () => Promise<void>
} & Pick<CallContext, 'observe' | 'client' | 'caller'>

export const RETRY_SAFELY = 'Repeat the request with the same quoteToken until it expires.'

const askVenue = async (venue: GuardedVenue, quote: SealedOffer, binding: Binding, ports: BuildPorts): Promise<Execution> => {
  try {
    return await venue.execute(quote, binding, ports)
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    throw venueFailure(venue.profile.id, error, RETRY_SAFELY)
  }
}

/** The built terms must not be worse than the quote guarantees. */
const isWorse = ({ slippage, outputAmount }: Execution, { offer }: SealedOffer): boolean => {
  const promised = offer.slippage?.guaranteedMin ?? null
  if (promised === null) return false
  return outputAmount < promised || slippage === null || slippage.guaranteedMin < promised
}

/**
 * Has the venue build the payload, and proves it. Throws QUOTE_EXPIRED if the price is gone, and INTERNAL with the venue if it
 * cannot build or the payload differs from the quote. A deadline that differs by our wrong clock is OVERLOADED, without an alarm.
 */
export const buildExecution = async (
  venue: GuardedVenue,
  quote: SealedOffer,
  binding: Binding,
  ports: BuildPorts,
): Promise<Proved & { readonly execution: Execution }> => {
  const { id } = venue.profile
  const execution = await askVenue(venue, quote, binding, ports)
  if (isWorse(execution, quote)) throw quoteGone(id, 'priceMoved')
  const { mismatches, proved } = await judgePayload(venue, execution, { sealed: quote, binding, now: ports.clock.now() })
  if (!(proved instanceof VenueError) && mismatches.length === 0) return { execution, ...proved }
  if (areByClock(mismatches)) await ports.requireClock()
  const cause = mismatchError(mismatches, proved)
  venue.proved(quote, cause, ports, execution)
  ports.observe({ event: 'payload.refused', venue: id, mismatches })
  const text = `${id} answered with a payload that does not match the quote. It was refused: nothing is to be signed or sent.`
  throw new SwapError('INTERNAL', text, { details: { venue: id, reason: 'payloadMismatch' }, cause })
}
