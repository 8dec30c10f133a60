import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { addressesByChainSetting, addressesSetting } from '../kit/settings.ts'
import type { VenueProfile } from '../venue.ts'

/** https://docs.0x.org/introduction/0x-cheat-sheet */
export const PUBLIC_BASE_URL = 'https://api.0x.org'

/** The same on every chain below: https://docs.0x.org/introduction/0x-cheat-sheet#allowanceholder */
export const ALLOWANCE_HOLDER = addressOf('evm', '0x0000000000001fF3684f28c67538d4D072C22734')
/** Deploys every Settler and returns the current ones: https://github.com/0xProject/0x-settler */
export const REGISTRY = addressOf('evm', '0x00000000000004533Fe15556B1E086BB1A72cEae')
/** Hash of the code of the registry's proxies; on Linea, of code for the London hardfork: `sh/address.sh` of the same. */
export const shimCodeHashOf = (chainId: ChainId): string =>
  chainId === 59144
    ? '0x1774bbdc4a308eaf5967722c7a4708ea7a3097859cb8768a10611448c29981c3'
    : '0x3bf3f97f0be1e2c00023033eefeb4fc062ac552ff36778b17060d90b6764902f'

/** https://docs.0x.org/introduction/introduction-to-0x#supported-chains */
const GASLESS_CHAINS: readonly ChainId[] = [1, 10, 56, 130, 137, 143, 480, 999, 8453, 42161, 43114, 4663]
export const SWAP_CHAINS: readonly ChainId[] = [...GASLESS_CHAINS, 59144]

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
