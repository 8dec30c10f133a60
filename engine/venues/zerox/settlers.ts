import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { addressesOn } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { ALLOWANCE_HOLDER, REGISTRY, SETTINGS, shimCodeHashOf } from './published.ts'

/** The features of the registry: Settlers that takers call by AllowanceHolder, and those for signed trades. */
export const FEATURES = { taker: 2n, metaTransaction: 3n } as const

/** Every redeployment uses the next one. In two years there were 18 on Ethereum. */
const NONCE_MAX = 128n

const hash = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** CREATE3: the registry deploys a proxy by CREATE2, whose first CREATE deploys the Settler. `src/deployer` of 0x-settler. */
const settlerOf = (registry: Address, feature: bigint, chainId: ChainId, nonce: bigint): string => {
  const salt = word((feature << 128n) | (BigInt(chainId) << 64n) | nonce)
  const shim = hash(`ff${bare(registry)}${salt}${bare(shimCodeHashOf(chainId))}`).slice(24)
  return `0x${hash(`d694${shim}01`).slice(24)}`
}

const derive = (registry: Address, feature: bigint, chainId: ChainId): readonly string[] =>
  Array.from({ length: Number(NONCE_MAX) }, (_, at) => settlerOf(registry, feature, chainId, BigInt(at) + 1n))

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
      const settlers = derived.get(key) ?? new Set(registries(chainId).flatMap((one) => derive(one, FEATURES[feature], chainId)))
      derived.set(key, settlers)
      return settlers.has(address.toLowerCase()) || set(chainId).some((one) => isSameAddress(one, address))
    },
  }
}
