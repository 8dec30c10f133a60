import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { parseAddress, parseBitcoinAddress, parseEvmAddress, parseSolanaAddress } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { quickenKeccak } from '../../../engine/core/keccak.ts'
import { parseRef } from '../../../engine/core/ref.ts'
import { readWalletAddress } from '../../../engine/core/walletAddress.ts'

const base58check = createBase58check(sha256)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const ECOSYSTEMS = ['evm', 'solana', 'bitcoin'] as const
const EVM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const [VAULT] = PublicKey.findProgramAddressSync([Buffer.from('vault')], new PublicKey('11111111111111111111111111111111'))
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

it('address: each valid form is read for its own ecosystem only, a Solana address off the curve included [quote-address-checked]', () => {
  const valid = {
    evm: [EVM],
    solana: ['GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE', VAULT.toBase58()],
    bitcoin: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3P14159f73E4gFr7JterCCQh9QjiTjiZrG',
      SEGWIT,
      'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ],
  }
  expect(PublicKey.isOnCurve(VAULT.toBytes())).toBe(false)
  for (const ecosystem of ECOSYSTEMS)
    for (const owner of ECOSYSTEMS)
      for (const raw of valid[owner]) expect(parseAddress(ecosystem, raw)).toBe(owner === ecosystem ? raw : null)
})

it.each([
  ['evm', 'no text', ''],
  ['evm', 'a capital X', '0X'.padEnd(42, 'a')],
  ['evm', '39 digits', `0x${'a'.repeat(39)}`],
  ['evm', '41 digits', `0x${'a'.repeat(41)}`],
  ['evm', 'a line break at the end', `0x${'a'.repeat(40)}\n`],
  ['evm', 'a letter that is no digit', `0x${'g'.repeat(40)}`],
  ['evm', 'a name', 'vitalik.eth'],
  ['solana', 'a letter outside base58', '0'.repeat(43)],
  ['solana', 'a space at the end', `${'1'.repeat(32)} `],
  ['bitcoin', 'testnet P2PKH', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['bitcoin', 'testnet P2WPKH', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['bitcoin', 'another prefix that begins with bc1', bech32.encode('bc1x', [0, ...bech32.toWords(new Uint8Array(20))])],
  ['bitcoin', 'mixed case', `BC1${SEGWIT.slice(3)}`],
  ['bitcoin', 'version 0 with the checksum of later versions', bech32m.encode('bc', [0, ...bech32.toWords(new Uint8Array(20))])],
  ['bitcoin', 'version 1 with the checksum of version 0', bech32.encode('bc', [1, ...bech32.toWords(new Uint8Array(32))])],
  ['bitcoin', 'version 1 of 20 bytes', bech32m.encode('bc', [1, ...bech32.toWords(new Uint8Array(20))])],
  ['bitcoin', 'version 2', bech32m.encode('bc', [2, ...bech32.toWords(new Uint8Array(32))])],
  ['bitcoin', 'version 0 of 16 bytes', bech32.encode('bc', [0, ...bech32.toWords(new Uint8Array(16))])],
  ['bitcoin', 'a version only', bech32.encode('bc', [0])],
  ['bitcoin', '21 bytes of another version', base58check.encode(Uint8Array.of(0x30, ...new Uint8Array(20)))],
  ['bitcoin', '20 bytes', base58check.encode(new Uint8Array(20))],
] as const)('address: %s rejects %s', (ecosystem, _what, raw) => {
  expect(parseAddress(ecosystem, raw)).toBeNull()
})

it.each([
  ['JavaScript', async () => undefined],
  ['WebAssembly', quickenKeccak],
])(
  'address: EVM accepts one case or the checksum case by %s, returns the checksum case, and rejects any other case [quote-address-checked]',
  async (_by, compile) => {
    await compile()
    const digits20 = bytes(20).map((value) => Buffer.from(value).toString('hex'))
    fc.assert(
      fc.property(digits20, (lower) => {
        const canonical = getAddress(`0x${lower}`)
        for (const raw of [`0x${lower}`, `0x${lower.toUpperCase()}`, canonical]) expect(parseEvmAddress(raw)).toBe(canonical)
        for (let at = 2; at < canonical.length; at += 1) {
          const letter = canonical.charAt(at)
          const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
          const digits = `${canonical.slice(2, at)}${flipped}${canonical.slice(at + 1)}`
          const isAccepted = flipped === letter || digits === lower || digits === lower.toUpperCase()
          expect(parseEvmAddress(`0x${digits}`)).toBe(isAccepted ? canonical : null)
        }
      }),
      { numRuns: 50 },
    )
  },
)

it('address: Solana accepts base58 of exactly 32 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (value) => {
      const raw = base58.encode(value)
      expect(parseSolanaAddress(raw)).toBe(value.length === 32 ? raw : null)
    }),
    { numRuns: 500 },
  )
})

it('address: Bitcoin accepts five types, bech32 also in upper case, and rejects each with one other character [quote-address-checked]', () => {
  expect(parseBitcoinAddress(SEGWIT.toUpperCase())).toBe(SEGWIT)
  const [segwitLetters, base58Letters] = ['qpzry9x8gf2tvdw0s3jn54khce6mua7l', '123456789ABCDEFG']
  const types = [
    bytes(20).map((value) => ({ raw: bech32.encode('bc', [0, ...bech32.toWords(value)]), letters: segwitLetters })),
    bytes(32).map((value) => ({ raw: bech32.encode('bc', [0, ...bech32.toWords(value)]), letters: segwitLetters })),
    bytes(32).map((value) => ({ raw: bech32m.encode('bc', [1, ...bech32m.toWords(value)]), letters: segwitLetters })),
    bytes(20).map((value) => ({ raw: base58check.encode(Uint8Array.of(0, ...value)), letters: base58Letters })),
    bytes(20).map((value) => ({ raw: base58check.encode(Uint8Array.of(5, ...value)), letters: base58Letters })),
  ]
  fc.assert(
    fc.property(fc.oneof(...types), fc.nat(), fc.nat(), ({ raw, letters }, place, other) => {
      expect(parseBitcoinAddress(raw)).toBe(raw)
      const at = place % raw.length
      const letter = letters.charAt(other % letters.length)
      if (letter !== raw.charAt(at)) expect(parseBitcoinAddress(`${raw.slice(0, at)}${letter}${raw.slice(at + 1)}`)).toBeNull()
    }),
    { numRuns: 500 },
  )
})

it.each([
  [1, '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266', { problem: 'checksum does not match' }],
  [1, 'nonsense', { problem: 'is not a valid EVM address' }],
  [-1, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', { problem: 'is not a valid Bitcoin mainnet address' }],
  [1, '0x0000000000000000000000000000000000000000', { problem: 'must not be the zero address' }],
  [-2, '11111111111111111111111111111111', { problem: 'must not be the zero address' }],
  [1, NATIVE.toLowerCase(), { problem: 'is the marker of the native coin, not a wallet' }],
  [8453, EVM.toLowerCase(), { address: EVM }],
] as const)('address: a wallet on %i written as %s gives %j', (chainId, raw, outcome) => {
  expect(readWalletAddress(chainId, raw)).toEqual(outcome)
})

const HASH = `0x${'ab'.repeat(32)}`
const UID = `mainnet:0x${'ab'.repeat(56)}`
const TXID = 'ab'.repeat(32)
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

it.each<[string, ChainId, string, string]>([
  ['a hash becomes lower case', 1, HASH.toUpperCase(), HASH],
  ['the order id of a network becomes lower case', 1, UID.toUpperCase(), UID],
  ['an underscore in the network of an order is accepted', 42161, `ARBITRUM_ONE:${HASH}`, `arbitrum_one:${HASH}`],
  ['an EVM address gets its checksum', 1, EVM.toLowerCase(), EVM],
  ['a Bitcoin transaction becomes lower case', -1, TXID.toUpperCase(), TXID],
  ['a Bitcoin address becomes lower case', -1, SEGWIT.toUpperCase(), SEGWIT],
  ['a Solana signature stays as it is', -2, SIGNATURE, SIGNATURE],
  ['a swap id of this service stays as it is', 1, 'swp_AbCdEf', 'swp_AbCdEf'],
  ['other text stays as it is', 1, 'Not 0xABC', 'Not 0xABC'],
])('ref: %s [status-ref-spellings]', (_what, chainId, text, ref) => {
  expect(parseRef(chainId, text)).toBe(ref)
  expect(parseRef(chainId, ref)).toBe(ref)
})
