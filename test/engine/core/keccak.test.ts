import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseEvmAddress } from '../../../engine/core/address.ts'
import { keccakOfText, quickenKeccak } from '../../../engine/core/keccak.ts'

const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

it('makes the same hashes by WebAssembly as by JavaScript, whatever the text', async () => {
  expect(parseEvmAddress(MIXED.toLowerCase())).toBe(MIXED)
  await quickenKeccak()
  expect(parseEvmAddress(MIXED.toLowerCase())).toBe(MIXED)
  expect(parseEvmAddress(MIXED.replace('d8dA', 'D8dA'))).toBeNull()
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => {
      expect(Buffer.compare(keccakOfText(text), keccak_256(utf8ToBytes(text)))).toBe(0)
    }),
    { numRuns: 500 },
  )
})

it('never writes over a hash that was handed out', async () => {
  await quickenKeccak()
  const first = keccakOfText('a')
  const second = keccakOfText('b')
  expect(Buffer.from(first)).not.toEqual(Buffer.from(second))
  expect(Buffer.from(keccakOfText('a'))).toEqual(Buffer.from(first))
})
