import type { Address } from '../../core/address.ts'
import { type Asset, isSameAsset } from '../../core/asset.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import type { VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { SLUGS } from './protocol.ts'

/** The public host. The gateway for API keys, https://api.kyberswap.com/swap, has the same paths. */
export const PUBLIC_BASE_URL = 'https://aggregator-api.kyberswap.com'

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
