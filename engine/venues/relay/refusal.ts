import type { VenueRefusal } from '../kit/callVenue.ts'
import { ShapeError } from '../kit/jsonShape.ts'
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
  SERVICE_UNAVAILABLE: 'unavailable',
  PRICE_FETCH_FAILED: 'unavailable',
  RPC_HTTP_ERROR: 'unavailable',
  SWAP_QUOTE_FAILED: 'unavailable',
  UNKNOWN_ERROR: 'unavailable',
  ERC20_ROUTER_ADDRESS_NOT_FOUND: 'unavailable',
  REQUEST_TIMED_OUT: 'timeout',
}

/** About our key, or that there is none: no order is the reason. */
const OF_THE_KEY = new Set(['UNAUTHORIZED', 'UNAUTHORIZED_QUOTE', 'FORBIDDEN'])

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

const isTrouble = (meaning: (typeof MEANINGS)[string]): boolean => meaning === 'unavailable' || meaning === 'timeout'

/**
 * What an error answer means; null leaves it to its status. Any code beside a 400 is a considered no to this one order:
 * there are new ones every few weeks, and none of them says that the venue is in trouble.
 */
export const quoteRefusal = ({ status, body }: VenueRefusal): VenueError | null => {
  const error = readApiError(body)
  const code = error?.errorCode
  if (!error || code === undefined || status === 429) return null
  const text = `${code}: ${error.message}`
  if (OF_THE_KEY.has(code)) return new VenueError('unavailable', text, { nature: 'keyRefused' })
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  if (status === 400 && (meaning === undefined || isTrouble(meaning))) return new VenueError('noLiquidity', text)
  if (meaning === undefined) return null
  if (typeof meaning === 'string') return new VenueError(meaning, text)
  const [kind, party] = meaning
  return code === 'INSUFFICIENT_FUNDS' ? new InsufficientFunds(kind, text, { party }) : new VenueError(kind, text, { party })
}
