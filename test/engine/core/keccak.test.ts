import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseEvmAddress } from '../../../engine/core/address.ts'
import { keccakOfText, quickenKeccak } from '../../../engine/core/keccak.ts'

it('keccak: WebAssembly gives the hashes of JavaScript, and never overwrites a hash that it returned', async () => {
  const mixed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  expect(parseEvmAddress(mixed.toLowerCase())).toBe(mixed)
  await quickenKeccak()
  expect(parseEvmAddress(mixed.toLowerCase())).toBe(mixed)
  const first = keccakOfText('a')
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => {
      expect(Buffer.compare(keccakOfText(text), keccak_256(utf8ToBytes(text)))).toBe(0)
    }),
    { numRuns: 500 },
  )
  expect(Buffer.compare(first, keccakOfText('a'))).toBe(0)
})
