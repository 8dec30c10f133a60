import type { Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { chainOf, type EvmChainId } from '../../core/chain.ts'
import type { PinSource } from '../venue.ts'
import type { KyberClient } from './client.ts'
import { ROUTER, SERVED } from './published.ts'

/** `WETH()` of MetaAggregationRouterV2.sol. */
const WETH_SELECTOR = '0xad5c4648'

/** One ether to USDC: its route names the router. */
const ANY_ROUTE = { tokenIn: NATIVE, tokenOut: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', amountIn: '1000000000000000000' }

/** No list publishes the routers; its executors are published nowhere. An answer names the router, and the router its wrapped coin. */
export const pinsOf = (
  { routes }: KyberClient,
  { call }: Pick<Chains, 'call'>,
  routers: readonly Address[],
): readonly PinSource[] => {
  const wrappedCoin = (chainId: EvmChainId): PinSource => ({
    name: `WETH() of ${ROUTER} on chain ${chainId}`,
    claims: async (signal) => {
      const word = (await call({ chainId, address: ROUTER }, WETH_SELECTOR, signal)) ?? '0x'
      const published = word.length === 66 ? [`0x${word.slice(26)}`] : []
      return [
        { what: `wrapped coin of the router on chain ${chainId}`, pinned: [String(chainOf(chainId).wrappedNative)], published },
      ]
    },
  })
  const claims: PinSource['claims'] = async (signal) => {
    const { routerAddress } = (await routes('ethereum', ANY_ROUTE, signal)).found
    return [{ what: 'router', pinned: routers, published: [routerAddress] }]
  }
  return [{ name: 'GET /ethereum/api/v1/routes', claims }, ...SERVED.map(wrappedCoin)]
}
