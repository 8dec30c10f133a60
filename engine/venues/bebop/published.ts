import { type Address, addressOf } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, chainOf } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'

export const PUBLIC_BASE_URL = 'https://api.bebop.xyz'

/** The API's name of each chain: https://api.bebop.xyz/pmm/chains */
const PATHS: { readonly [chainId in ChainId]?: string } = {
  ...{ 1: 'ethereum', 10: 'optimism', 56: 'bsc', 137: 'polygon', 999: 'hyperevm' },
  ...{ 8453: 'base', 42161: 'arbitrum', 43114: 'avalanche' },
}

/** Null for a chain without Bebop. */
export const pathOf = (chainId: ChainId): string | null => PATHS[chainId] ?? null

export const BEBOP_CHAIN_IDS: readonly ChainId[] = CHAIN_IDS.filter((chainId) => pathOf(chainId) !== null)

/** One-to-one swaps that a wallet sends itself: contracts/BebopRouter.sol of bebop-dex/bebop-rfqa */
export const ROUTER = addressOf('evm', '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A')
/** Makers' orders that a wallet sends itself. https://docs.bebop.xyz */
export const SETTLEMENT = addressOf('evm', '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F')
/** Orders that are signed, and the contract allowed to take their input: src/ of bebop-dex/bebop-jam-contracts */
export const JAM_SETTLEMENT = addressOf('evm', '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6')
export const BALANCE_MANAGER = addressOf('evm', '0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a')

/** The pinned contracts, the same on every chain, and the operator's on each chain. */
export type Pinned = {
  readonly routers: readonly Address[]
  readonly settlements: readonly Address[]
  /** A settlement of JAM is deployed with its balance manager. */
  readonly jam: readonly (readonly [settlement: Address, manager: Address])[]
}

/** The contracts that a payload may call, allow or sign for. */
export type PinnedOn = (chainId: ChainId) => Pinned
export const contractsOf = ({ routers, settlements, jam }: Pinned) => [...jam.flat(), ...routers, ...settlements]

/** The signer of the router's orders in 2026: config/deploy.ts of bebop-dex/bebop-rfqa; recovered from recorded quotes. */
const ROUTER_SIGNER = addressOf('evm', '0x00677F201E2f4A30D1D5b4e0ebbF672CaF336727')
const ROUTER_SIGNED_ON: readonly ChainId[] = [1, 137]

/** Null where no signer is pinned. `set`: the signer on every chain, by a setting. */
export const pinnedSigner = (chainId: ChainId, set: Address | null): Address | null =>
  set ?? (ROUTER_SIGNED_ON.includes(chainId) ? ROUTER_SIGNER : null)

/** The token that wraps the native coin of a chain; null where it is unknown. */
export const wrappedOf = (chainId: ChainId): Address | null => {
  const { wrappedNative } = chainOf(chainId)
  return wrappedNative === null ? null : addressOf('evm', wrappedNative)
}

/** Swaps of two assets of one chain, except wrapping and unwrapping. */
export const serves = ({ input, output }: Route): boolean => {
  const { chainId } = input
  if (pathOf(chainId) === null || output.chainId !== chainId || isSameAsset(input, output)) return false
  const [from, to] = [input, output].map((asset) => (isNative(asset) ? wrappedOf(chainId) : asset.address))
  return from !== to
}
