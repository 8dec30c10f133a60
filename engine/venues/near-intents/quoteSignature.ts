import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { fromBase58 } from './base58.ts'
import {
  DEPOSIT_WORDS_IF_SET,
  PRICE_WORDS,
  type QuoteResponse,
  REQUEST_WORDS,
  REQUEST_WORDS_IF_SET,
  type SignedWords,
} from './wire.ts'

const keysOf = <T extends object>(group: T) => Object.keys(group) as Extract<keyof T, string>[]

/** Selects the signed words of a quote answer. */
export const signedWords = ({ quoteRequest, quote, timestamp }: QuoteResponse): SignedWords => {
  const words = new Map<string, SignedWords[string]>()
  for (const word of keysOf(REQUEST_WORDS)) words.set(word, quoteRequest[word])
  for (const word of keysOf(REQUEST_WORDS_IF_SET)) {
    const value = quoteRequest[word]
    if (value) words.set(word, value)
  }
  for (const word of keysOf(PRICE_WORDS)) words.set(word, quote[word])
  for (const word of quoteRequest.dry ? [] : keysOf(DEPOSIT_WORDS_IF_SET)) {
    const value = quote[word]
    // An unset field of the quote also removes the request's field of the same name from the message.
    if (value) words.set(word, value)
    else words.delete(word)
  }
  words.set('timestamp', timestamp)
  return Object.fromEntries(words)
}

/** The text under the signature: base58 of the SHA-256 of the words as JSON with sorted keys. */
export const quoteDigest = (words: SignedWords): string => {
  const names = Object.keys(words).sort()
  const sorted = Object.fromEntries(names.map((word) => [word, words[word]]))
  return base58.encode(sha256(utf8ToBytes(JSON.stringify(sorted))))
}

/** True when `signature` (`ed25519:<base58>`) over these words was made with the key. */
export const isSignedBy = (publicKey: Uint8Array, words: SignedWords, signature: string): boolean => {
  const bytes = fromBase58(signature.replace(/^ed25519:/, ''))
  if (bytes?.length !== 64) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, utf8ToBytes(quoteDigest(words)), key, bytes)
}
