import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { address as bitcoinAddress, networks } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { getAddress, isAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  addressOf,
  parseAddress,
  parseBitcoinAddress,
  parseEvmAddress,
  parseSolanaAddress,
  placeholderAddress,
} from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { readWalletAddress } from '../../../engine/core/walletAddress.ts'

const base58check = createBase58check(sha256)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex20 = bytes(20).map((value) => Buffer.from(value).toString('hex'))

describe('an EVM address', () => {
  it('is read in lower case, upper case and its checksum spelling, always to that spelling', () => {
    fc.assert(
      fc.property(hex20, (digits) => {
        const canonical = getAddress(`0x${digits}`)
        for (const raw of [`0x${digits}`, `0x${digits.toUpperCase()}`, canonical]) expect(parseEvmAddress(raw)).toBe(canonical)
      }),
    )
  })

  it('is refused when the case of any one letter is flipped [quote-address-checked]', () => {
    fc.assert(
      fc.property(hex20, (digits) => {
        const canonical = getAddress(`0x${digits}`)
        for (let i = 2; i < canonical.length; i += 1) {
          const letter = canonical.charAt(i)
          const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
          if (flipped === letter) continue
          const altered = `${canonical.slice(0, i)}${flipped}${canonical.slice(i + 1)}`
          const isOneCase =
            altered.slice(2) === altered.slice(2).toLowerCase() || altered.slice(2) === altered.slice(2).toUpperCase()
          expect(parseEvmAddress(altered)).toBe(isOneCase ? canonical : null)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('agrees with viem about any text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^0x[0-9a-fA-F]{38,42}$/), fc.stringMatching(/^0[xX][0-9a-f]{40}$/))
    fc.assert(
      fc.property(text, (raw) => {
        const isUpper = /^0x[0-9A-F]{40}$/.test(raw)
        expect(parseEvmAddress(raw) !== null).toBe(isUpper || isAddress(raw, { strict: true }))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '',
    '0x',
    '0X'.padEnd(42, 'a'),
    `0x${'a'.repeat(39)}`,
    `0x${'a'.repeat(41)}`,
    ` 0x${'a'.repeat(40)}`,
    `0x${'a'.repeat(40)}\n`,
    `0x${'g'.repeat(40)}`,
    'a'.repeat(40),
    'vitalik.eth',
  ])('is not %j', (raw) => {
    expect(parseEvmAddress(raw)).toBeNull()
  })
})

describe('a Solana address', () => {
  it('is base58 of exactly 32 bytes, as it stands', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), (value) => {
        const raw = base58.encode(value)
        expect(parseSolanaAddress(raw)).toBe(value.length === 32 ? raw : null)
      }),
      { numRuns: 500 },
    )
  })

  it('agrees with the Solana SDK about any base58 text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/), (raw) => {
        let isKey = true
        try {
          isKey = new PublicKey(raw).toBase58() === raw
        } catch {
          isKey = false
        }
        expect(parseSolanaAddress(raw) !== null).toBe(isKey)
      }),
      { numRuns: 300 },
    )
  })

  it('may be off the curve: wallets of programs are', () => {
    const [vault] = PublicKey.findProgramAddressSync([Buffer.from('vault')], new PublicKey('11111111111111111111111111111111'))
    expect(PublicKey.isOnCurve(vault.toBytes())).toBe(false)
    expect(parseSolanaAddress(vault.toBase58())).toBe(vault.toBase58())
  })

  it.each([
    '',
    '0'.repeat(43),
    'O'.repeat(43),
    'l'.repeat(43),
    'I'.repeat(43),
    `${'1'.repeat(32)} `,
    '1'.repeat(31),
    '1'.repeat(33),
    '€'.repeat(40),
  ])('is not %j', (raw) => {
    expect(parseSolanaAddress(raw)).toBeNull()
  })
})

describe('a Bitcoin address', () => {
  it.each([
    ['P2PKH, the first block', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['P2SH, BIP 13', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
    ['P2WPKH, BIP 173', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['P2WSH, BIP 173', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['P2TR, BIP 350', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ])('is %s', (_what, raw) => {
    expect(parseBitcoinAddress(raw)).toBe(raw)
    const { prefix } = raw.startsWith('bc1') ? bitcoinAddress.fromBech32(raw) : { prefix: networks.bitcoin.bech32 }
    expect(prefix).toBe('bc')
    if (!raw.startsWith('bc1')) expect([0, 5]).toContain(bitcoinAddress.fromBase58Check(raw).version)
  })

  it('of the bech32 kinds is read in upper case, as in QR codes, and kept in lower case', () => {
    const lower = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(parseBitcoinAddress(lower.toUpperCase())).toBe(lower)
    expect(parseBitcoinAddress(`BC1${lower.slice(3)}`)).toBeNull()
  })

  it.each([
    ['testnet P2PKH', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['testnet P2SH', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
    ['testnet P2WPKH', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['testnet P2TR', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
    ['regtest', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
    ['Litecoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
    ['a wrong bech32 checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['a wrong base58 checksum', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['version 0 with the checksum of later versions', bech32m.encode('bc', [0, ...bech32.toWords(new Uint8Array(20))])],
    ['version 1 with the checksum of version 0', bech32.encode('bc', [1, ...bech32.toWords(new Uint8Array(32))])],
    ['version 1 of 20 bytes', bech32m.encode('bc', [1, ...bech32.toWords(new Uint8Array(20))])],
    ['version 2', bech32m.encode('bc', [2, ...bech32.toWords(new Uint8Array(32))])],
    ['version 0 of 16 bytes', bech32.encode('bc', [0, ...bech32.toWords(new Uint8Array(16))])],
    ['a version and nothing else', bech32.encode('bc', [0])],
    ['a private key in WIF', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
    ['21 bytes with another version', base58check.encode(Uint8Array.of(0x30, ...new Uint8Array(20)))],
    ['20 bytes', base58check.encode(new Uint8Array(20))],
    ['nothing', ''],
    ['words', 'bc1'],
    ['far too much', `bc1q${'q'.repeat(100_000)}`],
    ['an EVM address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['space around it', ' 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ])('is not %s', (_what, raw) => {
    expect(parseBitcoinAddress(raw)).toBeNull()
  })

  it('of any of the five types is read, and refused when any one character is another [quote-address-checked]', () => {
    const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
    const programs = [
      bytes(20).map((value) => ({ raw: bech32.encode('bc', [0, ...bech32.toWords(value)]), letters: ALPHABET })),
      bytes(32).map((value) => ({ raw: bech32.encode('bc', [0, ...bech32.toWords(value)]), letters: ALPHABET })),
      bytes(32).map((value) => ({ raw: bech32m.encode('bc', [1, ...bech32m.toWords(value)]), letters: ALPHABET })),
      bytes(20).map((value) => ({ raw: base58check.encode(Uint8Array.of(0, ...value)), letters: '123456789ABCDEFG' })),
      bytes(20).map((value) => ({ raw: base58check.encode(Uint8Array.of(5, ...value)), letters: '123456789ABCDEFG' })),
    ]
    fc.assert(
      fc.property(fc.oneof(...programs), fc.nat(), fc.nat(), (one, at, other) => {
        expect(parseBitcoinAddress(one.raw)).toBe(one.raw)
        const i = at % one.raw.length
        const letter = one.letters.charAt(other % one.letters.length)
        if (letter !== one.raw.charAt(i))
          expect(parseBitcoinAddress(`${one.raw.slice(0, i)}${letter}${one.raw.slice(i + 1)}`)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})

describe('an address in general', () => {
  const ECOSYSTEMS = ['evm', 'solana', 'bitcoin'] as const

  it('belongs to one ecosystem [quote-address-checked]', () => {
    const samples = {
      evm: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      solana: 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE',
      bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    }
    for (const ecosystem of ECOSYSTEMS)
      for (const [owner, raw] of Object.entries(samples))
        expect(parseAddress(ecosystem, raw)).toBe(owner === ecosystem ? raw : null)
  })

  it('written wrongly in our own source stops us', () => {
    expect(addressOf('bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
    expect(() => addressOf('evm', '0x12')).toThrow(TypeError)
  })

  it("that stands in for one nobody named is well-formed, the same every time, and nobody's", () => {
    for (const ecosystem of ECOSYSTEMS) {
      const placeholder = placeholderAddress(ecosystem)
      expect(parseAddress(ecosystem, placeholder)).toBe(placeholder)
      expect(placeholderAddress(ecosystem)).toBe(placeholder)
    }
  })

  it.each([
    [1, '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266', 'checksum does not match'],
    [1, 'nonsense', 'is not a valid EVM address'],
    [-2, 'nonsense', 'is not a valid Solana address'],
    [-1, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'is not a valid Bitcoin mainnet address'],
    [1, '0x0000000000000000000000000000000000000000', 'must not be the zero address'],
    [-2, '11111111111111111111111111111111', 'must not be the zero address'],
    [1, NATIVE.toLowerCase(), 'is the marker of the native coin, not a wallet'],
  ] as const)('of a wallet on %i is not %s: it %s', (chainId, raw, problem) => {
    expect(readWalletAddress(chainId, raw)).toEqual({ problem })
  })

  it('of a wallet is read to its canonical spelling', () => {
    expect(readWalletAddress(8453, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')).toEqual({
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    })
  })
})
