import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { hexOf } from '../../chains/solana/borsh.ts'
import type { Hex } from '../../core/execution.ts'

/** Of State Chain accounts: 2112, as SS58 writes prefixes of two bytes. https://docs.substrate.io/reference/address-formats */
const PREFIX = Uint8Array.of(0x50, 0x08)
const ID_BYTES = 32
const CHECKSUM_BYTES = 2

const bytesOf = (text: string): Uint8Array | null => {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

/** The id of an account of the State Chain; null for an invalid text. */
export const accountIdOf = (text: string): Hex | null => {
  const bytes = bytesOf(text)
  if (bytes?.length !== PREFIX.length + ID_BYTES + CHECKSUM_BYTES) return null
  const [body, checksum] = [bytes.slice(0, -CHECKSUM_BYTES), bytes.slice(-CHECKSUM_BYTES)]
  const hash = blake2b(concatBytes(utf8ToBytes('SS58PRE'), body), { dkLen: 64 })
  const isRight = checksum.every((byte, at) => byte === hash[at]) && PREFIX.every((byte, at) => byte === body[at])
  return isRight ? hexOf(body.slice(PREFIX.length)) : null
}
