import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meanings, meaningOf, refused } from '../kit/refusals.ts'
import type { VenueError } from '../venueError.ts'
import { errorShape } from './wire.ts'

/** By `errorCode`: https://docs.bebop.xyz, and for 112 what integrators were told. From 201 on, of posted orders. */
const MEANINGS: Meanings = {
  101: 'badRequest',
  102: 'noLiquidity',
  103: 'unavailable',
  104: 'amountTooSmall',
  105: 'unsupportedPair',
  106: 'amountTooSmall',
  107: 'badRequest',
  108: 'noLiquidity',
  111: 'rateLimited',
  112: ['badRequest', 'sender'],
  201: 'noLiquidity',
  202: 'noLiquidity',
  203: 'noLiquidity',
  204: ['badRequest', 'sender'],
  205: ['badRequest', 'sender'],
  206: 'noLiquidity',
  207: 'noLiquidity',
  208: 'badRequest',
  210: 'badRequest',
  211: 'badRequest',
  212: ['badRequest', 'signature'],
  500: 'unavailable',
  522: 'unavailable',
}

/** A quote or order that the venue no longer knows, or knows as used. */
export const UNKNOWN_QUOTE = 210

/** The venue's own code; null when the body is no error of its kind. */
export const errorCodeOf = ({ body }: Pick<VenueRefusal, 'body'>): number | null =>
  errorShape.readOrNull(body)?.error.errorCode ?? null

/** Refusals come with HTTP 200 too. */
export const isRefusal = (body: unknown): boolean => typeof body === 'object' && body !== null && 'error' in body

/** A code that nobody documented is still a considered "no" to the request. */
export const refusalOf = ({ status, body }: VenueRefusal): VenueError | null => {
  const error = errorShape.readOrNull(body)?.error
  if (status === 429 || error === undefined) return null
  const { errorCode, message = '' } = error
  const meaning = meaningOf(MEANINGS, String(errorCode))
  if (meaning === undefined && status >= 500) return null
  return refused(meaning ?? 'badRequest', `HTTP ${status}, ${errorCode}: ${message.slice(0, 200)}`)
}
