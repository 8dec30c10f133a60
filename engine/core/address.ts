import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import type { Ecosystem } from './chain.ts'
import { keccakOfText } from './keccak.ts'

declare const addressBrand: unique symbol

/** An address that was checked for its ecosystem, in its canonical spelling, so `===` compares it. */
export type Address = string & { readonly [addressBrand]: 'Address' }

const base58check = createBase58check(sha256)
const EVM = /^0x[0-9a-fA-F]{40}$/
const P2PKH = 0x00
const P2SH = 0x05

const SMALL_A = 'a'.charCodeAt(0)
const CASE_BIT = 0x20

/** EIP-55 spelling of 40 lower-case hex digits: a letter is capital where the hash digit at its place is 8 or more. */
const checksummed = (lowerHex: string): string => {
  const hash = keccakOfText(lowerHex)
  const spelled: number[] = []
  for (let i = 0; i < lowerHex.length; i += 1) {
    const code = lowerHex.charCodeAt(i)
    const highBit = (i & 1) === 0 ? 0x80 : 0x08
    const isCapital = code >= SMALL_A && ((hash[i >> 1] ?? 0) & highBit) !== 0
    spelled.push(isCapital ? code - CASE_BIT : code)
  }
  return String.fromCharCode(...spelled)
}

/**
 * An EVM address in EIP-55 spelling, or null. All-lower and all-upper hex need no checksum. Mixed case needs the right checksum,
 * because a wrong one is the only sign of a mistyped address.
 */
export const parseEvmAddress = (raw: string): Address | null => {
  if (!EVM.test(raw)) return null
  const digits = raw.slice(2)
  const lower = digits.toLowerCase()
  const canonical = checksummed(lower)
  const isMixed = digits !== lower && digits !== digits.toUpperCase()
  return isMixed && digits !== canonical ? null : (`0x${canonical}` as Address)
}

/** A `test` like that of a regular expression, true for text that `parseEvmAddress` accepts. */
export const evmAddressText: Pick<RegExp, 'test'> = { test: (text) => parseEvmAddress(text) !== null }

/** A Solana public key (base58 of exactly 32 bytes), on or off the curve: program-owned wallets are off it. */
export const parseSolanaAddress = (raw: string): Address | null => {
  if (raw.length < 32 || raw.length > 44) return null
  try {
    return base58.decode(raw).length === 32 ? (raw as Address) : null
  } catch {
    return null
  }
}

const isSegwit = (raw: string): boolean => {
  try {
    const { prefix, words } = bech32.decode(raw as `${string}1${string}`, 90)
    const program = bech32.fromWords(words.slice(1))
    return prefix === 'bc' && words[0] === 0 && (program.length === 20 || program.length === 32)
  } catch {
    return false
  }
}

const isTaproot = (raw: string): boolean => {
  try {
    const { prefix, words } = bech32m.decode(raw as `${string}1${string}`, 90)
    return prefix === 'bc' && words[0] === 1 && bech32m.fromWords(words.slice(1)).length === 32
  } catch {
    return false
  }
}

/** A mainnet Bitcoin address: P2PKH, P2SH, P2WPKH, P2WSH or P2TR, its checksum verified. */
export const parseBitcoinAddress = (raw: string): Address | null => {
  if (raw.length > 90) return null
  if (/^bc1/i.test(raw)) return isSegwit(raw) || isTaproot(raw) ? (raw.toLowerCase() as Address) : null
  try {
    const payload = base58check.decode(raw)
    return payload.length === 21 && (payload[0] === P2PKH || payload[0] === P2SH) ? (raw as Address) : null
  } catch {
    return null
  }
}

/** Reads an address of one ecosystem into its canonical spelling; null when invalid. */
export const parseAddress = (ecosystem: Ecosystem, raw: string): Address | null => {
  switch (ecosystem) {
    case 'evm':
      return parseEvmAddress(raw)
    case 'solana':
      return parseSolanaAddress(raw)
    case 'bitcoin':
      return parseBitcoinAddress(raw)
  }
}

/** Like `parseAddress`, for addresses in our own source: a bad one is a programming error. */
export const addressOf = (ecosystem: Ecosystem, raw: string): Address => {
  const address = parseAddress(ecosystem, raw)
  if (!address) throw new TypeError(`not a ${ecosystem} address: ${raw}`)
  return address
}

export const ZERO_EVM_ADDRESS = '0x0000000000000000000000000000000000000000' as Address

const PLACEHOLDER_SEED = utf8ToBytes('swap preview placeholder: nobody holds the key of this address')

/**
 * A well-formed address that no user can spend from. It prices previews without a recipient or refund address. Never a burn
 * address: venues screen those.
 */
export const placeholderAddress = (ecosystem: Ecosystem): Address => {
  const digest = sha256(PLACEHOLDER_SEED)
  switch (ecosystem) {
    case 'evm':
      return addressOf('evm', `0x${bytesToHex(digest.slice(0, 20))}`)
    case 'solana':
      return base58.encode(digest) as Address
    case 'bitcoin':
      return base58check.encode(concatBytes(Uint8Array.of(P2PKH), digest.slice(0, 20))) as Address
  }
}
