import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, NATIVE } from '../../core/asset.ts'
import { type ChainId, chainOf } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { NETWORKS, networkOf, type OfChains, ROUTINGS, type Routing } from './protocol.ts'

/** https://developers.uniswap.org/docs/api-reference */
export const PUBLIC_BASE_URL = 'https://trade-api.gateway.uniswap.org/v1'

export type Reactors = (chainId: ChainId, routing?: Routing) => readonly Address[]

/** The reactors of a chain, of one kind or of all. `set`: those of a setting, for any kind. */
export const reactorsWith =
  (set: (chainId: ChainId) => readonly Address[]): Reactors =>
  (chainId, routing) => {
    const network = networkOf(chainId)
    if (network === null) return []
    const published = (routing === undefined ? ROUTINGS : [routing]).flatMap((kind) => network.reactors[kind] ?? [])
    return [...new Set([...published, ...set(chainId)])]
  }

/** The contracts that a wallet signs for, and those that may then use its signature. */
export const contractsOf = (reactorsOn: Reactors): OfChains<readonly Address[]> =>
  Object.fromEntries(NETWORKS.map(({ chainId }) => [chainId, [PERMIT2, ...reactorsOn(chainId)]]))

export const ORDER_CHAIN_IDS = NETWORKS.map(({ chainId }) => chainId)

/** A token in orders and the API: the zero address represents coins. */
export const tokenOf = (asset: Asset): Address => (isNative(asset) ? ZERO_EVM_ADDRESS : asset.address)

export const assetOf = (chainId: ChainId, token: Address): Asset => ({
  chainId,
  address: token === ZERO_EVM_ADDRESS ? NATIVE : token,
})

/** Swaps of a token within one chain. Coins cannot be sold, and no order exchanges a coin with its wrapped form. */
export const serves = ({ input, output }: Route): boolean => {
  if (networkOf(input.chainId) === null || output.chainId !== input.chainId) return false
  const { wrappedNative } = chainOf(input.chainId)
  const isUnwrap = isNative(output) && input.address === wrappedNative
  return !isNative(input) && !isSameAsset(input, output) && !isUnwrap
}
