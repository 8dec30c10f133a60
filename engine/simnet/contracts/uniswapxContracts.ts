import type { GenesisAccount } from '../evm/anvilNode.ts'
import { reactorsOn } from '../venues/uniswapx/orderData.ts'
import type { Artifacts } from './artifacts.ts'

/** The reactors of UniswapX at their published addresses of one chain. */
export const uniswapxContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> =>
  Promise.all(reactorsOn(chainId).map(([order, address]) => accountOf(address, `${order}Reactor`)))
