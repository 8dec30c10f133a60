import type { GenesisAccount } from '../chains/anvilNode.ts'
import { NETWORKS } from '../venues/relay/networks.ts'
import { accountOf } from './accountOf.ts'

/** Relay's depository at its published address of one chain. */
export const relayContracts = async (chainId: number): Promise<readonly GenesisAccount[]> => {
  const network = NETWORKS.find((candidate) => candidate.chainId === chainId && candidate.vm === 'evm')
  return network ? [await accountOf(network.depository, 'SimRelayDepository')] : []
}
