import type { ChainId } from '../../../core/chain.ts'

/** What the real one calls the native coin of every chain, in whatever letters. */
export const COINS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** MetaAggregationRouterV2, on every chain. */
export const ROUTER = '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5'

/** One of the executors that answers of September 2026 call; they change. */
export const EXECUTOR = '0x8f10b468b06c6fd214b65f87778827f7d113f996'

/** A pool of its routes, which the router pays itself where coins are bought. */
export const POOL = '0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc'

/** Chains by what they are called in paths. docs.kyberswap.com */
export const NETWORKS: { readonly [slug: string]: ChainId } = {
  ethereum: 1,
  optimism: 10,
  bsc: 56,
  unichain: 130,
  polygon: 137,
  monad: 143,
  hyperevm: 999,
  robinhood: 4663,
  base: 8453,
  arbitrum: 42161,
  avalanche: 43114,
  linea: 59144,
}

export const isServed = (chainId: number): boolean => Object.values(NETWORKS).some((served) => served === chainId)
