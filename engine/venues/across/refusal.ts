import { ShapeError } from '../../net/jsonShape.ts'
import type { VenueRefusal } from '../callVenue.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../venueError.ts'
import { type ApiError, apiErrorShape } from './wire.ts'

const readApiError = (body: unknown): ApiError | null => {
  try {
    return apiErrorShape.read(body)
  } catch (error) {
    // Gateways in front of the API answer in shapes of their own: the status alone then decides.
    if (error instanceof ShapeError) return null
    throw error
  }
}

/** Parameters that name an asset or chain: refusing one is refusing the pair. */
const PAIR_PARAMS = new Set(['originChainId', 'destinationChainId', 'inputToken', 'outputToken', 'inputToken, outputToken'])

const PARTY_OF_PARAM: { readonly [param: string]: NonNullable<VenueErrorOptions['party']> } = {
  depositor: 'sender',
  recipient: 'recipient',
  refundAddress: 'refundTo',
  slippage: 'slippageBps',
}

const KIND_OF_CODE: { readonly [code: string]: VenueErrorKind } = {
  AMOUNT_TOO_LOW: 'amountTooSmall',
  AMOUNT_TOO_HIGH: 'amountTooLarge',
  SWAP_LIQUIDITY_INSUFFICIENT: 'noLiquidity',
  SWAP_QUOTE_UNAVAILABLE: 'noLiquidity',
  SWAP_TYPE_NOT_GUARANTEED: 'noLiquidity',
  SIMULATION_ERROR: 'noLiquidity',
  ROUTE_NOT_ENABLED: 'unsupportedPair',
  SWAP_SLIPPAGE_INSUFFICIENT: 'badRequest',
  INVALID_PARAM: 'badRequest',
  MISSING_PARAM: 'badRequest',
  INVALID_METHOD: 'badRequest',
  ABI_ENCODING_ERROR: 'badRequest',
  UPSTREAM_HTTP_ERROR: 'unavailable',
  UPSTREAM_RPC_ERROR: 'unavailable',
  UPSTREAM_GATEWAY_TIMEOUT: 'unavailable',
  UNEXPECTED_ERROR: 'unavailable',
}

/** What an error answer of the swap API means; null leaves it to its status. */
export const swapRefusal = ({ status, body }: VenueRefusal): VenueError | null => {
  const error = readApiError(body)
  if (!error || status === 429 || status === 401 || status === 403) return null
  const { code, message, param = '' } = error
  const text = `${code ?? status}: ${message}`
  // Unknown tokens are the one refusal without a code.
  if (code === undefined) return status === 404 ? new VenueError('unsupportedPair', text) : null
  if (code === 'INVALID_PARAM' && PAIR_PARAMS.has(param)) return new VenueError('unsupportedPair', text)
  // The relayers' balance on the destination chain, not a parameter of ours.
  if (code === 'INVALID_PARAM' && param === 'relayer') return new VenueError('noLiquidity', text)
  const kind = KIND_OF_CODE[code]
  const party = code === 'SWAP_SLIPPAGE_INSUFFICIENT' ? 'slippageBps' : PARTY_OF_PARAM[param]
  if (kind === undefined) return null
  return new VenueError(kind, text, kind === 'badRequest' && party ? { party } : {})
}
