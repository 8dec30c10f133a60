import { PERMIT2 } from '../../chains/evm/permit2.ts'
import type { Address } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { addressesByChainSetting, addressesSetting } from '../kit/settings.ts'
import type { VenueProfile } from '../venue.ts'
import { GASLESS_CHAINS, SWAP_CHAINS } from './protocol.ts'

/** https://docs.0x.org/introduction/0x-cheat-sheet */
export const PUBLIC_BASE_URL = 'https://api.0x.org'

/** Whether a signature can sell the input. Coins need a transaction. */
export const isGasless = ({ input }: Route): boolean => GASLESS_CHAINS.includes(input.chainId) && !isNative(input)

/** The chain of a route; null for a chain without 0x. */
export const chainIn = ({ input: { chainId } }: Route): EvmChainId | null =>
  SWAP_CHAINS.includes(chainId) && isEvmChainId(chainId) ? chainId : null

/** Same-chain swaps of two tokens. Wrapping and unwrapping call the wrapped coin directly, without any bound of a swap. */
export const serves = (route: Route): boolean => {
  const { input, output } = route
  if (chainIn(route) === null || output.chainId !== input.chainId || isSameAsset(input, output)) return false
  const { wrappedNative } = chainOf(input.chainId)
  const others = [input, output].filter((asset) => !isNative(asset))
  return others.length === 2 || others.every(({ address }) => address !== wrappedNative)
}

/** The contracts that a payload may call, allow or sign for. */
export const contractsOf = (holdersOn: (chainId: ChainId) => readonly Address[]): VenueProfile['contracts'] =>
  Object.fromEntries(SWAP_CHAINS.map((id) => [id, [...holdersOn(id), ...(GASLESS_CHAINS.includes(id) ? [PERMIT2] : [])]]))

const isOn = (chainId: ChainId): boolean => SWAP_CHAINS.includes(chainId)

export const SETTINGS = {
  settlers: addressesByChainSetting('SETTLERS', 'Settlers beyond those that a registry derives', isOn),
  registries: addressesSetting('REGISTRIES', 'registries that derive Settlers besides the pinned one', isOn),
  allowanceHolders: addressesSetting('ALLOWANCE_HOLDERS', 'contracts to call and allow besides the pinned AllowanceHolder', isOn),
} as const
