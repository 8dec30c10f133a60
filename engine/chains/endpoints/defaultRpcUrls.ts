import { BITCOIN, type ChainId, type EvmChainId, SOLANA } from '../../core/chain.ts'

/** viem's name of each chain: chain ids are not unique among its definitions. */
const VIEM_NAMES = {
  1: 'mainnet',
  10: 'optimism',
  56: 'bsc',
  130: 'unichain',
  137: 'polygon',
  143: 'monad',
  324: 'zksync',
  480: 'worldchain',
  999: 'hyperEvm',
  4663: 'robinhood',
  8453: 'base',
  42161: 'arbitrum',
  43114: 'avalanche',
  59144: 'linea',
} as const satisfies Record<EvmChainId, keyof typeof import('viem/chains')>

/** Public endpoints of a chain, for operators who named none: JSON-RPC, or Esplora for Bitcoin. */
export const defaultRpcUrls = async (chainId: ChainId): Promise<readonly string[]> => {
  if (chainId === SOLANA) return ['https://api.mainnet-beta.solana.com']
  if (chainId === BITCOIN) return ['https://mempool.space/api', 'https://blockstream.info/api']
  const chains = await import('viem/chains')
  return chains[VIEM_NAMES[chainId]].rpcUrls.default.http
}
