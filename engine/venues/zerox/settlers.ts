import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { addressesOn } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { ALLOWANCE_HOLDER, FEATURES, REGISTRY, settlerOf } from './protocol.ts'
import { SETTINGS } from './published.ts'

/** Every redeployment uses the next one. In two years there were 18 on Ethereum. */
const NONCES = Array.from({ length: 128 }, (_, at) => BigInt(at) + 1n)

export type Settlers = {
  readonly registries: (chainId: ChainId) => readonly Address[]
  readonly allowanceHolders: (chainId: ChainId) => readonly Address[]
  /** Whether a registry deployed this Settler for the feature. Settlers of the setting count for any feature. */
  isSettler(feature: keyof typeof FEATURES, chainId: ChainId, address: string): boolean
}

export const createSettlers = (config: Pick<VenueConfig, 'settings'>): Settlers => {
  const set = addressesOn(config, SETTINGS.settlers)
  const registries = addressesOn(config, SETTINGS.registries, REGISTRY)
  const derived = new Map<string, ReadonlySet<string>>()
  return {
    registries,
    allowanceHolders: addressesOn(config, SETTINGS.allowanceHolders, ALLOWANCE_HOLDER),
    isSettler: (feature, chainId, address) => {
      const key = `${feature} ${chainId}`
      const derive = (one: Address) => NONCES.map((nonce) => settlerOf(one, FEATURES[feature], chainId, nonce))
      const settlers = derived.get(key) ?? new Set(registries(chainId).flatMap(derive))
      derived.set(key, settlers)
      return settlers.has(address.toLowerCase()) || set(chainId).some((one) => isSameAddress(one, address))
    },
  }
}
