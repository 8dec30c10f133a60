import { CHAINS } from '../../core/chain.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { contractsOn } from '../venues/mayan/mayan.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Mayan's Forwarder and both sides of Swift at their published addresses of one chain, and an exchange of the Forwarder's list. */
export const mayanContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = contractsOn(chainId)
  if (network === null) return []
  const wrapped = CHAINS.find((chain) => chain.chainId === chainId)?.wrappedNative ?? '0'
  const storage = { ...slot(0n, BigInt(network.wormholeId)), ...slot(2n, wrapped) }
  return Promise.all([
    accountOf(network.forwarder, 'SimMayanForwarder'),
    accountOf(network.swift, 'SimMayanSwift', {}, storage),
    accountOf(network.fills, 'SimMayanFills'),
    accountOf(network.router, 'SimMayanRouter'),
  ])
}
