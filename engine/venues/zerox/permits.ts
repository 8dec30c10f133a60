import type { Clock } from '../../core/clock.ts'
import type { VenueOrder } from '../../core/order.ts'

const KNOWN_MS = 6 * 60 * 60_000
const KNOWN_MAX = 10_000

type Holder = Pick<VenueOrder, 'input' | 'sender'>

/** Which firm quotes came with a permit. A token without one has none for any wallet; a token with one may have none for a contract. */
export type Permits = {
  /** Null: not known. */
  comes(order: Holder): boolean | null
  learn(order: Holder, comes: boolean): void
}

export const createPermits = (clock: Clock): Permits => {
  const untilByKey = new Map<string, number>()
  const tokenKey = ({ input: { chainId, address } }: Holder): string => `${chainId} ${address}`
  const walletKey = (order: Holder): string => `${tokenKey(order)} ${order.sender}`
  const isKnown = (key: string): boolean => (untilByKey.get(key) ?? 0) > clock.now()
  return {
    comes: (order) => (isKnown(tokenKey(order)) ? false : isKnown(walletKey(order)) || null),
    learn: (order, comes) => {
      const key = comes ? walletKey(order) : tokenKey(order)
      untilByKey.delete(key)
      untilByKey.set(key, clock.now() + KNOWN_MS)
      const [oldest] = untilByKey.keys()
      if (untilByKey.size > KNOWN_MAX && oldest !== undefined) untilByKey.delete(oldest)
    },
  }
}
