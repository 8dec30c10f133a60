import { createPublicKey, verify } from 'node:crypto'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase58 } from './base58.ts'
import { quoteDigest, type SignedWords } from './protocol.ts'

/** True when `signature` (`ed25519:<base58>`) over these words was made with the key. */
export const isSignedBy = (publicKey: Uint8Array, words: SignedWords, signature: string): boolean => {
  const bytes = fromBase58(signature.replace(/^ed25519:/, ''))
  if (bytes?.length !== 64) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, utf8ToBytes(quoteDigest(words)), key, bytes)
}
