import type { GenesisAccount } from '../evm/anvilNode.ts'
import { ALLOWANCE_HOLDER, metaTxnSettler, POOL, REGISTRY, SWAP_CHAIN_IDS, takerSettler } from '../venues/zerox/networks.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** AllowanceHolder at its published address of one chain, Settlers where the registry of 0x makes them, and a pool of our own. */
export const zeroxContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  if (!SWAP_CHAIN_IDS.includes(chainId)) return []
  return Promise.all([
    accountOf(ALLOWANCE_HOLDER, 'SimAllowanceHolder'),
    accountOf(takerSettler(chainId), 'SimSettler'),
    accountOf(metaTxnSettler(chainId), 'SimSettlerMetaTxn'),
    accountOf(POOL, 'SimSwapRouter'),
    accountOf(REGISTRY, 'SimSettlerRegistry', {}, { ...slot(2n, takerSettler(chainId)), ...slot(3n, metaTxnSettler(chainId)) }),
  ])
}
