import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { type Address, addressOf } from '../../core/address.ts'

const isOnCurve = (bytes: Uint8Array): boolean => {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The address a Solana program owns for these seeds: the first bump from 255 down that gives no point of the curve.
 * https://solana.com/docs/core/pda
 */
export const solanaProgramAddress = (program: Address, seeds: readonly Uint8Array[]): Address => {
  const suffix = concatBytes(base58.decode(program), utf8ToBytes('ProgramDerivedAddress'))
  for (let bump = 255; bump >= 0; bump--) {
    const candidate = sha256(concatBytes(...seeds, Uint8Array.of(bump), suffix))
    if (!isOnCurve(candidate)) return addressOf('solana', base58.encode(candidate))
  }
  throw new RangeError('no bump gives a program address for these seeds')
}
