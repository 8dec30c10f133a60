import type { Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { contractPins } from '../kit/chainReads.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import type { PinSource } from '../venue.ts'
import type { KyberClient } from './client.ts'
import { ROUTER } from './protocol.ts'
import { SERVED } from './published.ts'

/** `WETH()` of MetaAggregationRouterV2.sol. */
const WETH_SELECTOR = '0xad5c4648'

/** One ether to USDC: its route has the router's address. */
const ANY_ROUTE = { tokenIn: NATIVE, tokenOut: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', amountIn: '1000000000000000000' }

/** No list publishes routers or executors. An answer has the router's address, and the router its wrapped coin. */
export const pinsOf = (
  { routes }: KyberClient,
  chains: Pick<Chains, 'call'>,
  routers: readonly Address[],
): readonly PinSource[] => {
  const contracts = SERVED.map((chainId) => ({ chainId, address: ROUTER, pinned: wrappedNative(chainId) }))
  const claims: PinSource['claims'] = async (signal) => {
    const { routerAddress } = (await routes('ethereum', ANY_ROUTE, signal)).found
    return [{ what: 'router', pinned: routers, published: [routerAddress] }]
  }
  const wrappedCoins = contractPins(chains, 'wrapped coin of the router', { data: WETH_SELECTOR, contracts })
  return [{ name: 'GET /ethereum/api/v1/routes', claims }, ...wrappedCoins]
}
