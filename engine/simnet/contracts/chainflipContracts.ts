import type { GenesisAccount } from '../evm/anvilNode.ts'
import { vaultOn } from '../venues/chainflip/pricing.ts'
import type { Artifacts } from './artifacts.ts'

/** Chainflip's vault at its published address of one chain. */
export const chainflipContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const vault = vaultOn(chainId)
  return vault === null ? [] : [await accountOf(vault, 'SimChainflipVault')]
}
