import type { ChainId } from '../core/chain.ts'
import { defaultRpcUrls } from './defaultRpcUrls.ts'
import type { Endpoints } from './endpoints.ts'

/** The endpoints of each chain: those configured, or the public ones where none are. */
export const chainEndpoints =
  (rpcUrls: { readonly [chainId in ChainId]?: readonly string[] }, deadlineMs: number) =>
  (chainId: ChainId): Endpoints => ({
    chainId,
    deadlineMs,
    urls: async () => {
      const given = rpcUrls[chainId] ?? []
      return given.length > 0 ? given : defaultRpcUrls(chainId)
    },
  })
