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

/**
 * `build` gives no code, or a number that no document explains: its text is all there is to tell a refusal by. Texts of Metis:
 * https://dev.jup.ag/docs/swap/quote-and-swap
 */
const TEXTS: readonly (readonly [says: RegExp, means: Meaning])[] = [
  [/no routes? found|could not find any route|quote not available|insufficient liquidity|failed to get quotes/i, 'noLiquidity'],
  [/not tradable|token not (found|supported)|unknown (token|mint)/i, 'unsupportedPair'],
  [/insufficient (funds|balance)/i, ['badRequest', 'sender']],
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

/** The text of an error, at most 4,000 characters; '' for none. zod lists its issues, or from its version 4 on has them in the message. */
const textOf = (error: unknown): string => {
  if (Object.keys(Object(error)).length === 0) return ''
  const { issues, message }: { issues?: unknown; message?: unknown } = Object(error)
  const told = typeof error === 'string' ? error : (issues ?? message ?? error)
  return (typeof told === 'string' ? told : JSON.stringify(told)).slice(0, 4_000)
}

const refusalIn = (body: unknown) => {
  const { error, errorCode } = refusal.readOrNull(body) ?? {}
  const [text, code] = [textOf(error), typeof errorCode === 'string' ? errorCode : '']
  const meaning = meaningOf(MEANINGS, code) ?? meaningOf(MEANINGS, text)
  return { text: meaning === undefined ? text : `${code} ${text}`, meaning, name: Object(error).name as unknown }
}

/** An answer that is a refusal, whatever its status. */
export const isRefusal = (body: unknown): boolean => refusalIn(body).text !== ''

const parameterMeaning = (text: string): Meaning => {
  const [, name = ''] = /"path":\s*\[\s*"(\w+)"/.exec(text) ?? []
  const [, code = ''] = /"code":\s*"(\w+)"/.exec(text) ?? []
  return meaningOf(PARAMETERS, name) ?? meaningOf(PARAMETERS, `${name}.${code}`) ?? 'badRequest'
}

/** What a refusal means; null leaves it to its status, as what the gateway says in a text of its own. */
export const buildRefusals = ({ status, body }: VenueRefusal): VenueError | null => {
  const { text, meaning, name } = refusalIn(body)
  if (text === '' || [401, 403, 429].includes(status)) return null
  if (meaning !== undefined) return refused(meaning, text)
  if (status >= 300 && ![400, 404, 422].includes(status)) return null
  const [, told] = TEXTS.find(([says]) => says.test(text)) ?? []
  if (told !== undefined) return refused(told, text)
  // Some answers have the message of a ZodError for a text.
  if (name === 'ZodError' || name === '$ZodError' || /"path":\s*\[/.test(text)) return refused(parameterMeaning(text), text)
  return new VenueError('badResponse', text, { nature: 'unexplained' })
}
