import type { Clock } from '../../core/clock.ts'
import type { VenueOrder } from '../../core/order.ts'

const KNOWN_MS = 6 * 60 * 60_000
const KNOWN_MAX = 10_000

/** Which firm quotes came with a permit. A token without one has none for any wallet; a token with one may have none for a contract. */
export const createPermits = (clock: Clock) => {
  const untilByKey = new Map<string, number>()
  const keysOf = ({ input, sender }: Pick<VenueOrder, 'input' | 'sender'>): readonly [token: string, wallet: string] => {
    const token = `${input.chainId} ${input.address}`
    return [token, `${token} ${sender}`]
  }
  return {
    /** Null: not known. */
    comes: (order: VenueOrder): boolean | null => {
      const [hasNone, hasOne] = keysOf(order).map((key) => (untilByKey.get(key) ?? 0) > clock.now())
      return hasNone ? false : hasOne || null
    },
    learn: (order: VenueOrder, comes: boolean): void => {
      const key = keysOf(order)[comes ? 1 : 0]
      untilByKey.delete(key)
      untilByKey.set(key, clock.now() + KNOWN_MS)
      const [oldest] = untilByKey.keys()
      if (untilByKey.size > KNOWN_MAX && oldest !== undefined) untilByKey.delete(oldest)
    },
  }
}

export type Permits = ReturnType<typeof createPermits>
