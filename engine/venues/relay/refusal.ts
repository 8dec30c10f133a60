import { ShapeError } from '../../net/jsonShape.ts'
import type { VenueRefusal } from '../callVenue.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../venueError.ts'
import { type ApiError, apiErrorShape } from './wire.ts'

type Party = NonNullable<VenueErrorOptions['party']>

/** https://docs.relay.link/references/api/handling-errors */
const MEANINGS: { readonly [code: string]: VenueErrorKind | readonly ['badRequest', Party] } = {
  NO_SWAP_ROUTES_FOUND: 'noLiquidity',
  NO_INTERNAL_SWAP_ROUTES_FOUND: 'noLiquidity',
  NO_QUOTES: 'noLiquidity',
  INSUFFICIENT_LIQUIDITY: 'noLiquidity',
  SWAP_IMPACT_TOO_HIGH: 'noLiquidity',
  ROUTE_TEMPORARILY_RESTRICTED: 'noLiquidity',
  // Final: the shorter routes that `maxRouteLength` asks for are of a swap before the deposit, which is not offered anyway.
  SOLANA_TX_TOO_LARGE: 'noLiquidity',
  // A simulation that failed: of the route as a rule, and of a recipient that takes no transfers.
  DESTINATION_TX_FAILED: 'noLiquidity',
  UNSUPPORTED_ROUTE: 'unsupportedPair',
  INVALID_INPUT_CURRENCY: 'unsupportedPair',
  INVALID_OUTPUT_CURRENCY: 'unsupportedPair',
  UNSUPPORTED_CURRENCY: 'unsupportedPair',
  SANCTIONED_CURRENCY: 'unsupportedPair',
  UNSUPPORTED_CHAIN: 'unsupportedPair',
  CHAIN_DISABLED: 'unsupportedPair',
  AMOUNT_TOO_LOW: 'amountTooSmall',
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
  UNAUTHORIZED: 'unavailable',
  FORBIDDEN: 'unavailable',
  SERVICE_UNAVAILABLE: 'unavailable',
  PRICE_FETCH_FAILED: 'unavailable',
  RPC_HTTP_ERROR: 'unavailable',
  SWAP_QUOTE_FAILED: 'unavailable',
  UNKNOWN_ERROR: 'unavailable',
  ERC20_ROUTER_ADDRESS_NOT_FOUND: 'unavailable',
  REQUEST_TIMED_OUT: 'timeout',
}

/** Told apart from all others: a price can be had all the same, for a wallet that is still empty. */
export class InsufficientFunds extends VenueError {}

const readApiError = (body: unknown): ApiError | null => {
  try {
    return apiErrorShape.read(body)
  } catch (error) {
    // Gateways in front of the API answer in shapes of their own: the status alone then decides.
    if (error instanceof ShapeError) return null
    throw error
  }
}

/** What an error answer means; null leaves it to its status. */
export const quoteRefusal = ({ status, body }: VenueRefusal): VenueError | null => {
  const error = readApiError(body)
  const code = error?.errorCode
  if (!error || code === undefined || status === 429) return null
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  if (meaning === undefined) return null
  const text = `${code}: ${error.message}`
  if (typeof meaning === 'string') return new VenueError(meaning, text)
  const [kind, party] = meaning
  return code === 'INSUFFICIENT_FUNDS' ? new InsufficientFunds(kind, text, { party }) : new VenueError(kind, text, { party })
}
