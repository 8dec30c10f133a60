import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meanings, meaningOf, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { apiError } from './wire.ts'

/** https://docs.relay.link/references/api/handling-errors */
export const MEANINGS: Meanings = {
  NO_SWAP_ROUTES_FOUND: 'noLiquidity',
  NO_INTERNAL_SWAP_ROUTES_FOUND: 'noLiquidity',
  NO_QUOTES: 'noLiquidity',
  INSUFFICIENT_LIQUIDITY: 'noLiquidity',
  SWAP_IMPACT_TOO_HIGH: 'noLiquidity',
  ROUTE_TEMPORARILY_RESTRICTED: 'noLiquidity',
  // Final: shorter routes by `maxRouteLength` concern a swap before the deposit, which is not offered.
  SOLANA_TX_TOO_LARGE: 'noLiquidity',
  // A failed simulation: usually of the route, or of a recipient that rejects transfers.
  DESTINATION_TX_FAILED: 'noLiquidity',
  UNSUPPORTED_ROUTE: 'unsupportedPair',
  INVALID_INPUT_CURRENCY: 'unsupportedPair',
  INVALID_OUTPUT_CURRENCY: 'unsupportedPair',
  UNSUPPORTED_CURRENCY: 'unsupportedPair',
  SANCTIONED_CURRENCY: 'unsupportedPair',
  UNSUPPORTED_CHAIN: 'unsupportedPair',
  CHAIN_DISABLED: 'unsupportedPair',
  AMOUNT_TOO_LOW: 'amountTooSmall',
  AMOUNT_TOO_HIGH: 'amountTooLarge',
  INVALID_ADDRESS: 'badRequest',
  SANCTIONED_WALLET_ADDRESS: 'badRequest',
  PERMIT_FAILED: 'badRequest',
  INVALID_RECIPIENT: ['badRequest', 'recipient'],
  USER_RECIPIENT_MISMATCH: ['badRequest', 'recipient'],
  INVALID_SLIPPAGE_TOLERANCE: ['badRequest', 'slippageBps'],
  INSUFFICIENT_FUNDS: ['badRequest', 'sender'],
  UNSUPPORTED_EXECUTION_TYPE: 'badRequest',
  EXTRA_TXS_NOT_SUPPORTED: 'badRequest',
  INVALID_EXTRA_TXS: 'badRequest',
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: 'badRequest',
  REQUEST_TIMED_OUT: 'timeout',
}

/** Failures of Relay itself with another status. With a 400 each declines this order only. */
const OWN_TROUBLE =
  'SERVICE_UNAVAILABLE PRICE_FETCH_FAILED REQUEST_TIMED_OUT RPC_HTTP_ERROR SWAP_QUOTE_FAILED UNKNOWN_ERROR ERC20_ROUTER_ADDRESS_NOT_FOUND'

/** About our key, or a missing key: the order is not the reason. */
const OF_THE_KEY = new Set(['UNAUTHORIZED', 'UNAUTHORIZED_QUOTE', 'FORBIDDEN'])

/** The wallet cannot pay yet: a price is still available for another wallet. */
export const isWithoutFunds = (error: unknown): boolean => error instanceof VenueError && error.party === 'sender'

/** The meaning of an error answer; null leaves it to its HTTP status, as for gateways with other formats. */
export const quoteRefusals = ({ status, body }: VenueRefusal): VenueError | null => {
  const { errorCode: code, message } = apiError.readOrNull(body) ?? {}
  if (code === undefined || status === 429) return null
  const words = `${code}: ${message}`
  if (OF_THE_KEY.has(code)) return new VenueError('unavailable', words, { nature: 'keyRefused' })
  const meaning = meaningOf(MEANINGS, code)
  if (meaning !== undefined && !(meaning === 'timeout' && status === 400)) return refused(meaning, words)
  if (status >= 500) return new VenueError('unavailable', words)
  if (status !== 400) return null
  return OWN_TROUBLE.split(' ').includes(code)
    ? refused('noLiquidity', words)
    : new VenueError('badResponse', words, { nature: 'unexplained' })
}
