import type { VenueRefusal } from '../kit/callVenue.ts'
import { meaningOf, meaningsBy, type Party, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { apiError, detail } from './wire.ts'

/**
 * KyberSwapAggregator_EVMAPIs_v2.12.1.yaml of KyberNetwork/kyberswap-documentation. 4000, 4003, 4004, 40010, 40011, 4990 and 500:
 * skills/error-handling of KyberNetwork/kyberswap-skills.
 * The codes of the Limit Order API have other meanings.
 */
export const MEANINGS = meaningsBy(
  ['badRequest', '4000 4001 4002 4004 40010 40011'],
  ['noLiquidity', '4003 4008 4010'],
  // 4005: the requested fee exceeds the amount.
  ['amountTooSmall', '4005 4007'],
  ['amountTooLarge', '4009'],
  ['unsupportedPair', '4011 4221'],
  ['unavailable', '4990 500'],
)

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
  const meaning = meaningOf(MEANINGS, String(error.code))
  const party = partyOf(error.details)
  if (meaning === 'badRequest' && party !== undefined) return refused(['badRequest', party], words)
  if (meaning !== undefined) return refused(meaning, words)
  // The HTTP status gives the meaning of the other codes; a 200 gives none.
  return status < 300 ? new VenueError('badResponse', words, { nature: 'unexplained' }) : null
}
