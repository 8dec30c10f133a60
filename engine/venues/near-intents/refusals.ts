import { parseAmount } from '../../core/amount.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meaning, minimumAbove, refused } from '../kit/refusals.ts'
import { object, shape, text } from '../kit/shapes.ts'
import { VenueError } from '../venueError.ts'

/** `status`: absent: any HTTP status. */
type Rule = { readonly says: RegExp; readonly status?: number; readonly means: Meaning }

/**
 * This venue's refusals have no code, only `{message}`, so the text decides. The first match applies. As reported by integrators:
 * github.com/cowprotocol/cowswap/pull/6658, github.com/shapeshift/web/pull/12338.
 */
const RULES: readonly Rule[] = [
  { says: /amount is too low|minimum swap amount/i, means: 'amountTooSmall' },
  { says: /no liquidity available|failed to get quote|NO_QUOTE|quoting for this pair is not available/i, means: 'noLiquidity' },
  { says: /token(in|out) is not valid|is not supported as (origin|destination) asset/i, means: 'unsupportedPair' },
  { says: /refundTo is not valid/i, means: ['badRequest', 'refundTo'] },
  { says: /recipient is not valid|can'?t withdraw to exchange/i, means: ['badRequest', 'recipient'] },
  { says: /incorrect depositMode/i, means: 'badRequest' },
  // Repeatedly returned for a recipient that its bridge cannot use, such as a mint: the caller's mistake.
  { says: /internal server error/i, status: 400, means: 'badRequest' },
  { says: /websocket is not ready|internal server error/i, means: 'unavailable' },
]

/** A bad key receives 401. A possible 403 about the key differs from a screened swap by these words. */
const ABOUT_THE_KEY = /api[ -]?key|\bjwt\b|unauthori[sz]ed/i

const told = shape('refusal', object({ message: text({ maxLength: 100_000 }) }))

/**
 * The amount in `try at least <N>`, when it is valid: whole, and more than the requested amount. It is normally in the input
 * token's smallest units, but was seen in others, so other values are dropped.
 */
const minimumIn = (message: string, asked: bigint): { readonly minimum?: bigint } => {
  const [, digits] = /try at least (\d{1,78})(?![\d.,])/i.exec(message) ?? []
  return minimumAbove(asked, parseAmount(digits))
}

/** The meaning of a refused quote; null where the status alone decides. */
export const quoteRefusals =
  (inputAmount: bigint): Refusals =>
  ({ status, body }) => {
    const message = told.readOrNull(body)?.message.slice(0, 300)
    if (message === undefined || status === 401 || status === 429) return null
    if (status === 403 && ABOUT_THE_KEY.test(message)) return null
    const rule = RULES.find(({ says, status: only = status }) => only === status && says.test(message))
    // The venue's screening refuses a swap with 403.
    if (!rule) return status === 400 || status === 403 ? new VenueError('badRequest', message) : null
    return refused(rule.means, message, rule.means === 'amountTooSmall' ? minimumIn(message, inputAmount) : {})
  }
