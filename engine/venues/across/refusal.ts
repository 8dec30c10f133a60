import type { VenueRefusal } from '../kit/callVenue.ts'
import { ShapeError } from '../kit/jsonShape.ts'
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

/**
 * A transaction that fails when it is tried: the wallet's own, which is tried at execute once balance and allowance are
 * there, or the relayer's on the destination chain, which is no matter of the wallet.
 * api/swap/approval/_service.ts and api/_utils.ts of across-protocol/frontend.
 */
const simulationRefusal = ({ transaction, message }: ApiError, { isPreview, sender }: Asked): VenueError => {
  const from = transaction?.from?.toLowerCase() ?? sender.toLowerCase()
  const isWallets = !isPreview && from === sender.toLowerCase()
  return isWallets
    ? new VenueError('badRequest', `SIMULATION_ERROR: ${message}`, { party: 'sender' })
    : new VenueError('noLiquidity', `SIMULATION_ERROR: ${message}`)
}

/** Whose swap was asked about, and whether only its price was. */
export type Asked = { readonly isPreview: boolean; readonly sender: string }

/**
 * What an error answer of the swap API means; null leaves it to its status. A code nobody has listed is, beside a 400, a
 * considered no to this one order all the same.
 */
export const swapRefusal = ({ status, body }: VenueRefusal, asked: Asked): VenueError | null => {
  const error = readApiError(body)
  if (!error || status === 429 || status === 401 || status === 403) return null
  const { code, message, param = '' } = error
  const text = `${code ?? status}: ${message}`
  // Unknown tokens are the one refusal without a code.
  if (code === undefined) return status === 404 ? new VenueError('unsupportedPair', text) : null
  if (code === 'INVALID_PARAM' && PAIR_PARAMS.has(param)) return new VenueError('unsupportedPair', text)
  // The relayers' balance on the destination chain, not a parameter of ours.
  if (code === 'INVALID_PARAM' && param === 'relayer') return new VenueError('noLiquidity', text)
  if (code === 'SIMULATION_ERROR') return simulationRefusal(error, asked)
  const kind = KIND_OF_CODE[code]
  const party = code === 'SWAP_SLIPPAGE_INSUFFICIENT' ? 'slippageBps' : PARTY_OF_PARAM[param]
  if (kind === undefined) return status === 400 ? new VenueError('noLiquidity', text) : null
  return new VenueError(kind, text, kind === 'badRequest' && party ? { party } : {})
}
