import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, minimumAbove, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { fromWireUp } from './protocol.ts'
import { apiError } from './wire.ts'

/**
 * The network has one code for every refusal, so the first matching text decides. `x/thorchain/querier_quotes.go` of THORNode;
 * the texts of halts and limits were recorded in 2026.
 */
export const MEANINGS: readonly (readonly [words: string, meaning: Meaning])[] = [
  ['less than price limit', 'noLiquidity'],
  ['trading is halted', 'noLiquidity'],
  ['trading halt', 'noLiquidity'],
  ['less than dust threshold', 'amountTooSmall'],
  ['less than min swap amount', 'amountTooSmall'],
  ['swap amount is less than the minimum', 'amountTooSmall'],
  ['outbound amount does not meet requirements', 'amountTooSmall'],
  ['not enough asset to pay for fees', 'amountTooSmall'],
  ['less than outbound fee', 'amountTooSmall'],
  ['invariant broken: emit', 'amountTooSmall'],
  ['destination address', ['badRequest', 'recipient']],
  ['refund address', ['badRequest', 'refundTo']],
  ['pool does not exist', 'unsupportedPair'],
  ['bad from asset', 'unsupportedPair'],
  ['bad to asset', 'unsupportedPair'],
  ['ambiguous match', 'unsupportedPair'],
  ['chain not supported', 'unsupportedPair'],
  ['assets match', 'unsupportedPair'],
  ['memo too long', 'badRequest'],
  ['affiliate', 'badRequest'],
  ['tolerance', 'badRequest'],
  ['missing ', 'badRequest'],
  ['node with stale state', 'unavailable'],
]

/** The least input in a refusal, in eight-decimal units. */
const LEAST = /recommended_min_amount_in: (\d{1,40})/

const wordsOf = (body: unknown): string | null => {
  const { message, error } = apiError.readOrNull(body) ?? {}
  return message ?? (typeof error === 'string' ? error : error?.message) ?? null
}

/** The request. Amounts in smallest units; `beside`: the deposit's need beyond the priced amount. */
export type AskedWith = { readonly amount: bigint; readonly decimals: number; readonly beside: bigint }

/** The meaning of a refusal; null leaves it to its HTTP status. */
export const quoteRefusals =
  ({ amount, decimals, beside }: AskedWith) =>
  ({ status, body }: VenueRefusal): VenueError | null => {
    const words = wordsOf(body)
    if (words === null || status === 429 || status >= 500) return null
    const meaning = MEANINGS.find(([part]) => words.includes(part))?.[1]
    if (meaning === undefined) return null
    const least = LEAST.exec(words)?.[1]
    const minimum = least === undefined ? null : fromWireUp(BigInt(least), decimals) + beside
    return refused(meaning, words, meaning === 'amountTooSmall' ? minimumAbove(amount, minimum) : {})
  }

/** Registration is closed now, which is independent of the order. */
export const registerRefusals = ({ status, body }: VenueRefusal): VenueError | null => {
  const words = wordsOf(body)
  return words === null || status === 429 || status >= 500 ? null : new VenueError('noLiquidity', words)
}
