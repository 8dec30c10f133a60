import type { GenesisAccount } from '../evm/anvilNode.ts'
import { POOL, zeroxOn } from '../venues/zerox/payloads.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** AllowanceHolder at its published address of one chain, Settlers where the registry of 0x makes them, and a pool of our own. */
export const zeroxContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const contracts = zeroxOn(chainId)
  if (contracts === null) return []
  const { holder, registry, taker, metaTxn } = contracts
  return Promise.all([
    accountOf(holder, 'SimAllowanceHolder'),
    accountOf(taker, 'SimSettler'),
    accountOf(metaTxn, 'SimSettlerMetaTxn'),
    accountOf(POOL, 'SimSwapRouter'),
    accountOf(registry, 'SimSettlerRegistry', {}, { ...slot(2n, taker), ...slot(3n, metaTxn) }),
  ])
}
