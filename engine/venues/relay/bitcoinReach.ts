import { nativeAsset } from '../../core/asset.ts'
import { BITCOIN } from '../../core/chain.ts'
import type { BitcoinReach } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { createChainCheck } from './checkChains.ts'
import type { RelayClient } from './client.ts'
import { fromCurrency, toWireChain } from './published.ts'

/** Relay's listed tokens of a chain, while it swaps from bitcoin to there: its solver buys tokens that it does not hold. */
export const createBitcoinReach = (
  client: Pick<RelayClient, 'currencies'>,
  checkChains: ReturnType<typeof createChainCheck>,
): BitcoinReach => ({
  tokens: async (chainId, signal) => {
    try {
      await checkChains({ input: nativeAsset(BITCOIN), output: nativeAsset(chainId) }, signal)
    } catch (error) {
      if (error instanceof VenueError && error.kind === 'unsupportedPair') return []
      throw error
    }
    const wireId = toWireChain(chainId)
    const listed = await client.currencies(wireId, signal)
    const assets = listed.flatMap((currency) => (currency.chainId === wireId ? [fromCurrency(chainId, currency.address)] : []))
    return assets.flatMap((asset) => (asset === null ? [] : [asset.address]))
  },
})
