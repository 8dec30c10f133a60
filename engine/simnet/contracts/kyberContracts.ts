import { type ChainId, chainOf } from '../../core/chain.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'
import { EXECUTOR, isServed, ROUTER } from '../venues/kyberswap/networks.ts'
import type { Artifacts } from './artifacts.ts'

/** KyberSwap's router, with the wrapped coin of the chain, and one of its executors at their addresses of one chain. */
export const kyberContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  if (!isServed(chainId)) return []
  const storage = { [`0x${wordOf(0n)}`]: `0x${wordOf(String(chainOf(chainId as ChainId).wrappedNative))}` }
  return Promise.all([accountOf(ROUTER, 'SimKyberRouter', {}, storage), accountOf(EXECUTOR, 'SimKyberExecutor')])
}
