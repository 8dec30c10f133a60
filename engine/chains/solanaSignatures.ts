import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { readSolanaWire } from './solanaCodec.ts'

/** What the signatures of a transaction say. */
export type SolanaSignatures = {
  /** The fee payer's signature in base58, by which the chain knows the transaction. */
  readonly txHash: string
  /** Every signature the message asks for is there and verifies over it. */
  readonly isFullySigned: boolean
}

/** Reads and verifies the signatures of a base64 transaction; null when it is none. */
export const readSolanaSignatures = async (base64: string): Promise<SolanaSignatures | null> => {
  const transaction = await readSolanaWire(base64)
  const [first] = transaction?.signatures ?? []
  if (!transaction || !first) return null
  const { header, staticAccountKeys } = transaction.message
  const message = transaction.message.serialize()
  const signers = staticAccountKeys.slice(0, header.numRequiredSignatures)
  const isSigned = signers.map((key, index) => {
    const signature = transaction.signatures[index]
    // As validators verify: https://docs.rs/ed25519-dalek/latest/ed25519_dalek/struct.VerifyingKey.html#method.verify_strict
    return signature !== undefined && ed25519.verify(signature, message, key.toBytes(), { zip215: false })
  })
  return { txHash: base58.encode(first), isFullySigned: isSigned.length > 0 && isSigned.every(Boolean) }
}
