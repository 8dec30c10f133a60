import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { readSolanaWire } from './solanaCodec.ts'

/** The signatures of a transaction, verified. */
export type SolanaSignatures = {
  /** The fee payer's signature in base58, which identifies the transaction on the chain. */
  readonly txHash: string
  /** Every signature the message asks for is there and verifies over it. */
  readonly isFullySigned: boolean
}

const { Point } = ed25519

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes.toReversed())}`)

/**
 * As validators verify: https://docs.rs/ed25519-dalek/latest/ed25519_dalek/struct.VerifyingKey.html#method.verify_strict.
 * The library multiplies by the cofactor, and so takes a signature beside whose point there is one of small order.
 */
const isSignature = (signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean => {
  if (!ed25519.verify(signature, message, key, { zip215: false })) return false
  const r = signature.subarray(0, 32)
  const challenge = littleEndian(sha512(concatBytes(r, key, message))) % Point.Fn.ORDER
  const expected = Point.BASE.multiplyUnsafe(littleEndian(signature.subarray(32))).subtract(
    Point.fromBytes(key).multiplyUnsafe(challenge),
  )
  return bytesToHex(expected.toBytes()) === bytesToHex(r)
}

/** Reads and verifies the signatures of a base64 transaction; null when it is invalid. */
export const readSolanaSignatures = async (base64: string): Promise<SolanaSignatures | null> => {
  const transaction = await readSolanaWire(base64)
  const [first] = transaction?.signatures ?? []
  if (!transaction || !first) return null
  const { header, staticAccountKeys } = transaction.message
  const message = transaction.message.serialize()
  const signers = staticAccountKeys.slice(0, header.numRequiredSignatures)
  const isSigned = signers.map((key, index) => {
    const signature = transaction.signatures[index]
    return signature !== undefined && isSignature(signature, message, key.toBytes())
  })
  return { txHash: base58.encode(first), isFullySigned: isSigned.length > 0 && isSigned.every(Boolean) }
}
