import type { VenueRefusal } from '../kit/callVenue.ts'
import { ShapeError } from '../kit/jsonShape.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../venueError.ts'
import { errorShape, type WireError } from './wire.ts'

type Meaning = readonly [kind: VenueErrorKind, party?: NonNullable<VenueErrorOptions['party']>]

/** Every documented `errorType`: crates/orderbook/openapi.yml in cowprotocol/services, and the server's own code. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['NoLiquidity', ['noLiquidity']],
  ['InsufficientLiquidity', ['noLiquidity']],
  ['CustomSolverError', ['noLiquidity']],
  ['QuoteNotVerified', ['noLiquidity']],
  ['TradingOutsideAllowedWindow', ['noLiquidity']],
  ['TokenTemporarilySuspended', ['noLiquidity']],
  // Signed too late, as far as we are concerned: how long an order lives is ours to choose, and always long enough.
  ['InsufficientValidTo', ['noLiquidity']],
  ['UnsupportedToken', ['unsupportedPair']],
  ['InvalidNativeSellToken', ['unsupportedPair']],
  ['SameBuyAndSellToken', ['unsupportedPair']],
  ['SellAmountDoesNotCoverFee', ['amountTooSmall']],
  ['ZeroAmount', ['amountTooSmall']],
  ['SellAmountOverflow', ['amountTooLarge']],
  ['Forbidden', ['badRequest', 'sender']],
  ['InsufficientBalance', ['badRequest', 'sender']],
  ['InsufficientAllowance', ['badRequest', 'sender']],
  ['TransferSimulationFailed', ['badRequest', 'sender']],
  ['TooManyLimitOrders', ['badRequest', 'sender']],
  ['WrongOwner', ['badRequest', 'signature']],
  ['InvalidSignature', ['badRequest', 'signature']],
  ['InvalidEip1271Signature', ['badRequest', 'signature']],
  ['InternalServerError', ['unavailable']],
])

/** The venue's own word for a refusal; null when the body is no error of its kind. */
export const errorOf = ({ body }: VenueRefusal): WireError | null => {
  try {
    return errorShape.read(body)
  } catch (error) {
    if (error instanceof ShapeError) return null
    throw error
  }
}

const FEE_AMOUNT = /^([1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/

/** The smallest input that leaves something to sell after the network cost the venue named for `inputAmount`. */
const minimumOf = (error: WireError, inputAmount: bigint | null): { minimum?: bigint } => {
  const cost = error.data?.fee_amount
  if (typeof cost !== 'string' || !FEE_AMOUNT.test(cost) || inputAmount === null) return {}
  const minimum = BigInt(cost) + 1n
  // A cost below what was offered contradicts the refusal: better no hint than a wrong one.
  return minimum > inputAmount ? { minimum } : {}
}

/**
 * What an error answer means. An `errorType` nobody documented is still a considered "no" to the request. `inputAmount`
 * is what was asked, for the minimum.
 */
export const refusalOf =
  (inputAmount: bigint | null) =>
  (refusal: VenueRefusal): VenueError | null => {
    const { status } = refusal
    if (status === 429) return null
    const error = errorOf(refusal)
    if (!error) return status === 422 || status === 400 ? new VenueError('badRequest', `HTTP ${status}, unexplained`) : null
    const meaning = MEANINGS.get(error.errorType)
    if (!meaning && status >= 500) return null
    const [kind, party] = meaning ?? (['badRequest'] as const)
    const message = `HTTP ${status} ${error.errorType}: ${(error.description ?? '').slice(0, 200)}`
    const hint = error.errorType === 'SellAmountDoesNotCoverFee' ? minimumOf(error, inputAmount) : {}
    return new VenueError(kind, message, { ...hint, ...(party ? { party } : {}) })
  }
