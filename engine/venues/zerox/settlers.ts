import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { ChainId } from '../../core/chain.ts'
import { isSameAddress } from '../kit/addresses.ts'
import type { AddressesByChain } from '../kit/settings.ts'
import { REGISTRY, shimCodeHashOf } from './published.ts'

/** The features of the registry: what takers call by AllowanceHolder, and what takes signed trades. */
export const FEATURES = { taker: 2n, metaTransaction: 3n } as const

/** Every redeployment takes the next one. In two years it came to 18 on Ethereum. */
const NONCE_MAX = 128n

const hash = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** CREATE3: the registry makes a proxy by CREATE2, and that makes the Settler by its first CREATE. `src/deployer` of 0x-settler. */
const settlerOf = (feature: bigint, chainId: ChainId, nonce: bigint): string => {
  const salt = word((feature << 128n) | (BigInt(chainId) << 64n) | nonce)
  const shim = hash(`ff${bare(REGISTRY)}${salt}${bare(shimCodeHashOf(chainId))}`).slice(24)
  return `0x${hash(`d694${shim}01`).slice(24)}`
}

const derive = (feature: bigint, chainId: ChainId): ReadonlySet<string> =>
  new Set(Array.from({ length: Number(NONCE_MAX) }, (_, at) => settlerOf(feature, chainId, BigInt(at) + 1n)))

/** Tells the Settlers of 0x, which only its registry can have made, from all other addresses. */
export type Settlers = { isSettler(feature: keyof typeof FEATURES, chainId: ChainId, address: string): boolean }

/** `set`: Settlers of a setting, of any feature. */
export const createSettlers = (set: AddressesByChain = {}): Settlers => {
  const derived = new Map<string, ReadonlySet<string>>()
  return {
    isSettler: (feature, chainId, address) => {
      const key = `${feature} ${chainId}`
      const settlers = derived.get(key) ?? derive(FEATURES[feature], chainId)
      derived.set(key, settlers)
      return settlers.has(address.toLowerCase()) || (set[chainId] ?? []).some((one) => isSameAddress(one, address))
    },
  }
}
