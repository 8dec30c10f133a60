import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meanings, meaningOf, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { apiError } from './wire.ts'

/** There is no official table: these codes appear in public code and tests of integrators. */
export const MEANINGS: Meanings = {
  ERROR_LOW_GIVE_AMOUNT: 'amountTooSmall',
  INCLUDED_GAS_FEE_NOT_COVERED_BY_INPUT_AMOUNT: 'amountTooSmall',
  UNSUPPORTED_TOKEN_IN: 'unsupportedPair',
  UNSUPPORTED_TOKEN_OUT: 'unsupportedPair',
  SOURCE_AND_DESTINATION_CHAINS_ARE_EQUAL: 'unsupportedPair',
  IMPOSSIBLE_ROUTE: 'noLiquidity',
  CONNECTOR_1INCH_RETURNED_ERROR: 'noLiquidity',
  INCLUDED_GAS_FEE_CANNOT_BE_ESTIMATED_FOR_TRANSACTION_BUNDLE: 'noLiquidity',
  INVALID_QUERY_PARAMETERS: 'badRequest',
  // Tiny amounts and unknown tokens have caused these as well.
  INTERNAL_SERVER_ERROR: 'unavailable',
  INTERNAL_SDK_ERROR: 'unavailable',
}

export const isRefusal = (body: unknown): boolean => apiError.readOrNull(body) !== null

/** The meaning of an error answer; null leaves it to its HTTP status. An unlisted id is a considered refusal of this order. */
export const refusals = ({ status, body }: VenueRefusal): VenueError | null => {
  const { errorId, errorMessage = '' } = apiError.readOrNull(body) ?? {}
  if (errorId === undefined || status === 429 || status === 401 || status === 403) return null
  const words = `${errorId}: ${errorMessage}`
  const meaning = meaningOf(MEANINGS, errorId)
  if (meaning !== undefined) return refused(meaning, words)
  if (status >= 500) return new VenueError('unavailable', words)
  return new VenueError('noLiquidity', words, { nature: 'unexplained' })
}
