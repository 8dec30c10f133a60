import { type Asset, isSameAsset } from '../../core/asset.ts'
import type { Route } from '../../core/route.ts'
import { VenueError } from '../venueError.ts'
import { CHAINS } from './protocol.ts'

export const VENUE_ID = 'thorchain'

/** The node in THORChain's documentation since 2026-05, and the one where shapeshift/web reads pools. Neither needs a key. */
export const PUBLIC_BASE_URL = 'https://gateway.liquify.com/chain/thorchain_api'
export const SECOND_URL = 'https://api.thorchain.shapeshift.com/lcd'

export const codeOf = ({ chainId }: Pick<Asset, 'chainId'>): string => {
  const code = CHAINS[chainId]?.code
  if (code === undefined) throw new VenueError('unsupportedPair', `thorchain is not on chain ${chainId}`)
  return code
}

/** It also swaps within a chain, at the price of crossing. */
export const isOnItsChains = ({ input, output }: Route): boolean =>
  !isSameAsset(input, output) && CHAINS[input.chainId] !== undefined && CHAINS[output.chainId] !== undefined
