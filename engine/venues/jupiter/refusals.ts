import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meaning, type Meanings, meaningOf, meaningsBy, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { built, refusal } from './wire.ts'

/** https://dev.jup.ag/docs/swap/v1/common-errors: codes of the older paths, in case the newer path returns them again. */
export const MEANINGS = meaningsBy(
  ['noLiquidity', 'NO_ROUTES_FOUND COULD_NOT_FIND_ANY_ROUTE'],
  ['amountTooLarge', 'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT'],
  ['amountTooSmall', 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD'],
  ['unsupportedPair', 'TOKEN_NOT_TRADABLE NOT_SUPPORTED MARKET_NOT_FOUND CIRCULAR_ARBITRAGE_IS_DISABLED'],
  ['badRequest', 'MAX_ACCOUNT_GREATER_THAN_MAX INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE'],
  ['unavailable', 'FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS'],
)

/**
 * `build` answers without a code, or with an undocumented number, so only its text identifies a refusal. Texts of Metis:
 * https://dev.jup.ag/docs/swap/quote-and-swap
 */
const TEXTS: readonly (readonly [says: RegExp, means: Meaning])[] = [
  [/no routes? found|could not find any route|quote not available|insufficient liquidity|failed to get quotes/i, 'noLiquidity'],
  [/not tradable|token not (found|supported)|unknown (token|mint)/i, 'unsupportedPair'],
  [/insufficient (funds|balance)/i, ['badRequest', 'sender']],
  [/too many requests/i, 'rateLimited'],
]

/** Why an offer of `/order` has no transaction: https://dev.jup.ag/docs/swap/order-and-execute#order-error-codes */
const NUMBERS: Meanings = {
  1: ['badRequest', 'sender'],
  2: ['badRequest', 'sender'],
  3: 'amountTooSmall',
  'jupiterz 3': 'noLiquidity',
}

/** By the parameter of a ZodError, with the issue's code where needed. All others are our own mistake. */
const PARAMETERS: Meanings = {
  inputMint: 'unsupportedPair',
  outputMint: 'unsupportedPair',
  'amount.too_small': 'amountTooSmall',
  'amount.too_big': 'amountTooLarge',
  taker: ['badRequest', 'sender'],
  destinationTokenAccount: ['badRequest', 'recipient'],
  slippageBps: ['badRequest', 'slippageBps'],
}

/** The text of an error, at most 4,000 characters; '' without one. zod lists issues, since version 4 in the message. */
const textOf = (error: unknown): string => {
  if (Object.keys(Object(error)).length === 0) return ''
  const { issues, message }: { issues?: unknown; message?: unknown } = Object(error)
  const told = typeof error === 'string' ? error : (issues ?? message ?? error)
  return (typeof told === 'string' ? told : JSON.stringify(told)).slice(0, 4_000)
}

const parameterMeaning = (text: string): Meaning => {
  const [, name = ''] = /"path":\s*\[\s*"(\w+)"/.exec(text) ?? []
  const [, code = ''] = /"code":\s*"(\w+)"/.exec(text) ?? []
  return meaningOf(PARAMETERS, name) ?? meaningOf(PARAMETERS, `${name}.${code}`) ?? 'badRequest'
}

/** `coded`: the meaning of a documented code; `told`: of the other fields. Some answers have a ZodError's message. */
const refusalIn = (body: unknown) => {
  const { error, errorMessage, message, errorCode, router } = refusal.readOrNull(body) ?? {}
  const text = [error, errorMessage, message].map(textOf).find((each) => each !== '') ?? ''
  const [word, number] = [typeof errorCode === 'string' ? errorCode : '', typeof errorCode === 'number' ? `${errorCode}` : '']
  const isZod = ['ZodError', '$ZodError'].some((each) => each === Object(error).name) || /"path":\s*\[/.test(text)
  const numbered = meaningOf(NUMBERS, router === 'jupiterz' ? `jupiterz ${number}` : number) ?? meaningOf(NUMBERS, number)
  return {
    text: [word || number, text].filter((each) => each !== '').join(' '),
    coded: meaningOf(MEANINGS, word) ?? meaningOf(MEANINGS, text),
    told: TEXTS.find(([says]) => says.test(text))?.[1] ?? (isZod ? parameterMeaning(text) : numbered),
  }
}

const NO_OFFER: readonly unknown[] = ['noLiquidity', 'amountTooLarge', 'amountTooSmall', 'unsupportedPair'] satisfies Meaning[]

/** True for a refusal of any status. An answer with a whole offer is a refusal only for a text documented as "no offer". */
export const isRefusal = (body: unknown): boolean => {
  const { text, coded, told } = refusalIn(body)
  return text !== '' && (built.readOrNull(body) === null || NO_OFFER.includes(coded ?? told))
}

/** The meaning of a refusal; null leaves it to its HTTP status, as for texts of the gateway. */
export const buildRefusals = ({ status, body }: VenueRefusal): VenueError | null => {
  const { text, coded, told } = refusalIn(body)
  if (text === '' || [401, 403, 429].includes(status)) return null
  if (coded !== undefined) return refused(coded, text)
  if (status >= 300 && ![400, 404, 422].includes(status)) return null
  return told === undefined ? new VenueError('badResponse', text, { nature: 'unexplained' }) : refused(told, text)
}
