import type { ChainId } from '../../core/chain.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { contractsOn } from '../venues/relay/relay.ts'
import type { Artifacts } from './artifacts.ts'

/** Relay's depository and router at their published addresses of one chain. */
export const relayContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const contracts = contractsOn(chainId as ChainId)
  if (contracts === null) return []
  return Promise.all([accountOf(contracts.depository, 'SimRelayDepository'), accountOf(contracts.router, 'SimRelayRouter')])
}
