import type { ChainId } from '../../core/chain.ts'
import type { EndpointHealth } from './endpointHealth.ts'
import type { Endpoints } from './endpoints.ts'
import { publicEndpoints } from './publicEndpoints.ts'

/** Endpoints per chain, in order of preference: JSON-RPC, or Esplora for Bitcoin. None: the public ones. */
export type RpcUrls = { readonly [chainId in ChainId]?: readonly string[] }

/** The addresses of a chain's endpoints: those configured, or the public ones where none are. */
export const endpointUrls = (rpcUrls: RpcUrls, chainId: ChainId): readonly string[] => {
  const given = rpcUrls[chainId] ?? []
  return given.length > 0 ? given : publicEndpoints(chainId).map(({ url }) => url)
}

/** The endpoints of each chain: those configured, or the public ones where none are. */
export const chainEndpoints =
  (rpcUrls: RpcUrls, health: EndpointHealth, deadlineMs: number) =>
  (chainId: ChainId): Endpoints => ({
    chainId,
    deadlineMs,
    health: health(chainId),
    urls: async () => endpointUrls(rpcUrls, chainId),
  })
