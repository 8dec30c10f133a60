import type { GenesisAccount } from '../evm/anvilNode.ts'
import { networkOf } from '../venues/relay/networks.ts'
import type { Artifacts } from './artifacts.ts'

/** Relay's depository at its published address of one chain. */
export const relayContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  return network?.vm === 'evm' ? [await accountOf(network.depository, 'SimRelayDepository')] : []
}
