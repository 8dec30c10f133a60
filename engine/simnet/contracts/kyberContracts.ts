import { type ChainId, chainOf } from '../../core/chain.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { kyberswapOn } from '../venues/kyberswap/kyberswap.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** KyberSwap's router, with the wrapped coin of the chain, and one of its executors at their addresses of one chain. */
export const kyberContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const contracts = kyberswapOn(chainId as ChainId)
  if (contracts === null) return []
  const storage = slot(0n, String(chainOf(chainId as ChainId).wrappedNative))
  return Promise.all([
    accountOf(contracts.router, 'SimKyberRouter', {}, storage),
    accountOf(contracts.executor, 'SimKyberExecutor'),
  ])
}
