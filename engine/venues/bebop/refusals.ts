import type { VenueRefusal } from '../kit/callVenue.ts'
import { meaningOf, meaningsBy, refused } from '../kit/refusals.ts'
import type { VenueError } from '../venueError.ts'
import { errorShape } from './wire.ts'

/** By `errorCode`: https://docs.bebop.xyz, and for 112 the venue's answer to integrators. From 201 on, for posted orders. */
export const MEANINGS = meaningsBy(
  ['badRequest', '101 107 208 210 211'],
  ['noLiquidity', '102 108 201 202 203 206 207'],
  ['unavailable', '103 500 522'],
  ['amountTooSmall', '104 106'],
  ['unsupportedPair', '105'],
  ['rateLimited', '111'],
  [['badRequest', 'sender'], '112 204 205'],
  [['badRequest', 'signature'], '212'],
)

/** A quote or order that is unknown to the venue, or used. */
const UNKNOWN_QUOTE = 210

export const isUnknownQuote = ({ status, body }: VenueRefusal): boolean =>
  status === 404 || errorShape.readOrNull(body)?.error.errorCode === UNKNOWN_QUOTE

/** Refusals occur with HTTP 200 too. */
export const isRefusal = (body: unknown): boolean => typeof body === 'object' && body !== null && 'error' in body

/** An undocumented code is still a considered refusal of the request. */
export const refusalOf = ({ status, body }: VenueRefusal): VenueError | null => {
  const error = errorShape.readOrNull(body)?.error
  if (status === 429 || error === undefined) return null
  const { errorCode, message = '' } = error
  const meaning = meaningOf(MEANINGS, String(errorCode))
  if (meaning === undefined && status >= 500) return null
  return refused(meaning ?? 'badRequest', `HTTP ${status}, ${errorCode}: ${message.slice(0, 200)}`)
}
