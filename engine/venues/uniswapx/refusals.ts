import type { VenueOrder } from '../../core/order.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meanings, meaningOf, minimumAbove, refused } from '../kit/refusals.ts'
import { networkOf } from './protocol.ts'
import { errorShape } from './wire.ts'

/** https://developers.uniswap.org, errors of the Trading API, and lib/handlers of Uniswap/uniswapx-service behind it. */
export const MEANINGS: Meanings = {
  ResourceNotFound: 'noLiquidity',
  QuoteAmountTooLowError: 'amountTooSmall',
  InsufficientBalance: ['badRequest', 'sender'],
  TokenBalanceNotAvailable: ['badRequest', 'sender'],
  RequestValidationError: 'badRequest',
  Ratelimited: 'rateLimited',
  InternalServerError: 'unavailable',
  ServiceUnavailable: 'unavailable',
  Timeout: 'unavailable',
  ORDER_PARSE_FAIL: 'badRequest',
  INVALID_ORDER: 'badRequest',
  VALIDATION_ERROR: 'badRequest',
  INVALID_TOKEN_IN_ADDRESS: 'unsupportedPair',
  TOO_MANY_OPEN_ORDERS: ['badRequest', 'sender'],
  TOO_MANY_REQUESTS: 'rateLimited',
  INTERNAL_ERROR: 'unavailable',
}

type Sized = Pick<VenueOrder, 'input' | 'inputAmount'>

/** The published least size, in the input token; null where its dollar value is unknown. */
export const leastInput = ({ chainId, address }: Sized['input']): bigint | null => {
  const network = networkOf(chainId)
  const decimals = network?.dollars[address]
  return network && decimals !== undefined ? network.usdMin * 10n ** BigInt(decimals) : null
}

/**
 * The meaning of an error answer. The API returns the same "no quotes" text for an order below its least size, so the size
 * decides. `asked`: the priced order.
 */
export const refusalsOf =
  (asked: Sized | null): Refusals =>
  ({ status, body }) => {
    const error = errorShape.readOrNull(body)
    const meaning = error && meaningOf(MEANINGS, error.errorCode)
    // A status about our key or our rate takes precedence over any code.
    if (!error || !meaning || status === 429 || status === 401) return null
    if (status >= 500 && meaning !== 'unavailable') return null
    const bounds = minimumAbove(asked?.inputAmount ?? null, asked && leastInput(asked.input))
    const isSmall = meaning === 'amountTooSmall' || (error.errorCode === 'ResourceNotFound' && bounds.minimum !== undefined)
    const told = `HTTP ${status} ${error.errorCode}: ${(error.detail ?? '').slice(0, 200)}`
    return isSmall ? refused('amountTooSmall', told, bounds) : refused(meaning, told)
  }

/** The text of the order service's own refusals is not published, so the class of the HTTP status decides. */
export const orderRefusals: Refusals = (refusal) =>
  refusalsOf(null)(refusal) ?? ([400, 403].includes(refusal.status) ? refused('badRequest', `HTTP ${refusal.status}`) : null)
