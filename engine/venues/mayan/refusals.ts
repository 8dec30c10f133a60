import type { VenueRefusal } from '../kit/callVenue.ts'
import { type Meanings, meaningOf, minimumAbove, refused } from '../kit/refusals.ts'
import { VenueError } from '../venueError.ts'
import { cutTo, refusal } from './wire.ts'

/** The only known code: issue 19 of mayan-finance/swap-sdk. The least input is in `data`, if anywhere. */
export const MEANINGS: Meanings = { AMOUNT_TOO_SMALL: 'amountTooSmall' }
/** The SDK's own text, for answers without one. */
const NO_ROUTE = /route not found/i

/** The requested amount, to read the venue's least input. */
export type AskedAmount = { readonly amount: bigint; readonly decimals: number }

const wordsOf = (body: unknown) => {
  const read = refusal.readOrNull(body)
  const [code, said] = [read?.code ?? read?.statusCode, read?.msg ?? read?.message]
  return { code: String(code ?? ''), said: String(said ?? ''), least: read?.data?.minAmountIn }
}

/** The meaning of a refusal; null leaves it to its HTTP status. An unknown code is still a refusal of the order. */
export const refusalsOf =
  (asked: AskedAmount | null) =>
  ({ status, body, retryAfterMs }: VenueRefusal): VenueError | null => {
    const { code, said, least } = wordsOf(body)
    const message = `${code}: ${said}`
    if (status === 429) return new VenueError('rateLimited', message, { retryAfterMs: retryAfterMs ?? null })
    const meaning = meaningOf(MEANINGS, code)
    if (meaning !== undefined) {
      const minimum = asked !== null && typeof least === 'number' ? cutTo(least, asked.decimals) : null
      return refused(meaning, message, minimumAbove(asked?.amount ?? null, minimum))
    }
    if (status < 500 && NO_ROUTE.test(said)) return new VenueError('noLiquidity', message)
    return null
  }
