import type { ChainId } from '../../core/chain.ts'
import { wireChainOf } from '../../venues/chainflip/protocol.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import type { Artifacts } from './artifacts.ts'

/** Chainflip's vault at its published address of one chain. */
export const chainflipContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const vault = wireChainOf(chainId as ChainId)?.vault ?? null
  return vault === null ? [] : [await accountOf(vault, 'SimChainflipVault')]
}
