import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../chains/evm/evmCodec.ts'
import { wordOf } from './abiWords.ts'

type Word = string | bigint

const hashOf = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))

/** keccak256 of bytes in hex, with 0x both. */
export const keccakBytes = (data: string): string => `0x${hashOf(data.slice(2))}`

/** https://eips.ethereum.org/EIPS/eip-712 : the words of one struct, its type in front. */
const hashOfWords = (type: string, words: readonly Word[]): string => hashOf([keccakText(type), ...words].map(wordOf).join(''))

export type Domain = { readonly name: string; readonly version: string; readonly chainId: number; readonly contract: string }

const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

export const digestOf = ({ name, version, chainId, contract }: Domain, type: string, words: readonly Word[]): Uint8Array => {
  const domain = hashOfWords(DOMAIN_TYPE, [keccakText(name), keccakText(version), BigInt(chainId), contract])
  return hexToBytes(hashOf(`1901${domain}${hashOfWords(type, words)}`))
}

/** 65 bytes, as contracts recover them. */
export const signDigest = (digest: Uint8Array, key: string): string => {
  const signed = secp256k1.sign(digest, hexToBytes(key), { prehash: false, format: 'recovered' })
  return `0x${bytesToHex(signed.subarray(1))}${(27 + (signed[0] ?? 0)).toString(16)}`
}

/** In lower case; null when it is no signature. */
export const signerOf = (digest: Uint8Array, signature: string): string | null => {
  const bytes = hexToBytes(signature.slice(2))
  const recovery = (bytes[64] ?? 0) - 27
  if (bytes.length !== 65 || (recovery !== 0 && recovery !== 1)) return null
  try {
    const recovered = concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64))
    const publicKey = secp256k1.Point.fromBytes(secp256k1.recoverPublicKey(recovered, digest, { prehash: false }))
    return `0x${bytesToHex(keccak_256(publicKey.toBytes(false).subarray(1)).subarray(12))}`
  } catch {
    return null
  }
}
