import { ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createFreshLists } from '../kit/keptList.ts'
import type { ListedPrice, PriceFeed } from '../venue.ts'
import { isServed } from './published.ts'
import { listedToken } from './wire.ts'

export type PricePorts = {
  readonly clock: Clock
  readonly listTokens: (chainId: ChainId, signal: AbortSignal) => Promise<readonly unknown[]>
}

/** The lifetime that Across itself allows for the list. One list per chain. */
const KEPT = { entriesMax: 32, lifetimeMs: 300_000 }
const DECIMAL = /^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,36})?$/

const keyOf = (chainId: ChainId, wire: string): string => (chainId === SOLANA ? wire : wire.toLowerCase())

/** Prices of GET /swap/tokens, one list per chain, cached for five minutes. */
export const createPrices = ({ clock, listTokens }: PricePorts): PriceFeed => {
  const listed = createFreshLists<ReadonlyMap<string, ListedPrice>>(KEPT, clock)
  const load = async (chainId: ChainId, signal: AbortSignal) => {
    const readAt = clock.now()
    const tokens = await listTokens(chainId, signal)
    const priced = tokens.flatMap((row) => {
      const { address = '', priceUsd = null } = listedToken.readOrNull(row) ?? {}
      return priceUsd !== null && DECIMAL.test(priceUsd) ? [[keyOf(chainId, address), { usd: priceUsd, readAt }] as const] : []
    })
    return new Map(priced)
  }
  return {
    usd: async ({ chainId, address }, signal) => {
      if (!isServed(chainId)) return null
      const usd = await listed(String(chainId), (cut) => load(chainId, cut), signal)
      return usd.get(keyOf(chainId, address === NATIVE ? ZERO_EVM_ADDRESS : address)) ?? null
    },
  }
}
