import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import {
  DEPOSIT_WORDS_IF_SET,
  PRICE_WORDS,
  type QuoteResponse,
  REQUEST_WORDS,
  REQUEST_WORDS_IF_SET,
  type SignedWords,
} from './wire.ts'

const keysOf = <T extends object>(group: T): readonly Extract<keyof T, string>[] => {
  const keys: Extract<keyof T, string>[] = []
  for (const key in group) keys.push(key)
  return keys
}

/** Picks the signed words out of a quote answer. */
export const signedWords = ({ quoteRequest, quote, timestamp }: QuoteResponse): SignedWords => {
  const words = new Map<string, string | number | boolean>()
  for (const word of keysOf(REQUEST_WORDS)) words.set(word, quoteRequest[word])
  for (const word of keysOf(REQUEST_WORDS_IF_SET)) {
    const value = quoteRequest[word]
    if (value) words.set(word, value)
  }
  for (const word of keysOf(PRICE_WORDS)) words.set(word, quote[word])
  for (const word of quoteRequest.dry ? [] : keysOf(DEPOSIT_WORDS_IF_SET)) {
    const value = quote[word]
    // An unset word of the quote also takes the request's word of the same name out of the message.
    if (value) words.set(word, value)
    else words.delete(word)
  }
  words.set('timestamp', timestamp)
  return Object.fromEntries(words)
}

/** The text under the signature: base58 of the SHA-256 of the words as JSON with sorted keys. */
export const quoteDigest = (words: SignedWords): string => {
  const sorted = Object.fromEntries(
    Object.keys(words)
      .sort()
      .map((word) => [word, words[word]]),
  )
  return base58.encode(sha256(utf8ToBytes(JSON.stringify(sorted))))
}

const toSignatureBytes = (signature: string): Uint8Array | null => {
  try {
    const bytes = base58.decode(signature.replace(/^ed25519:/, ''))
    return bytes.length === 64 ? bytes : null
  } catch {
    return null
  }
}

/** True when `signature` (`ed25519:<base58>`) over these words was made with the key. */
export const isSignedBy = (publicKey: Uint8Array, words: SignedWords, signature: string): boolean => {
  const bytes = toSignatureBytes(signature)
  if (!bytes) return false
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  })
  return verify(null, utf8ToBytes(quoteDigest(words)), key, bytes)
}
