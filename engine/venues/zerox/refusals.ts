import type { VenueRefusal } from '../kit/callVenue.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meaning, type Meanings, meaningOf, minimumAbove, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { detailsShape, errorShape, leastShape } from './wire.ts'

/** Every documented `name`: https://docs.0x.org/evm/swap/api-reference and .../gasless/api-reference */
const MEANINGS: Meanings = {
  TOKEN_NOT_SUPPORTED: 'unsupportedPair',
  TOKEN_PAIR_NOT_SUPPORTED: 'unsupportedPair',
  BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE: 'unsupportedPair',
  SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE: 'unsupportedPair',
  SELL_AMOUNT_TOO_SMALL: 'amountTooSmall',
  UNABLE_TO_CALCULATE_GAS_FEE: 'noLiquidity',
  SWAP_VALIDATION_FAILED: 'badRequest',
  RECIPIENT_NOT_SUPPORTED: ['badRequest', 'recipient'],
  RECIPIENT_NOT_AUTHORIZED_FOR_TRADE: ['badRequest', 'recipient'],
  TAKER_NOT_AUTHORIZED_FOR_TRADE: ['badRequest', 'sender'],
  XSTOCKS_NOT_AUTHORIZED: ['badRequest', 'sender'],
  INSUFFICIENT_BALANCE: ['badRequest', 'sender'],
  INSUFFICIENT_BALANCE_OR_ALLOWANCE: ['badRequest', 'sender'],
  SMART_WALLET_NOT_SUPPORTED: ['badRequest', 'sender'],
  PENDING_TRADES_ALREADY_EXIST: ['badRequest', 'sender'],
  INVALID_APPROVAL: ['badRequest', 'signature'],
  INVALID_SIGNATURE: ['badRequest', 'signature'],
  INVALID_SIGNER: ['badRequest', 'signature'],
  META_TRANSACTION_INVALID: ['badRequest', 'signature'],
  // Signed too late: the price is no longer to be had.
  META_TRANSACTION_EXPIRY_TOO_SOON: 'noLiquidity',
  INTERNAL_SERVER_ERROR: 'unavailable',
  UNCATEGORIZED: 'unavailable',
}

/** Whose field of a question was refused. */
const PARTIES: Meanings = {
  taker: ['badRequest', 'sender'],
  recipient: ['badRequest', 'recipient'],
  slippageBps: ['badRequest', 'slippageBps'],
}

/** The venue's own word for a refusal; null when the body is no error of its kind. */
export const errorOf = ({ body }: VenueRefusal) => errorShape.readOrNull(body)

const meaningOfInput = (data: unknown): Meaning => {
  const fields = detailsShape.readOrNull(data)?.details ?? []
  return fields.map(({ field }) => meaningOf(PARTIES, field)).find((meaning) => meaning !== undefined) ?? 'badRequest'
}

/** What an error answer means; `asked`: the amount that was to be sold, for the minimum. What the gateway says goes by its status. */
export const refusalsOf =
  (asked: bigint | null): Refusals =>
  (refusal) => {
    const { status } = refusal
    const error = errorOf(refusal)
    if (status === 429 || error === null) return null
    const { name, message = '', data } = error
    const told = `HTTP ${status} ${name}: ${message.slice(0, 200)}`
    // The account behind the key may not ask for this at all.
    if (name === 'USER_NOT_AUTHORIZED') return new VenueError('unavailable', told, { nature: 'keyRefused' })
    const meaning = name === 'INPUT_INVALID' ? meaningOfInput(data) : meaningOf(MEANINGS, name)
    if (meaning === undefined) return null
    const least = leastShape.readOrNull(data)
    return refused(meaning, told, meaning === 'amountTooSmall' ? minimumAbove(asked, least && BigInt(least.minSellAmount)) : {})
  }
