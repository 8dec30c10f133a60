import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { solanaProgramAddress } from '../../chains/solanaProgramAddress.ts'
import { addressOf } from '../../core/address.ts'
import type { SimToken } from '../tokens.ts'

export type SolanaAccount = { readonly owner: string; readonly lamports: bigint; readonly data: Buffer }

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const TOKEN_PROGRAMS = {
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'token-2022': 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
} as const
const METADATA_PROGRAM = addressOf('solana', 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
const ASSOCIATED_TOKEN_PROGRAM = addressOf('solana', 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const RENT_LAMPORTS = 1_461_600n

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

/** Borsh string; `size` pads it with zero bytes, as Metaplex stores its names. */
const text = (value: string, size = Buffer.byteLength(value)): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.write(value)
  return Buffer.concat([u32(size), bytes])
}

/** https://solana.com/docs/tokens#mint-account: 82 bytes, a supply of its own, no freeze authority. */
const mintData = ({ address, decimals }: SimToken): Buffer => {
  const data = Buffer.alloc(82)
  data.writeUInt32LE(1, 0)
  data.set(base58.decode(address), 4)
  data.writeBigUInt64LE(10n ** 15n, 36)
  data.writeUInt8(decimals, 44)
  data.writeUInt8(1, 45)
  return data
}

const MINT_EXTENSIONS_AT = 166
const EXTENSION = { metadataPointer: 18, tokenMetadata: 19 } as const

/** https://www.solana-program.com/docs/token-2022/extensions: the mint padded to 165, its account type, then type-length-value entries. */
const extendedMintData = (token: SimToken): Buffer => {
  const head = Buffer.alloc(MINT_EXTENSIONS_AT)
  head.set(mintData(token))
  head.writeUInt8(1, 165)
  const mint = Buffer.from(base58.decode(token.address))
  const pointer = Buffer.concat([Buffer.alloc(32), mint])
  const metadata = Buffer.concat([Buffer.alloc(32), mint, text(token.name), text(token.symbol), text(''), u32(0)])
  const entry = (type: number, value: Buffer) => Buffer.concat([u16(type), u16(value.length), value])
  return Buffer.concat([head, entry(EXTENSION.metadataPointer, pointer), entry(EXTENSION.tokenMetadata, metadata)])
}

/** https://developers.metaplex.com/token-metadata: key, update authority, mint, then name, symbol and uri of fixed sizes. */
const metaplexData = ({ address, name, symbol }: SimToken): Buffer =>
  Buffer.concat([
    Buffer.of(4),
    Buffer.alloc(32),
    base58.decode(address),
    text(name, 32),
    text(symbol, 10),
    text('', 200),
    Buffer.alloc(372),
  ])

const metadataAddress = (mint: string): string =>
  solanaProgramAddress(METADATA_PROGRAM, [utf8ToBytes('metadata'), base58.decode(METADATA_PROGRAM), base58.decode(mint)])

/** Where a wallet holds a token. */
export const associatedTokenAddress = ({ address, program }: SimToken, wallet: string): string =>
  solanaProgramAddress(ASSOCIATED_TOKEN_PROGRAM, [
    base58.decode(wallet),
    base58.decode(TOKEN_PROGRAMS[program]),
    base58.decode(address),
  ])

/** A token account of 165 bytes, initialised, with no delegate. */
export const tokenAccount = ({ address, program }: SimToken, wallet: string, amount: bigint): SolanaAccount => {
  const data = Buffer.alloc(165)
  data.set(base58.decode(address), 0)
  data.set(base58.decode(wallet), 32)
  data.writeBigUInt64LE(amount, 64)
  data.writeUInt8(1, 108)
  return { owner: TOKEN_PROGRAMS[program], lamports: RENT_LAMPORTS, data }
}

export const tokenAccountAmount = ({ data }: SolanaAccount): bigint => data.readBigUInt64LE(64)

/** Every mint, and where its name lies: in the mint itself under Token-2022, else in Metaplex's account for it. */
export const genesisAccounts = (tokens: readonly SimToken[]): Map<string, SolanaAccount> => {
  const accounts = new Map<string, SolanaAccount>()
  for (const token of tokens) {
    const isExtended = token.program === 'token-2022'
    const data = isExtended ? extendedMintData(token) : mintData(token)
    accounts.set(token.address, { owner: TOKEN_PROGRAMS[token.program], lamports: RENT_LAMPORTS, data })
    if (!isExtended)
      accounts.set(metadataAddress(token.address), {
        owner: METADATA_PROGRAM,
        lamports: RENT_LAMPORTS,
        data: metaplexData(token),
      })
  }
  return accounts
}
