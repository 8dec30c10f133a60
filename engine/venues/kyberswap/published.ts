import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isSameAsset } from '../../core/asset.ts'
import type { ChainId, EvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import type { VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'

/** The public host. The gateway for API keys, https://api.kyberswap.com/swap, has the same paths. */
export const PUBLIC_BASE_URL = 'https://aggregator-api.kyberswap.com'

/**
 * MetaAggregationRouterV2, which wallets call and allow: one address on all chains.
 * https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator/contracts
 */
export const ROUTER = addressOf('evm', '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5')

/** Chain names in paths. Source: "Supported Networks" of KyberNetwork/kyberswap-documentation, 2026-08-21. */
const SLUGS: { readonly [chainId in ChainId]?: string } = {
  1: 'ethereum',
  10: 'optimism',
  56: 'bsc',
  130: 'unichain',
  137: 'polygon',
  143: 'monad',
  999: 'hyperevm',
  4663: 'robinhood',
  8453: 'base',
  42161: 'arbitrum',
  43114: 'avalanche',
  59144: 'linea',
}

export const slugOf = ({ chainId }: Asset): string => {
  const slug = SLUGS[chainId]
  if (slug === undefined) throw new VenueError('unsupportedPair', `kyberswap is not on chain ${chainId}`)
  return slug
}

export const serves = ({ input, output }: Route): boolean =>
  input.chainId === output.chainId && SLUGS[input.chainId] !== undefined && !isSameAsset(input, output)

export const SERVED = Object.keys(SLUGS).map(Number) as readonly EvmChainId[]

export const contractsOf = (routersOn: (chainId: EvmChainId) => readonly Address[]): VenueProfile['contracts'] =>
  Object.fromEntries(SERVED.map((chainId) => [chainId, routersOn(chainId)]))
