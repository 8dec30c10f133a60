import { parseAmount } from '../../core/amount.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { VenueError, type VenueErrorOptions } from '../venueError.ts'

type Rule = {
  readonly says: RegExp
  /** Left out, whatever the status. */
  readonly status?: number
  readonly kind: VenueError['kind']
  readonly party?: VenueErrorOptions['party']
}

/**
 * This venue's refusals carry no code, only `{message}`: the text is all there is to tell them apart by. First match
 * wins. As reported by integrators: github.com/cowprotocol/cowswap/pull/6658, github.com/shapeshift/web/pull/12338.
 */
const RULES: readonly Rule[] = [
  { says: /amount is too low/i, kind: 'amountTooSmall' },
  { says: /minimum swap amount/i, kind: 'amountTooSmall' },
  { says: /no liquidity available|failed to get quote|NO_QUOTE|quoting for this pair is not available/i, kind: 'noLiquidity' },
  { says: /token(in|out) is not valid|is not supported as (origin|destination) asset/i, kind: 'unsupportedPair' },
  { says: /refundTo is not valid/i, kind: 'badRequest', party: 'refundTo' },
  { says: /recipient is not valid|can'?t withdraw to exchange/i, kind: 'badRequest', party: 'recipient' },
  { says: /incorrect depositMode/i, kind: 'badRequest' },
  // Answered, again and again, to a recipient that its bridge cannot use, such as a mint: no trouble but the caller's.
  { says: /internal server error/i, status: 400, kind: 'badRequest' },
  { says: /websocket is not ready|internal server error/i, kind: 'unavailable' },
]

/** The key is answered for with 401; in case it ever is with 403, its own words tell it from a screened swap. */
const ABOUT_THE_KEY = /api[ -]?key|\bjwt\b|unauthori[sz]ed/i

const messageOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message.slice(0, 300) : null
}

/**
 * The amount in `try at least <N>`, when it can be one: whole, and more than was asked for. It is normally in the input
 * token's smallest units, but was seen in others, so anything else is not passed on.
 */
const minimumIn = (message: string, asked: bigint): { minimum?: bigint } => {
  const [, digits] = /try at least (\d{1,78})(?![\d.,])/i.exec(message) ?? []
  const minimum = parseAmount(digits)
  return minimum !== null && minimum > asked ? { minimum } : {}
}

/** What a refused quote means; null where the status alone must decide. */
export const quoteRefusal =
  (inputAmount: bigint) =>
  ({ status, body }: VenueRefusal): VenueError | null => {
    const message = messageOf(body)
    if (message === null || status === 401 || status === 429) return null
    if (status === 403 && ABOUT_THE_KEY.test(message)) return null
    const rule = RULES.find(({ says, status: only = status }) => only === status && says.test(message))
    // 403 is how the venue's screening refuses one swap.
    if (!rule) return status === 400 || status === 403 ? new VenueError('badRequest', message) : null
    return new VenueError(rule.kind, message, {
      ...(rule.kind === 'amountTooSmall' ? minimumIn(message, inputAmount) : {}),
      ...(rule.party === undefined ? {} : { party: rule.party }),
    })
  }
