import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../core/address.ts'
import type { SimToken } from '../kit/tokens.ts'

export type SolanaAccount = {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Buffer
  /** False when left out. */
  readonly isExecutable?: boolean
}

export const TOKEN_PROGRAMS = { token: TOKEN_PROGRAM, 'token-2022': TOKEN_2022_PROGRAM } as const
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const METADATA_PROGRAM = addressOf('solana', 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

/** Of every mint when the network starts; all of it is the treasury's. */
export const GENESIS_SUPPLY = 10n ** 15n
/** What the treasury has at least, for fees and new accounts. */
export const TREASURY_LAMPORTS = 10n ** 12n

const little = (bytes: number, value: number | bigint): Buffer => {
  const all = Buffer.alloc(8)
  all.writeBigUInt64LE(BigInt(value))
  return all.subarray(0, bytes)
}

/** Borsh string; `size` pads it with zero bytes, as Metaplex stores its names. */
const text = (value: string, size = Buffer.byteLength(value)): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.write(value)
  return Buffer.concat([little(4, size), bytes])
}

/** https://solana.com/docs/tokens#mint-account: 82 bytes, minted by `authority`, no freeze authority. */
const mintData = ({ decimals }: SimToken, authority: string): Buffer => {
  const data = Buffer.alloc(82)
  data.writeUInt32LE(1, 0)
  data.set(base58.decode(authority), 4)
  data.writeBigUInt64LE(GENESIS_SUPPLY, 36)
  data.writeUInt8(decimals, 44)
  data.writeUInt8(1, 45)
  return data
}

const MINT_EXTENSIONS_AT = 166
const EXTENSION = { metadataPointer: 18, tokenMetadata: 19 } as const

/** https://www.solana-program.com/docs/token-2022/extensions: the mint padded to 165, its account type, then type-length-value entries. */
const extendedMintData = (token: SimToken, authority: string): Buffer => {
  const head = Buffer.alloc(MINT_EXTENSIONS_AT)
  head.set(mintData(token, authority))
  head.writeUInt8(1, 165)
  const mint = Buffer.from(base58.decode(token.address))
  const pointer = Buffer.concat([Buffer.alloc(32), mint])
  const metadata = Buffer.concat([Buffer.alloc(32), mint, text(token.name), text(token.symbol), text(''), little(4, 0)])
  const entry = (type: number, value: Buffer) => Buffer.concat([little(2, type), little(2, value.length), value])
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

/** The token account of a wallet that payments of a token go to. */
export const tokenAccountOf = ({ address, program }: SimToken, wallet: string): string =>
  associatedTokenAddress(wallet, address, TOKEN_PROGRAMS[program])

/** https://solana.com/docs/tokens#token-account: initialised, with no delegate; under Token-2022 of an owner that cannot change. */
const tokenAccountData = (
  { address, program }: Pick<SimToken, 'address' | 'program'>,
  wallet: string,
  amount: bigint,
): Buffer => {
  const data = Buffer.alloc(165)
  data.set(base58.decode(address), 0)
  data.set(base58.decode(wallet), 32)
  data.writeBigUInt64LE(amount, 64)
  data.writeUInt8(1, 108)
  const immutableOwner = Buffer.from('0207000000', 'hex')
  return program === 'token' ? data : Buffer.concat([data, immutableOwner])
}

/** What the treasury holds of wrapped SOL when the network starts. */
const WRAPPED_LAMPORTS = 10n ** 15n

/** An account of wrapped SOL says which of its lamports are its rent. */
const wrappedAccountData = (token: SimToken, wallet: string, rentExempt: (bytes: number) => bigint): Buffer => {
  const data = tokenAccountData(token, wallet, WRAPPED_LAMPORTS)
  data.writeUInt32LE(1, 109)
  data.writeBigUInt64LE(rentExempt(data.length), 113)
  return data
}

export type TokenHolding = { readonly mint: string; readonly owner: string; readonly amount: bigint; readonly program: string }

const isTokenProgram = (program: string): boolean => Object.values<string>(TOKEN_PROGRAMS).includes(program)

/** What a token account holds; null when the account is none, or is not initialised. */
export const tokenHolding = (account: SolanaAccount | null | undefined): TokenHolding | null => {
  if (!account || !isTokenProgram(account.owner)) return null
  const { owner: program, data } = account
  const isHolding = data.length === 165 || (program === TOKEN_PROGRAMS['token-2022'] && data[165] === 2)
  if (!isHolding || data[108] === 0) return null
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    program,
  }
}

/** https://docs.anza.xyz/proposals/versioned-transactions#address-lookup-tables: never closed, and nobody's to add to. */
export const lookupTableData = (addresses: readonly string[]): Buffer => {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  return Buffer.concat([head, ...addresses.map((address) => base58.decode(address))])
}

/** The decimals of a mint; null when the account is none. */
export const mintDecimals = (account: SolanaAccount | null | undefined): number | null => {
  if (!account || !isTokenProgram(account.owner)) return null
  const { owner, data } = account
  const isMint = data.length === 82 || (owner === TOKEN_PROGRAMS['token-2022'] && data[165] === 1)
  return isMint && data[45] === 1 ? (data[44] ?? 0) : null
}

type Place = (address: string, account: SolanaAccount) => void

/**
 * Places every mint with its name, in the mint itself under Token-2022, else in Metaplex's account for it, and gives all
 * of it to the treasury, which has some SOL as well, wrapped too. The mint of wrapped SOL is the token program's own and only gets its name.
 */
export const placeGenesis = (
  tokens: readonly SimToken[],
  {
    treasury,
    rentExempt,
    place,
  }: { readonly treasury: string; readonly rentExempt: (bytes: number) => bigint; readonly place: Place },
): void => {
  const put = (address: string, owner: string, data: Buffer) => place(address, { owner, data, lamports: rentExempt(data.length) })
  place(treasury, { owner: SYSTEM_PROGRAM, data: Buffer.alloc(0), lamports: TREASURY_LAMPORTS })
  for (const token of tokens) {
    const isExtended = token.program === 'token-2022'
    const program = TOKEN_PROGRAMS[token.program]
    if (!isExtended) put(metadataAddress(token.address), METADATA_PROGRAM, metaplexData(token))
    if (token.isNative) {
      const data = wrappedAccountData(token, treasury, rentExempt)
      place(tokenAccountOf(token, treasury), {
        owner: program,
        data,
        lamports: rentExempt(data.length) + WRAPPED_LAMPORTS,
      })
      continue
    }
    put(token.address, program, isExtended ? extendedMintData(token, treasury) : mintData(token, treasury))
    put(tokenAccountOf(token, treasury), program, tokenAccountData(token, treasury, GENESIS_SUPPLY))
  }
}
