import { type Address, addressOf } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import { PATHS } from './protocol.ts'

export const PUBLIC_BASE_URL = 'https://api.bebop.xyz'

/** Null for a chain without Bebop. */
export const pathOf = (chainId: ChainId): string | null => PATHS[chainId] ?? null

export const BEBOP_CHAIN_IDS: readonly ChainId[] = CHAIN_IDS.filter((chainId) => pathOf(chainId) !== null)

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

/** Swaps of two assets of one chain, except wrapping and unwrapping. */
export const serves = ({ input, output }: Route): boolean => {
  const { chainId } = input
  if (pathOf(chainId) === null || output.chainId !== chainId || isSameAsset(input, output)) return false
  const [from, to] = [input, output].map((asset) => (isNative(asset) ? wrappedNative(chainId) : asset.address))
  return from !== to
}
