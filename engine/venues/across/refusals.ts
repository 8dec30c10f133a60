import type { VenueRefusal } from '../kit/callVenue.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meanings, meaningOf, type Party, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import type { Ask } from './map.ts'
import { type ApiError, apiError } from './wire.ts'

/** Parameters that name an asset or chain: refusing one refuses the pair. */
const PAIR_PARAMS = new Set(['originChainId', 'destinationChainId', 'inputToken', 'outputToken', 'inputToken, outputToken'])

const PARTY_OF_PARAM: { readonly [param: string]: Party } = {
  depositor: 'sender',
  recipient: 'recipient',
  refundAddress: 'refundTo',
  slippage: 'slippageBps',
}

export const MEANINGS: Meanings = {
  AMOUNT_TOO_LOW: 'amountTooSmall',
  AMOUNT_TOO_HIGH: 'amountTooLarge',
  SWAP_LIQUIDITY_INSUFFICIENT: 'noLiquidity',
  SWAP_QUOTE_UNAVAILABLE: 'noLiquidity',
  SWAP_TYPE_NOT_GUARANTEED: 'noLiquidity',
  ROUTE_NOT_ENABLED: 'unsupportedPair',
  SWAP_SLIPPAGE_INSUFFICIENT: ['badRequest', 'slippageBps'],
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
 * True for a failed simulation of the wallet's own transaction, which runs at execute once balance and allowance are there. The
 * relayer's transaction on the destination chain does not concern the wallet. api/swap/approval/_service.ts and api/_utils.ts of
 * across-protocol/frontend.
 */
const isWalletsOwn = ({ transaction }: ApiError, ask: Ask | null): boolean => {
  if (ask === null || ask.isPreview) return false
  const sender = ask.order.sender.toLowerCase()
  return (transaction?.from?.toLowerCase() ?? sender) === sender
}

/**
 * The meaning of an error answer of the swap API. Null leaves the meaning to the HTTP status, as for gateways with other formats.
 * An unlisted code with a 400 is a considered refusal of this order. `ask` is null where no swap was asked about.
 */
export const swapRefusals =
  (ask: Ask | null): Refusals =>
  ({ status, body }: VenueRefusal) => {
    const error = apiError.readOrNull(body)
    if (!error || status === 429 || status === 401 || status === 403) return null
    const { code = null, message } = error
    const param = error.param ?? ''
    const words = `${code ?? status}: ${message}`
    // Unknown tokens are the only refusal without a code.
    if (code === null) return status === 404 ? new VenueError('unsupportedPair', words) : null
    if (code === 'INVALID_PARAM' && PAIR_PARAMS.has(param)) return new VenueError('unsupportedPair', words)
    // The relayers' balance on the destination chain, not our parameter.
    if (code === 'INVALID_PARAM' && param === 'relayer') return new VenueError('noLiquidity', words)
    if (code === 'SIMULATION_ERROR') return refused(isWalletsOwn(error, ask) ? ['badRequest', 'sender'] : 'noLiquidity', words)
    const meaning = meaningOf(MEANINGS, code)
    const party = meaning === 'badRequest' ? PARTY_OF_PARAM[param] : undefined
    if (party) return refused(['badRequest', party], words)
    if (meaning === undefined) return status === 400 ? new VenueError('noLiquidity', words) : null
    return refused(meaning, words)
  }
