import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { wordOf } from '../../kit/abiWords.ts'
import type { SimToken } from '../../kit/tokens.ts'

/** Addresses in lower case, as the API writes them. */
export const ALLOWANCE_HOLDER = '0x0000000000001ff3684f28c67538d4d072c22734'
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
export const NATIVE_MARKER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** What 0x is paid to: of the answers recorded in 2024 and 2026. */
export const ZEROX_FEES = '0xad01c20d5886137e056775af56915de824c8fce5'
/** Brings signed trades to the chains. Exists here only. */
export const RELAYER = '0x7e2f5a1c9b3d4e6f8091a2b3c4d5e6f708192a3b'
/** Sells what it is asked for, to whoever brings the other token. Exists here only. */
export const POOL = '0x51a9c0de0f0ff1ce51a9c0de0f0ff1ce51a9c0de'

const NAMES: { readonly [chainId: number]: string } = {
  ...{ 1: 'Ethereum', 10: 'Optimism', 56: 'BSC', 130: 'Unichain', 137: 'Polygon', 143: 'Monad', 480: 'World Chain' },
  ...{ 999: 'HyperEVM', 4663: 'Robinhood Chain', 8453: 'Base', 42161: 'Arbitrum', 43114: 'Avalanche', 59144: 'Linea' },
}
const LINEA = 59144

export const SWAP_CHAIN_IDS: readonly number[] = Object.keys(NAMES).map(Number)
export const GASLESS_CHAIN_IDS: readonly number[] = SWAP_CHAIN_IDS.filter((chainId) => chainId !== LINEA)

/** GET /swap/chains and /gasless/chains. */
export const chainsBody = (chainIds: readonly number[]) => chainIds.map((chainId) => ({ chainId, chainName: NAMES[chainId] }))

export const REGISTRY = '0x00000000000004533fe15556b1e086bb1a72ceae'
const SHIM = '3bf3f97f0be1e2c00023033eefeb4fc062ac552ff36778b17060d90b6764902f'
const LINEA_SHIM = '1774bbdc4a308eaf5967722c7a4708ea7a3097859cb8768a10611448c29981c3'
const TAKER = 2n
const META_TRANSACTION = 3n
/** How often it was deployed anew by the end of 2025, on Ethereum. */
const NONCE = 18n

const lastTwenty = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex))).slice(24)

const settlerOf = (feature: bigint, chainId: number): string => {
  const salt = wordOf((feature << 128n) | (BigInt(chainId) << 64n) | NONCE)
  const shim = chainId === LINEA ? LINEA_SHIM : SHIM
  return `0x${lastTwenty(`d694${lastTwenty(`ff${REGISTRY.slice(2)}${salt}${shim}`)}01`)}`
}
export const takerSettler = (chainId: number): string => settlerOf(TAKER, chainId)
export const metaTxnSettler = (chainId: number): string => settlerOf(META_TRANSACTION, chainId)

/** As the API spells a token. */
export const spelled = ({ address, isNative }: SimToken): string => (isNative ? NATIVE_MARKER : address.toLowerCase())
