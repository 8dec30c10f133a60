import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { assetOf } from '../../support/anOrder.ts'
import { benchOver, never, outcome } from './evidenceBench.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const SYSTEM = '11111111111111111111111111111111'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const OTHER_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const keyOf = (address: string): Buffer => new PublicKey(address).toBuffer()
const [METADATA] = PublicKey.findProgramAddressSync(
  [Buffer.from('metadata'), keyOf(METAPLEX), keyOf(MINT)],
  new PublicKey(METAPLEX),
)

type Account = { readonly owner: string; readonly data: Buffer }

const u16 = (value: number): Buffer => Buffer.of(value & 255, value >> 8)
const u32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
const text = (bytes: Buffer | string, claimed = Buffer.byteLength(bytes)): Buffer =>
  Buffer.concat([u32(claimed), Buffer.from(bytes)])

/** https://solana.com/docs/tokens: the 82 bytes of a mint. */
const mint = ({ decimals = 6, isInitialized = 1 } = {}): Buffer => {
  const data = Buffer.alloc(82)
  data.set([decimals, isInitialized], 44)
  return data
}

/** A Token-2022 mint: the mint padded to an account's 165 bytes, the kind of account, then entries. */
const extended = (entries: readonly (readonly [type: number, value: Buffer])[], { kind = 1, of = mint() } = {}): Account => {
  const added = entries.flatMap(([type, value]) => [u16(type), u16(value.length), value])
  return { owner: TOKEN_2022, data: Buffer.concat([of, Buffer.alloc(165 - of.length), Buffer.of(kind), ...added]) }
}
const head = Buffer.concat([Buffer.alloc(32), keyOf(MINT)])
const named = (name: Buffer | string, symbol: string, of = head) =>
  [19, Buffer.concat([of, text(name), text(symbol), text(''), u32(0)])] as const
const [TRANSFER_FEE, OTHER_HEAD] = [[1, Buffer.alloc(108)] as const, Buffer.concat([Buffer.alloc(32), keyOf(OTHER_MINT)])]

/** Metaplex pads its texts with zero bytes. */
const padded = (value: string, size: number): Buffer => text(Buffer.concat([Buffer.from(value)], size))
const metaplex = (
  name: Buffer = padded('Fake', 32),
  symbol: Buffer = padded('FAKE', 10),
  { of = MINT, owner = METAPLEX } = {},
): Account => ({
  owner,
  data: Buffer.concat([Buffer.of(4), Buffer.alloc(32), keyOf(of), name, symbol, text(Buffer.alloc(200)), Buffer.alloc(372)]),
})
const plainMint: Account = { owner: TOKEN, data: mint() }
const usdc = metaplex(padded('USD Coin', 32), padded('USDC', 10))

const resolveAt = (getMultipleAccounts: unknown) => {
  const { chains, asked } = benchOver({ a: { getMultipleAccounts } }, { rpcUrls: { [-2]: ['https://a/'] } })
  const read = chains.token(assetOf(-2, MINT), never()).then(({ name, symbol, decimals }) => `${name}, ${symbol}, ${decimals}`)
  return { answer: outcome(read), asked }
}
/** The metadata of the mint on a chain with these two accounts. */
const resolve = (account: Account | null, names: Account | null = null) => {
  const value = [account, names].map((held) => held && { ...held, data: [held.data.toString('base64'), 'base64'] })
  return resolveAt({ context: { slot: 1 }, value })
}

describe('Solana mint [token-solana-mints]', () => {
  const [METAPLEX_NAME, ADDRESS] = ['USD Coin, USDC, 6', `${MINT}, EPjF…Dt1v, 6`]
  const cutEntries = { owner: TOKEN_2022, data: Buffer.concat([extended([]).data, u16(19), u16(900)]) }
  const invisible = metaplex(padded('USD\u202e Coin\n', 32), padded('US\u200bDC', 10))

  it('is read in one call with its Metaplex account', async () => {
    const { answer, asked } = resolve(plainMint, usdc)
    expect(await answer).toBe(METAPLEX_NAME)
    const params = [[MINT, METADATA.toBase58()], { encoding: 'base64', commitment: 'confirmed' }]
    expect(asked).toMatchObject([{ method: 'getMultipleAccounts', params }])
  })

  it.each<[string, Account, Account | null, string]>([
    ['Metaplex, of Token-2022', { owner: TOKEN_2022, data: mint({ decimals: 9 }) }, usdc, 'USD Coin, USDC, 9'],
    ['its extension', extended([TRANSFER_FEE, named('PayPal USD', 'PYUSD'), TRANSFER_FEE]), usdc, 'PayPal USD, PYUSD, 6'],
    ['Metaplex without such an extension', extended([TRANSFER_FEE]), usdc, METAPLEX_NAME],
    ['Metaplex where the extension is of another mint', extended([named('Fake', 'FAKE', OTHER_HEAD)]), usdc, METAPLEX_NAME],
    ['Metaplex where it ends outside', extended([[19, Buffer.concat([head, text('x', 0xffffffff)])]]), usdc, METAPLEX_NAME],
    ['Metaplex where the entries are cut', cutEntries, usdc, METAPLEX_NAME],
    ['Metaplex without invisible characters', plainMint, invisible, METAPLEX_NAME],
    ['its address without Metaplex', plainMint, null, ADDRESS],
    ['its address beside another program', plainMint, metaplex(undefined, undefined, { owner: SYSTEM }), ADDRESS],
    ['its address beside names of another mint', plainMint, metaplex(undefined, undefined, { of: OTHER_MINT }), ADDRESS],
    ['its address beside endless names', plainMint, metaplex(text('x', 0xffffffff)), ADDRESS],
    ['its address beside invisible names', plainMint, metaplex(padded('\u200b\u202e', 32), padded('\u0007', 10)), ADDRESS],
  ])('is named by %s', async (_what, account, names, expected) => {
    expect(await resolve(account, names).answer).toBe(expected)
  })

  const holding = Buffer.alloc(165, 1)
  // Token-2022 has no mints of the length of a multisig.
  const multisig = Buffer.concat([extended([]).data, Buffer.alloc(355)]).subarray(0, 355)
  it.each<[string, Account]>([
    ['a wallet', { owner: SYSTEM, data: Buffer.alloc(0) }],
    ['a token account of Token-2022', { owner: TOKEN_2022, data: holding }],
    ['a token account with extensions', extended([], { kind: 2, of: holding })],
    ['a mint that is not initialized', { owner: TOKEN, data: mint({ isInitialized: 0 }) }],
    ['a mint of 37 decimals', { owner: TOKEN, data: mint({ decimals: 37 }) }],
    ['a mint of any other program', { owner: SYSTEM, data: mint() }],
    ['a multisig of Token-2022 that looks like a mint', { owner: TOKEN_2022, data: multisig }],
    ['an extended mint of the first token program', { ...extended([named('Fake', 'FAKE')]), owner: TOKEN }],
  ])('is not %s', async (_what, account) => {
    expect(await resolve(account, usdc).answer).toBe('notAToken')
  })

  it.each([null, { value: [null] }])('is unreadable where a node answers %j', async (result) => {
    expect(await resolveAt(result).answer).toBe('unreachable')
  })
})
