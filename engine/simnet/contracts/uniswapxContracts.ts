import type { GenesisAccount } from '../evm/anvilNode.ts'
import { type Kind, ORDER_NETWORKS } from '../venues/uniswapx/networks.ts'
import { WITNESS } from '../venues/uniswapx/orderData.ts'
import type { Artifacts } from './artifacts.ts'

/** The reactors of UniswapX at their published addresses of one chain. */
export const uniswapxContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const reactors = ORDER_NETWORKS.find((network) => network.chainId === chainId)?.reactors ?? {}
  return Promise.all(Object.entries(reactors).map(([kind, address]) => accountOf(address, `${WITNESS[kind as Kind]}Reactor`)))
}
