import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, type Meanings, meaningOf, type Party, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { apiError, detail } from './wire.ts'

/**
 * KyberSwapAggregator_EVMAPIs_v2.12.1.yaml of KyberNetwork/kyberswap-documentation. 4000, 4003, 4004, 40010, 40011, 4990 and 500:
 * skills/error-handling of KyberNetwork/kyberswap-skills.
 * The codes of the Limit Order API have other meanings.
 */
export const MEANINGS: Meanings = {
  4000: 'badRequest',
  4001: 'badRequest',
  4002: 'badRequest',
  4004: 'badRequest',
  40010: 'badRequest',
  40011: 'badRequest',
  4003: 'noLiquidity',
  4008: 'noLiquidity',
  4010: 'noLiquidity',
  // The requested fee exceeds the amount.
  4005: 'amountTooSmall',
  4007: 'amountTooSmall',
  4009: 'amountTooLarge',
  4011: 'unsupportedPair',
  4221: 'unsupportedPair',
  4990: 'unavailable',
  500: 'unavailable',
}

/** An expired route: a lower output than quoted, and a gas estimate that fails for it. Seen by integrators. */
const STALE_CODES = new Set([4222, 4227])
/** A market maker that withdrew its price. The documents give the name of this error, but not its field. */
const STALE_WORDS = /\bErrRFQ/

/** Whether another route may be built after this refusal. */
export const isStale = ({ body }: Pick<VenueRefusal, 'body'>): boolean => {
  const { code = 0, message } = apiError.readOrNull(body) ?? {}
  return STALE_CODES.has(code) || (code !== 0 && STALE_WORDS.test(String(message)))
}

const PARTIES: { readonly [field: string]: Party } = {
  sender: 'sender',
  origin: 'sender',
  recipient: 'recipient',
  slippageTolerance: 'slippageBps',
}

const partyOf = (details: unknown): Party | undefined => {
  const rows = Array.isArray(details) ? details.flatMap((row) => detail.readOrNull(row)?.fieldViolations ?? []) : []
  const field = rows.map((row) => String(row.field)).find((name) => Object.hasOwn(PARTIES, name))
  return field === undefined ? undefined : PARTIES[field]
}

/** The meaning of an error; null leaves it to its HTTP status. */
export const refusals = ({ status, body }: VenueRefusal): VenueError | null => {
  if (status === 429 || status === 401 || status === 403) return null
  const error = apiError.readOrNull(body)
  if (error === null) return null
  const words = `${error.code}: ${String(error.message ?? '').slice(0, 4_000)}`
  const meaning: Meaning | undefined = meaningOf(MEANINGS, String(error.code))
  const party = partyOf(error.details)
  if (meaning === 'badRequest' && party !== undefined) return refused(['badRequest', party], words)
  if (meaning !== undefined) return refused(meaning, words)
  // The HTTP status gives the meaning of the other codes; a 200 gives none.
  return status < 300 ? new VenueError('badResponse', words, { nature: 'unexplained' }) : null
}
