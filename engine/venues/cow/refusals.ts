import type { VenueRefusal } from '../kit/callVenue.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meanings, meaningOf, minimumAbove, refused } from '../kit/refusals.ts'
import type { Static } from '../kit/shapes.ts'
import { VenueError } from '../venueError.ts'
import { costShape, errorShape } from './wire.ts'

/** Every documented `errorType`: crates/orderbook/openapi.yml in cowprotocol/services, and the server's own code. */
export const MEANINGS: Meanings = {
  NoLiquidity: 'noLiquidity',
  InsufficientLiquidity: 'noLiquidity',
  CustomSolverError: 'noLiquidity',
  QuoteNotVerified: 'noLiquidity',
  TradingOutsideAllowedWindow: 'noLiquidity',
  TokenTemporarilySuspended: 'noLiquidity',
  // For us it was signed too late: the service chooses the lifetime of an order, and always long enough.
  InsufficientValidTo: 'noLiquidity',
  UnsupportedToken: 'unsupportedPair',
  InvalidNativeSellToken: 'unsupportedPair',
  SameBuyAndSellToken: 'unsupportedPair',
  SellAmountDoesNotCoverFee: 'amountTooSmall',
  ZeroAmount: 'amountTooSmall',
  SellAmountOverflow: 'amountTooLarge',
  Forbidden: ['badRequest', 'sender'],
  InsufficientBalance: ['badRequest', 'sender'],
  InsufficientAllowance: ['badRequest', 'sender'],
  TransferSimulationFailed: ['badRequest', 'sender'],
  TooManyLimitOrders: ['badRequest', 'sender'],
  WrongOwner: ['badRequest', 'signature'],
  InvalidSignature: ['badRequest', 'signature'],
  InvalidEip1271Signature: ['badRequest', 'signature'],
  InternalServerError: 'unavailable',
}

/** The venue's own error; null when the body is no error of its format. */
export const errorOf = ({ body }: VenueRefusal) => errorShape.readOrNull(body)

/** The smallest input that exceeds the network cost that the venue named for `inputAmount`. */
const minimumOf = ({ data }: Static<typeof errorShape>, inputAmount: bigint | null): { readonly minimum?: bigint } => {
  const cost = costShape.readOrNull(data)
  return minimumAbove(inputAmount, cost && BigInt(cost.fee_amount) + 1n)
}

/**
 * The meaning of an error answer. An undocumented `errorType` is still a considered refusal. `inputAmount`: the requested amount,
 * for the minimum.
 */
export const refusalsOf =
  (inputAmount: bigint | null): Refusals =>
  (refusal) => {
    const { status } = refusal
    if (status === 429) return null
    const error = errorOf(refusal)
    if (!error) return status === 422 || status === 400 ? new VenueError('badRequest', `HTTP ${status}, unexplained`) : null
    const { errorType, description } = error
    const meaning = meaningOf(MEANINGS, errorType)
    if (!meaning && status >= 500) return null
    const bounds = errorType === 'SellAmountDoesNotCoverFee' ? minimumOf(error, inputAmount) : {}
    return refused(meaning ?? 'badRequest', `HTTP ${status} ${errorType}: ${(description ?? '').slice(0, 200)}`, bounds)
  }
