import type { ChainId } from '../../core/chain.ts'
import { KINDS, networkOf, type Routing } from '../../venues/uniswapx/protocol.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import type { Artifacts } from './artifacts.ts'

/** The reactors of UniswapX at their published addresses of one chain. */
export const uniswapxContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const reactors = Object.entries(networkOf(chainId as ChainId)?.reactors ?? {})
  return Promise.all(reactors.map(([kind, address]) => accountOf(address, `${KINDS[kind as Routing].witness}Reactor`)))
}
