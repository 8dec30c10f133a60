import { ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createReadCache } from '../../net/readCache.ts'
import type { PriceFeed } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { isServed } from './published.ts'
import type { ListedToken } from './wire.ts'

export type PricePorts = {
  readonly clock: Clock
  readonly listTokens: (chainId: ChainId, signal: AbortSignal) => Promise<readonly ListedToken[]>
}

/** As long as Across itself lets the list be kept. A list for each chain. */
const KEPT = { entriesMax: 32, lifetimeMs: 300_000 }
/** The load is shared, so no single caller's signal may cut it: it has its own limit instead. */
const LOAD_MS = 5_000
const DECIMAL = /^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,36})?$/

const keyOf = (chainId: ChainId, wire: string): string => (chainId === SOLANA ? wire : wire.toLowerCase())

/** Prices of GET /swap/tokens, one list a chain, kept for five minutes. */
export const createPrices = ({ clock, listTokens }: PricePorts): PriceFeed => {
  const cache = createReadCache<ReadonlyMap<string, string>>(KEPT, clock)
  const load = async (chainId: ChainId) => {
    const tokens = await listTokens(chainId, AbortSignal.timeout(LOAD_MS))
    const priced = tokens.flatMap(({ address, priceUsd }) =>
      priceUsd !== null && DECIMAL.test(priceUsd) ? [[keyOf(chainId, address), priceUsd] as const] : [],
    )
    return new Map(priced)
  }
  const onAbort = () => new VenueError('timeout', 'cut while a list was loading')
  return {
    usd: async ({ chainId, address }, signal) => {
      if (!isServed(chainId)) return null
      const usd = await cache.get(String(chainId), () => load(chainId), { signal, onAbort })
      return usd.get(keyOf(chainId, address === NATIVE ? ZERO_EVM_ADDRESS : address)) ?? null
    },
  }
}
