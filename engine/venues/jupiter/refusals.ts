import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, type Meanings, meaningOf, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { refusal } from './wire.ts'

/** https://dev.jup.ag/docs/swap/v1/common-errors: of the older paths, should the newer one tell them again. */
const MEANINGS: Meanings = {
  NO_ROUTES_FOUND: 'noLiquidity',
  COULD_NOT_FIND_ANY_ROUTE: 'noLiquidity',
  ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT: 'amountTooLarge',
  CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD: 'amountTooSmall',
  TOKEN_NOT_TRADABLE: 'unsupportedPair',
  NOT_SUPPORTED: 'unsupportedPair',
  MARKET_NOT_FOUND: 'unsupportedPair',
  CIRCULAR_ARBITRAGE_IS_DISABLED: 'unsupportedPair',
  MAX_ACCOUNT_GREATER_THAN_MAX: 'badRequest',
  INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE: 'badRequest',
  FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS: 'unavailable',
}

/** `build` gives no code: its text is all there is to tell a refusal by. */
const TEXTS: readonly (readonly [says: RegExp, means: Meaning])[] = [
  [/no routes? found|could not find any route/i, 'noLiquidity'],
  [/not tradable|token not (found|supported)|unknown (token|mint)/i, 'unsupportedPair'],
  [/too many requests/i, 'rateLimited'],
]

/** What a refusal means; null leaves it to its status, as what the gateway says in a text of its own. */
export const buildRefusals = ({ status, body, retryAfterMs }: VenueRefusal): VenueError | null => {
  const { error, errorCode } = refusal.readOrNull(body) ?? {}
  if (error === undefined || status === 401 || status === 403) return null
  if (status === 429) return new VenueError('rateLimited', error, { retryAfterMs: retryAfterMs ?? null })
  const meaning = errorCode === undefined ? undefined : meaningOf(MEANINGS, errorCode)
  if (meaning !== undefined) return refused(meaning, `${errorCode}: ${error}`)
  if (status !== 400 && status >= 300) return null
  const [, told] = TEXTS.find(([says]) => says.test(error)) ?? []
  return told === undefined ? new VenueError('badResponse', error, { nature: 'unexplained' }) : refused(told, error)
}
