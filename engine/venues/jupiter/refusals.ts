import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, type Meanings, meaningOf, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { refusal } from './wire.ts'

/** https://dev.jup.ag/docs/swap/v1/common-errors: of the older paths, should the newer one tell them again. */
const MEANINGS: Meanings = {
  NO_ROUTES_FOUND: 'noLiquidity',
  COULD_NOT_FIND_ANY_ROUTE: 'noLiquidity',
  ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT: 'amountTooLarge',
  CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD: 'amountTooSmall',
  TOKEN_NOT_TRADABLE: 'unsupportedPair',
  NOT_SUPPORTED: 'unsupportedPair',
  MARKET_NOT_FOUND: 'unsupportedPair',
  CIRCULAR_ARBITRAGE_IS_DISABLED: 'unsupportedPair',
  MAX_ACCOUNT_GREATER_THAN_MAX: 'badRequest',
  INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE: 'badRequest',
  FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS: 'unavailable',
}

/** `build` gives no code: its text is all there is to tell a refusal by. */
const TEXTS: readonly (readonly [says: RegExp, means: Meaning])[] = [
  [/no routes? found|could not find any route/i, 'noLiquidity'],
  [/not tradable|token not (found|supported)|unknown (token|mint)/i, 'unsupportedPair'],
  [/too many requests/i, 'rateLimited'],
]

/** By the parameter that a ZodError names, with the code of the issue where that matters. All others are our own mistake. */
const PARAMETERS: Meanings = {
  inputMint: 'unsupportedPair',
  outputMint: 'unsupportedPair',
  'amount.too_small': 'amountTooSmall',
  'amount.too_big': 'amountTooLarge',
  taker: ['badRequest', 'sender'],
  destinationTokenAccount: ['badRequest', 'recipient'],
  slippageBps: ['badRequest', 'slippageBps'],
}

/** The text of an error, at most 4,000 characters; null for none. zod lists its issues, or from its version 4 on has them in the message. */
const textOf = (error: unknown): string | null => {
  const { issues, message = '' }: { issues?: unknown; message?: unknown } = Object(error)
  if (typeof error !== 'string' && (typeof error !== 'object' || error === null)) return null
  return (typeof error === 'string' ? error : issues === undefined ? String(message) : JSON.stringify(issues)).slice(0, 4_000)
}

/** An answer that is a refusal, whatever its status. */
export const isRefusal = (body: unknown): boolean => textOf(refusal.readOrNull(body)?.error) !== null

const parameterMeaning = (text: string): Meaning => {
  const [, name = ''] = /"path":\s*\[\s*"(\w+)"/.exec(text) ?? []
  const [, code = ''] = /"code":\s*"(\w+)"/.exec(text) ?? []
  return meaningOf(PARAMETERS, name) ?? meaningOf(PARAMETERS, `${name}.${code}`) ?? 'badRequest'
}

/** What a refusal means; null leaves it to its status, as what the gateway says in a text of its own. */
export const buildRefusals = ({ status, body, retryAfterMs }: VenueRefusal): VenueError | null => {
  const { error, errorCode } = refusal.readOrNull(body) ?? {}
  const text = textOf(error)
  if (text === null || status === 401 || status === 403) return null
  if (status === 429) return new VenueError('rateLimited', text, { retryAfterMs: retryAfterMs ?? null })
  const meaning = errorCode === undefined ? undefined : meaningOf(MEANINGS, errorCode)
  if (meaning !== undefined) return refused(meaning, `${errorCode}: ${text}`)
  if (status !== 400 && status >= 300) return null
  const [, told] = TEXTS.find(([says]) => says.test(text)) ?? []
  if (told !== undefined) return refused(told, text)
  if (Object(error).name === 'ZodError') return refused(parameterMeaning(text), text)
  return new VenueError('badResponse', text, { nature: 'unexplained' })
}
