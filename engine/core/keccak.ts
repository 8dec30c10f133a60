import { createRequire } from 'node:module'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { IHasher } from 'hash-wasm'

// Of the module's own, as compiled code is: it tells how quickly a hash is made, and never which.
let compiled: IHasher | null = null

/** The keccak-256 of a text. */
export const keccakOfText = (text: string): Uint8Array =>
  compiled === null ? keccak_256(utf8ToBytes(text)) : compiled.init().update(text).digest('binary')

/**
 * Has the hashes made by WebAssembly, an eighth of the work, once that is compiled; until then, and where it cannot be, they are
 * made by JavaScript. Never rejects, and nobody need wait for it.
 */
export const quickenKeccak = async (): Promise<void> => {
  try {
    // One hash of the package, which has all of them in its main file.
    const { createKeccak } = createRequire(import.meta.url)('hash-wasm/dist/keccak.umd.min.js') as typeof import('hash-wasm')
    compiled ??= await createKeccak(256)
  } catch {
    // A host that forbids WebAssembly is served all the same.
  }
}
