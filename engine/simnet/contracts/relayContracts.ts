import type { GenesisAccount } from '../evm/anvilNode.ts'
import { NETWORKS } from '../venues/relay/networks.ts'
import type { Artifacts } from './artifacts.ts'

/** Relay's depository at its published address of one chain. */
export const relayContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = NETWORKS.find((candidate) => candidate.chainId === chainId && candidate.vm === 'evm')
  return network ? [await accountOf(network.depository, 'SimRelayDepository')] : []
}
