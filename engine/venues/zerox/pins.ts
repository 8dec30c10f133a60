import type { Chains } from '../../chains/chains.ts'
import { type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import { addressAt } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { REGISTRY, SWAP_CHAINS } from './published.ts'
import { FEATURES, type Settlers } from './settlers.ts'

const word = (value: bigint): string => value.toString(16).padStart(64, '0')
/** `ownerOf(uint256)`, the current Settler of a feature, and `prev(uint128)`, the one before: src/deployer/Deployer.sol of 0x-settler */
const SELECTORS = ['0x6352211e', '0xe2603dc2'] as const

/** Settlers are pinned by their derivation: one that the registry publishes is pinned where it is derived, or set. */
export const createPins = (chains: Pick<Chains, 'call'>, settlers: Settlers): readonly PinSource[] => {
  const claimOf = async (chainId: EvmChainId, feature: keyof typeof FEATURES, signal: AbortSignal): Promise<PinClaim> => {
    const contract = { chainId, address: REGISTRY }
    const read = SELECTORS.map((selector) => addressAt(chains, contract, `${selector}${word(FEATURES[feature])}`, signal))
    const published = (await Promise.all(read)).filter((settler) => settler !== null)
    const pinned = published.filter((settler) => settlers.isSettler(feature, chainId, settler))
    return { what: `${feature} Settlers on chain ${chainId}`, pinned: published.length > 0 ? pinned : ['derived'], published }
  }
  return SWAP_CHAINS.filter(isEvmChainId).map((chainId) => ({
    name: `ownerOf and prev of ${REGISTRY} on chain ${chainId}`,
    chainId,
    claims: (signal) => Promise.all([claimOf(chainId, 'taker', signal), claimOf(chainId, 'metaTransaction', signal)]),
  }))
}
