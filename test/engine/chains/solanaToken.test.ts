import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import { assetOf } from '../../support/anOrder.ts'
import { createFakeHttp, says } from './evmNode.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const SYSTEM = '11111111111111111111111111111111'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const OTHER_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const METADATA = PublicKey.findProgramAddressSync(
  [Buffer.from('metadata'), new PublicKey(METAPLEX).toBuffer(), new PublicKey(MINT).toBuffer()],
  new PublicKey(METAPLEX),
)[0].toBase58()

type Account = { readonly owner: string; readonly data: Buffer }

const u16 = (value: number): Buffer => Buffer.of(value & 255, value >> 8)
const u32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
const text = (bytes: Buffer | string, claimed = Buffer.byteLength(bytes)): Buffer =>
  Buffer.concat([u32(claimed), Buffer.from(bytes)])
const keyOf = (address: string): Buffer => new PublicKey(address).toBuffer()

/** https://solana.com/docs/tokens: the 82 bytes of a mint. */
const mint = ({ decimals = 6, isInitialized = 1 } = {}): Buffer => {
  const data = Buffer.alloc(82)
  data[44] = decimals
  data[45] = isInitialized
  return data
}

/** A Token-2022 mint: the mint padded to an account's 165 bytes, the kind of account, then entries. */
const extended = (entries: readonly (readonly [type: number, value: Buffer])[], { kind = 1, of = mint() } = {}): Account => ({
  owner: TOKEN_2022,
  data: Buffer.concat([
    of,
    Buffer.alloc(165 - of.length),
    Buffer.of(kind),
    ...entries.map(([type, value]) => Buffer.concat([u16(type), u16(value.length), value])),
  ]),
})

const metadataEntry = (name: Buffer | string, symbol: Buffer | string, of = MINT): readonly [number, Buffer] => [
  19,
  Buffer.concat([Buffer.alloc(32), keyOf(of), text(name), text(symbol), text(''), u32(0)]),
]

/** Metaplex pads its texts with zero bytes. */
const metaplex = (name: Buffer, symbol: Buffer, { of = MINT, key = 4, owner = METAPLEX } = {}): Account => ({
  owner,
  data: Buffer.concat([Buffer.of(key), Buffer.alloc(32), keyOf(of), name, symbol, text(Buffer.alloc(200)), Buffer.alloc(372)]),
})
const padded = (value: string, size: number): Buffer => text(Buffer.concat([Buffer.from(value)], size))

const TRANSFER_FEE = [1, Buffer.alloc(108)] as const
const plainMint: Account = { owner: TOKEN, data: mint() }
const usdc = metaplex(padded('USD Coin', 32), padded('USDC', 10))

/** Resolves the mint on a chain that has those two accounts. */
const resolve = async (account: Account | null, names: Account | null = null) => {
  const value = [account, names].map((held) => held && { owner: held.owner, data: [held.data.toString('base64'), 'base64'] })
  const http = createFakeHttp({ a: says({ jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value } }) })
  const chains = createChains({ rpcUrls: { [-2]: ['https://a/'] }, http })
  const told = await chains.token(assetOf(-2, MINT), AbortSignal.timeout(5_000)).then(
    ({ name, symbol, decimals }) => ({ name, symbol, decimals }),
    (error: unknown) => (error instanceof ChainError ? error.failure : String(error)),
  )
  return { told, sent: http.sent }
}

const NAMELESS = { name: MINT, symbol: 'EPjF…Dt1v', decimals: 6 }

describe('a Solana mint', () => {
  it('is read in one call together with where Metaplex would keep its name', async () => {
    const { told, sent } = await resolve(plainMint, usdc)
    expect(told).toEqual({ name: 'USD Coin', symbol: 'USDC', decimals: 6 })
    expect(sent.map(({ call: { method, params } }) => [method, params])).toEqual([
      ['getMultipleAccounts', [[MINT, METADATA], { encoding: 'base64', commitment: 'confirmed' }]],
    ])
  })

  it('may be a plain one of Token-2022, named by Metaplex', async () => {
    expect((await resolve({ owner: TOKEN_2022, data: mint({ decimals: 9 }) }, usdc)).told).toMatchObject({
      symbol: 'USDC',
      decimals: 9,
    })
  })

  it('is named by its own extension before Metaplex, wherever it stands among the others [token-solana-mints]', async () => {
    const account = extended([TRANSFER_FEE, metadataEntry('PayPal USD', 'PYUSD'), TRANSFER_FEE])
    expect((await resolve(account, usdc)).told).toEqual({ name: 'PayPal USD', symbol: 'PYUSD', decimals: 6 })
  })

  it.each([
    ['no extension of that kind', extended([TRANSFER_FEE])],
    ['one that speaks of another mint', extended([metadataEntry('Fake', 'FAKE', OTHER_MINT)])],
    ['one that breaks off', extended([[19, Buffer.concat([Buffer.alloc(32), keyOf(MINT), u32(4)])]])],
    ['one whose length points outside', extended([[19, Buffer.concat([Buffer.alloc(32), keyOf(MINT), text('x', 0xffffffff)])]])],
    ['one that is no UTF-8', extended([metadataEntry(Buffer.of(0xff, 0xfe), 'X')])],
    ['entries that break off', { owner: TOKEN_2022, data: Buffer.concat([extended([]).data, u16(19), u16(900)]) }],
  ])('is named by Metaplex when it has %s', async (_what, account) => {
    expect((await resolve(account, usdc)).told).toEqual({ name: 'USD Coin', symbol: 'USDC', decimals: 6 })
  })

  it.each([
    ['nothing', null],
    ['an account of another program', metaplex(padded('Fake', 32), padded('FAKE', 10), { owner: SYSTEM })],
    ['another kind of account', metaplex(padded('Fake', 32), padded('FAKE', 10), { key: 6 })],
    ['the names of another mint', metaplex(padded('Fake', 32), padded('FAKE', 10), { of: OTHER_MINT })],
    ['names that are no UTF-8', metaplex(text(Buffer.of(0xff, 0xfe)), padded('X', 10))],
    ['names longer than the account', metaplex(text('x', 0xffffffff), padded('X', 10))],
    ['empty names', metaplex(padded('', 32), padded('', 10))],
    ['invisible names', metaplex(padded('\u200b\u202e', 32), padded('\u0007', 10))],
    ['too few bytes', { owner: METAPLEX, data: Buffer.of(4) }],
  ])('goes by its address when Metaplex has %s', async (_what, names) => {
    expect((await resolve(plainMint, names)).told).toEqual(NAMELESS)
  })

  it('shows no control characters or direction overrides in its names', async () => {
    const names = metaplex(padded('USD\u202e Coin\n', 32), padded('US\u200bDC', 10))
    expect((await resolve(plainMint, names)).told).toMatchObject({ name: 'USD Coin', symbol: 'USDC' })
  })
})

describe('what is no mint [token-solana-mints]', () => {
  const account = Buffer.alloc(165, 1)
  /** The bytes of an extended mint and nothing after it; Token-2022 has no mints of the length of a multisig. */
  const spelling = (bytes: number): Buffer => Buffer.concat([extended([]).data, Buffer.alloc(bytes)]).subarray(0, bytes)
  it.each([
    ['nothing', null],
    ['a wallet', { owner: SYSTEM, data: Buffer.alloc(0) }],
    ['a program', { owner: 'BPFLoaderUpgradeab1e11111111111111111111111', data: Buffer.alloc(36) }],
    ['an account that holds tokens', { owner: TOKEN, data: account }],
    ['one under Token-2022', { owner: TOKEN_2022, data: account }],
    ['one under Token-2022 with extensions', extended([], { kind: 2, of: account })],
    ['a mint that is not initialised', { owner: TOKEN, data: mint({ isInitialized: 0 }) }],
    ['a mint whose decimals are out of all reason', { owner: TOKEN, data: mint({ decimals: 255 }) }],
    ['bytes like a mint under a program of anybody', { owner: SYSTEM, data: mint() }],
    ['a multisig under Token-2022 whose signers spell a mint', { ...extended([]), data: spelling(355) }],
    ['an extended mint under the first token program', { ...extended([metadataEntry('Fake', 'FAKE')]), owner: TOKEN }],
  ])('is not a token: %s', async (_what, held) => {
    expect((await resolve(held, usdc)).told).toBe('notAToken')
  })
})

describe('a node that answers something else', () => {
  it.each([null, {}, { value: null }, { value: [] }, { value: [null] }, { value: [null, null, null] }])(
    'says nothing of the mint: %j',
    async (result) => {
      const chains = createChains({ rpcUrls: { [-2]: ['https://a/'] }, http: createFakeHttp({ a: says({ result }) }) })
      const reading = chains.token(assetOf(-2, MINT), AbortSignal.timeout(5_000))
      await expect(reading).rejects.toMatchObject({ name: 'ChainError', failure: 'unreachable' })
    },
  )
})
