import type { RpcUrls } from '../chains/endpoints/chainEndpoints.ts'
import { CHAIN_IDS, type ChainId } from '../core/chain.ts'
import type { Reader } from './reader.ts'

/** The variable of one chain's endpoints. */
export const rpcUrlsKey = (chainId: ChainId): string =>
  `RPC_URLS_${chainId === -1 ? 'BITCOIN' : chainId === -2 ? 'SOLANA' : chainId}`

export const readRpcUrls = (reader: Reader): RpcUrls =>
  Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, reader.urls(rpcUrlsKey(chainId))]))
