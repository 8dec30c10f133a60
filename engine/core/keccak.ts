import { createRequire } from 'node:module'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { IHasher } from 'hash-wasm'

// Module state, like compiled code: it changes the speed of a hash, never its value.
let compiled: IHasher | null = null

/** The keccak-256 of a text. */
export const keccakOfText = (text: string): Uint8Array =>
  compiled === null ? keccak_256(utf8ToBytes(text)) : compiled.init().update(text).digest('binary')

/**
 * Switches to WebAssembly once it is compiled, which takes an eighth of the work. Until then, and where it cannot be compiled,
 * hashes come from JavaScript. Never rejects, and callers need not await it.
 */
export const quickenKeccak = async (): Promise<void> => {
  try {
    // Only this hash of the package: its main file contains all of them.
    const { createKeccak } = createRequire(import.meta.url)('hash-wasm/dist/keccak.umd.min.js') as typeof import('hash-wasm')
    compiled ??= await createKeccak(256)
  } catch {
    // A host that forbids WebAssembly uses JavaScript.
  }
}
