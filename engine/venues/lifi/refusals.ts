import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, type Meanings, meaningOf, type Party, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { apiError, toolErrors } from './wire.ts'

/** https://docs.li.fi/api-reference/error-codes, and @lifi/types 18.4.0. 1002 and 1011 are read more closely. */
export const MEANINGS: Meanings = {
  1000: 'unavailable',
  1001: 'unavailable',
  1002: 'noLiquidity',
  1003: 'unsupportedPair',
  1004: 'badRequest',
  1006: 'unavailable',
  1007: 'noLiquidity',
  1008: 'unavailable',
  1009: 'unavailable',
  1011: 'badRequest',
  1012: 'unavailable',
  1013: 'badRequest',
}

const NO_QUOTE = 1002
const RATE_LIMIT = 1005
const KEY = 1010
const VALIDATION = 1011

/** Codes of single tools. The second spelling of fees that exceed the amount is that of older answers. */
const TOO_SMALL = new Set(['AMOUNT_TOO_LOW', 'FEES_HIGHER_THAN_AMOUNT', 'FEES_HGHER_THAN_AMOUNT'])
const TOO_LARGE = new Set(['AMOUNT_TOO_HIGH'])
const TROUBLE = new Set(['RATE_LIMIT_EXCEEDED', 'TOOL_TIMEOUT', 'RPC_ERROR', 'UNKNOWN_ERROR', 'TOOL_SPECIFIC_ERROR'])
const OTHER_RECIPIENT = new Set(['DIFFERENT_RECIPIENT_NOT_SUPPORTED'])

const codesIn = (errors: unknown): readonly string[] => (toolErrors.readOrNull(errors) ?? []).map(({ code }) => code)

type Errors = NonNullable<ReturnType<typeof apiError.readOrNull>>['errors']

/** The error codes of each tool that LI.FI asked. */
const toolCodes = (errors: Errors): readonly string[] => {
  if (errors === null || errors === undefined) return []
  if (!('failed' in errors)) return codesIn(errors)
  const failed = errors.failed ?? []
  return failed.flatMap(({ subpaths }) =>
    typeof subpaths === 'object' && subpaths !== null ? Object.values(subpaths).flatMap(codesIn) : [],
  )
}

/** Too small, or too large, only where all tools report it: another tool may have no route. */
const noQuote = (codes: readonly string[]): Meaning => {
  const areAll = (group: ReadonlySet<string>) => codes.length > 0 && codes.every((code) => group.has(code))
  if (areAll(TOO_SMALL)) return 'amountTooSmall'
  if (areAll(TOO_LARGE)) return 'amountTooLarge'
  if (areAll(OTHER_RECIPIENT)) return ['badRequest', 'recipient']
  return areAll(TROUBLE) ? 'unavailable' : 'noLiquidity'
}

const PARTIES: readonly (readonly [field: RegExp, party: Party])[] = [
  [/\btoAddress\b/, 'recipient'],
  [/\bfromAddress\b/, 'sender'],
  [/\bslippage\b/, 'slippageBps'],
]

/** Only the text names the field. */
const invalid = (message: string): Meaning => {
  if (/\b(?:from|to)(?:Token|Chain)\b/.test(message)) return 'unsupportedPair'
  const party = PARTIES.find(([field]) => field.test(message))?.[1]
  return party === undefined ? 'badRequest' : ['badRequest', party]
}

/** For statuses without a code. */
const BY_STATUS: { readonly [status: number]: Meaning } = {
  400: 'badRequest',
  404: 'noLiquidity',
  409: 'noLiquidity',
  424: 'unavailable',
}

/** The meaning of an error; null leaves it to its HTTP status. */
export const refusals = ({ status, body, retryAfterMs = null }: VenueRefusal): VenueError | null => {
  const error = apiError.readOrNull(body)
  if (error === null || status === 429 || status === 401 || status === 403) return null
  const { message, code, errors } = error
  const words = `${code ?? `HTTP ${status}`}: ${message}`
  if (code === RATE_LIMIT) return new VenueError('rateLimited', words, { retryAfterMs })
  if (code === KEY) return new VenueError('unavailable', words, { nature: 'keyRefused' })
  if (code === NO_QUOTE) return refused(noQuote(toolCodes(errors)), words)
  if (code === VALIDATION) return refused(invalid(message), words)
  const meaning = code === undefined ? BY_STATUS[status] : meaningOf(MEANINGS, String(code))
  return meaning === undefined ? null : refused(meaning, words)
}
