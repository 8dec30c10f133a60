import type { ChainId } from '../../core/chain.ts'
import { defaultRpcUrls } from './defaultRpcUrls.ts'
import type { EndpointHealth } from './endpointHealth.ts'
import type { Endpoints } from './endpoints.ts'

/** Endpoints per chain, in order of preference: JSON-RPC, or Esplora for Bitcoin. None: the public ones. */
export type RpcUrls = { readonly [chainId in ChainId]?: readonly string[] }

/** The endpoints of each chain: those configured, or the public ones where none are. */
export const chainEndpoints =
  (rpcUrls: RpcUrls, health: EndpointHealth, deadlineMs: number) =>
  (chainId: ChainId): Endpoints => ({
    chainId,
    deadlineMs,
    health: health(chainId),
    urls: async () => {
      const given = rpcUrls[chainId] ?? []
      return given.length > 0 ? given : defaultRpcUrls(chainId)
    },
  })
