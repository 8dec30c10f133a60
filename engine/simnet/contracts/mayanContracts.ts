import { CHAINS, type ChainId } from '../../core/chain.ts'
import { FORWARDER, pinned, SWIFT, SWIFT_FILLS } from '../../venues/mayan/protocol.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { ROUTER } from '../venues/mayan/mayan.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Mayan's Forwarder and both sides of Swift at their published addresses of one chain, and an exchange of the Forwarder's list. */
export const mayanContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = pinned(chainId as ChainId)
  if (network === null) return []
  const wrapped = CHAINS.find((chain) => chain.chainId === chainId)?.wrappedNative ?? '0'
  const storage = { ...slot(0n, BigInt(network.wormholeId)), ...slot(2n, wrapped) }
  return Promise.all([
    accountOf(FORWARDER, 'SimMayanForwarder'),
    accountOf(SWIFT, 'SimMayanSwift', {}, storage),
    accountOf(SWIFT_FILLS, 'SimMayanFills'),
    accountOf(ROUTER, 'SimMayanRouter'),
  ])
}
