import type { Chains } from '../../chains/chains.ts'
import { isEvmChainId } from '../../core/chain.ts'
import { addressAt } from '../kit/chainReads.ts'
import type { PinSource } from '../venue.ts'
import { FEATURES, SWAP_CHAINS, word } from './protocol.ts'
import type { Settlers } from './settlers.ts'

/** `ownerOf(uint256)`, the current Settler of a feature, and `prev(uint128)`, the one before: src/deployer/Deployer.sol of 0x-settler */
const SELECTORS = ['0x6352211e', '0xe2603dc2'] as const

/** Settlers are pinned by their derivation: a published Settler must be derived, or in a setting. */
export const createPins = (chains: Pick<Chains, 'call'>, settlers: Settlers): readonly PinSource[] => {
  const claimOf = async (contract: Parameters<Chains['call']>[0], feature: keyof typeof FEATURES, signal: AbortSignal) => {
    const { chainId } = contract
    const read = SELECTORS.map((selector) => addressAt(chains, contract, `${selector}${word(FEATURES[feature])}`, signal))
    const published = (await Promise.all(read)).filter((settler) => settler !== null)
    const pinned = published.filter((settler) => settlers.isSettler(feature, chainId, settler))
    return { what: `${feature} Settlers on chain ${chainId}`, pinned: published.length > 0 ? pinned : ['derived'], published }
  }
  return SWAP_CHAINS.filter(isEvmChainId).flatMap((chainId) =>
    settlers.registries(chainId).map((address) => ({
      name: `ownerOf and prev of ${address} on chain ${chainId}`,
      chainId,
      claims: (signal) =>
        Promise.all((['taker', 'metaTransaction'] as const).map((feature) => claimOf({ chainId, address }, feature, signal))),
    })),
  )
}
