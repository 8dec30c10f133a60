import type { GenesisAccount } from '../evm/anvilNode.ts'
import { networkOf } from '../venues/relay/networks.ts'
import type { Artifacts } from './artifacts.ts'

/** Relay's depository and router at their published addresses of one chain. */
export const relayContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  if (network?.vm !== 'evm' || network.router === null) return []
  return Promise.all([accountOf(network.depository, 'SimRelayDepository'), accountOf(network.router, 'SimRelayRouter')])
}
