import type { VenueRefusal } from '../kit/callVenue.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meaning, meaningOf, meaningsBy, minimumAbove, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { detailsShape, errorShape, leastShape } from './wire.ts'

const BY_SENDER = ['badRequest', 'sender'] as const
const BY_RECIPIENT = ['badRequest', 'recipient'] as const

/** Every documented `name`: https://docs.0x.org/evm/swap/api-reference and .../gasless/api-reference */
export const MEANINGS = meaningsBy(
  ['unsupportedPair', 'TOKEN_NOT_SUPPORTED TOKEN_PAIR_NOT_SUPPORTED'],
  ['unsupportedPair', 'BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE'],
  ['amountTooSmall', 'SELL_AMOUNT_TOO_SMALL'],
  // The latter: signed too late, so the price has expired.
  ['noLiquidity', 'UNABLE_TO_CALCULATE_GAS_FEE META_TRANSACTION_EXPIRY_TOO_SOON'],
  ['badRequest', 'SWAP_VALIDATION_FAILED'],
  [BY_RECIPIENT, 'RECIPIENT_NOT_SUPPORTED RECIPIENT_NOT_AUTHORIZED_FOR_TRADE'],
  [BY_SENDER, 'TAKER_NOT_AUTHORIZED_FOR_TRADE XSTOCKS_NOT_AUTHORIZED SMART_WALLET_NOT_SUPPORTED'],
  [BY_SENDER, 'INSUFFICIENT_BALANCE INSUFFICIENT_BALANCE_OR_ALLOWANCE PENDING_TRADES_ALREADY_EXIST'],
  [['badRequest', 'signature'], 'INVALID_APPROVAL INVALID_SIGNATURE INVALID_SIGNER META_TRANSACTION_INVALID'],
  ['unavailable', 'INTERNAL_SERVER_ERROR UNCATEGORIZED'],
)

/** The party whose field was refused. */
const PARTIES = meaningsBy([BY_SENDER, 'taker'], [BY_RECIPIENT, 'recipient'], [['badRequest', 'slippageBps'], 'slippageBps'])

/** The venue's own error; null when the body is no error of its format. */
export const errorOf = ({ body }: VenueRefusal) => errorShape.readOrNull(body)

const meaningOfInput = (data: unknown): Meaning => {
  const fields = detailsShape.readOrNull(data)?.details ?? []
  return fields.map(({ field }) => meaningOf(PARTIES, String(field))).find((meaning) => meaning !== undefined) ?? 'badRequest'
}

/** The meaning of an error answer; `asked`: the amount to sell, for the minimum. The gateway's errors go by their HTTP status. */
export const refusalsOf =
  (asked: bigint | null): Refusals =>
  (refusal) => {
    const { status } = refusal
    const error = errorOf(refusal)
    if (status === 429 || error === null) return null
    const { name, message, data } = error
    const told = `HTTP ${status} ${name}: ${String(message ?? '').slice(0, 200)}`
    // The account of the key lacks access to this call.
    if (name === 'USER_NOT_AUTHORIZED') return new VenueError('unavailable', told, { nature: 'keyRefused' })
    const meaning = name === 'INPUT_INVALID' ? meaningOfInput(data) : meaningOf(MEANINGS, name)
    if (meaning === undefined) return null
    const least = leastShape.readOrNull(data)
    return refused(meaning, told, meaning === 'amountTooSmall' ? minimumAbove(asked, least && BigInt(least.minSellAmount)) : {})
  }
