import type { Clock } from '../../core/clock.ts'
import type { VenueOrder } from '../../core/order.ts'

const KNOWN_MS = 6 * 60 * 60_000
const KNOWN_MAX = 10_000

/** Which firm quotes came with a permit, by token and wallet: a contract gets none where others do, and is no rule for them. */
export const createPermits = (clock: Clock) => {
  const known = new Map<string, { readonly comes: boolean; readonly until: number }>()
  const keyOf = ({ input, sender }: VenueOrder): string => `${input.chainId} ${input.address} ${sender}`
  return {
    /** Null: not known. */
    comes: (order: VenueOrder): boolean | null => {
      const found = known.get(keyOf(order))
      return found !== undefined && found.until > clock.now() ? found.comes : null
    },
    learn: (order: VenueOrder, comes: boolean): void => {
      const key = keyOf(order)
      known.delete(key)
      known.set(key, { comes, until: clock.now() + KNOWN_MS })
      const [oldest] = known.keys()
      if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest)
    },
  }
}

export type Permits = ReturnType<typeof createPermits>
