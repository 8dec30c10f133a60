import { ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { PriceFeed } from '../venue.ts'
import { isServed } from './published.ts'
import type { ListedToken } from './wire.ts'

export type PricePorts = {
  readonly clock: Clock
  readonly listTokens: (chainId: ChainId, signal: AbortSignal) => Promise<readonly ListedToken[]>
}

/** As long as Across itself lets the list be kept. */
const KEPT_MS = 300_000
const DECIMAL = /^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,36})?$/

type Prices = { readonly until: number; readonly usd: ReadonlyMap<string, string> }

const keyOf = ({ chainId, address }: Asset): string => {
  const wire = address === NATIVE ? ZERO_EVM_ADDRESS : address
  return chainId === SOLANA ? wire : wire.toLowerCase()
}

const toPrices = (chainId: ChainId, tokens: readonly ListedToken[], until: number): Prices => {
  const usd = new Map<string, string>()
  for (const { address, priceUsd } of tokens) {
    if (priceUsd !== null && DECIMAL.test(priceUsd)) usd.set(chainId === SOLANA ? address : address.toLowerCase(), priceUsd)
  }
  return { until, usd }
}

/** Prices of GET /swap/tokens, one list a chain, kept for five minutes. */
export const createPrices = ({ clock, listTokens }: PricePorts): PriceFeed => {
  const kept = new Map<ChainId, Prices>()
  return {
    usd: async (asset, signal) => {
      const { chainId } = asset
      if (!isServed(chainId)) return null
      let prices = kept.get(chainId)
      if (!prices || prices.until <= clock.now()) {
        prices = toPrices(chainId, await listTokens(chainId, signal), clock.now() + KEPT_MS)
        kept.set(chainId, prices)
      }
      return prices.usd.get(keyOf(asset)) ?? null
    },
  }
}
