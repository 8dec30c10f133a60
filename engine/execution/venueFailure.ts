import { invalidRequest, SwapError } from '../errors.ts'
import type { VenueError } from '../venues/venueError.ts'

/** The venue withdrew its offer, or the price is gone: the caller needs a fresh quote. */
export const quoteGone = (venue: string, reason: string, cause?: unknown): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'The quoted price can no longer be had. Request a fresh quote.', {
    details: { venue, reason },
    cause,
  })

const FIELD_OF_PARTY = {
  sender: 'userAddress',
  recipient: 'destinationAddress',
  refundTo: 'refundAddress',
  signature: 'signature',
  slippageBps: 'slippageBps',
} as const

const REASON_OF_PARTY = {
  sender: 'the venue refuses it: check that the wallet holds the amount and has approved the spender',
  recipient: 'the venue cannot deliver to it',
  refundTo: 'the venue cannot refund to it',
  signature: 'the venue does not accept it for this order',
  slippageBps: 'is too tight for this venue',
} as const

/** Maps a venue's failure after the quote to an API error. `retrySafely`: the effect of a retry; `isRetry`: see SwapError. */
export const venueFailure = (venue: string, error: VenueError, retrySafely: string, isRetry = false): SwapError => {
  if (error.kind === 'badRequest' && error.party !== null)
    return invalidRequest([{ path: FIELD_OF_PARTY[error.party], reason: REASON_OF_PARTY[error.party] }], error)
  if (error.isDecline && error.kind !== 'badRequest') return quoteGone(venue, error.kind, error)
  const text = error.isRetryable
    ? `${venue} could not do this now. ${retrySafely}`
    : `${venue} refused this. Request a fresh quote.`
  const details = { venue, kind: error.kind, retryable: error.isRetryable }
  return new SwapError('INTERNAL', text, { details, cause: error, isRetry })
}
