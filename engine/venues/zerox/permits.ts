import type { Clock } from '../../core/clock.ts'
import type { VenueOrder } from '../../core/order.ts'

const KNOWN_MAX = 10_000
/** 'asked': a firm quote is in progress, or failed for this wallet. */
type Comes = boolean | 'asked'
const knownMs = (comes: Comes): number => (comes === 'asked' ? 60_000 : 6 * 60 * 60_000)

type Whose = 'token' | 'wallet'
type Known = Map<string, { readonly comes: Comes; readonly until: number }>

/** Which firm quotes had a permit: for a token, which holds for all wallets without code, and for one wallet's token. */
export const createPermits = (clock: Clock) => {
  const known: { readonly [W in Whose]: Known } = { token: new Map(), wallet: new Map() }
  const keyOf = ({ input, sender }: VenueOrder, whose: Whose): string =>
    `${input.chainId} ${input.address} ${whose === 'wallet' ? sender : ''}`
  return {
    /** Null: unknown. */
    comes: (order: VenueOrder, whose: Whose): Comes | null => {
      const found = known[whose].get(keyOf(order, whose))
      return found !== undefined && found.until > clock.now() ? found.comes : null
    },
    learn: (order: VenueOrder, whose: Whose, comes: Comes | null): void => {
      const [key, of] = [keyOf(order, whose), known[whose]]
      of.delete(key)
      if (comes === null) return
      of.set(key, { comes, until: clock.now() + knownMs(comes) })
      const [oldest] = of.keys()
      if (of.size > KNOWN_MAX && oldest !== undefined) of.delete(oldest)
    },
  }
}

export type Permits = ReturnType<typeof createPermits>
