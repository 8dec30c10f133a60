import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { type Address, addressOf } from '../../core/address.ts'
import type { Asset, Token } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import { ChainError } from '../chains.ts'
import { CallReverted, type JsonRpc } from '../endpoints/jsonRpc.ts'
import { cleanName, cleanSymbol, DECIMALS_MAX, decodeText } from '../tokenText.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solanaCodec.ts'
import { solanaProgramAddress } from './solanaProgramAddress.ts'

const METADATA_PROGRAM = addressOf('solana', 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

type Account = { readonly owner: string; readonly data: Buffer }
type Names = { readonly name: string; readonly symbol: string }

/** https://solana.com/docs/tokens: offsets in a mint, and in one with extensions. */
const MINT = { bytes: 82, decimalsAt: 44, isInitializedAt: 45, accountTypeAt: 165, extensionsAt: 166 } as const
const MINT_ACCOUNT_TYPE = 1
/** Has no account type: the keys of its signers take that place. No mint is ever of this length. */
const MULTISIG_BYTES = 355
const TOKEN_METADATA_EXTENSION = 19
/** Names that are longer are cut later anyway; this only bounds what a length field can claim. */
const TEXT_BYTES_MAX = 1_024

const toAccount = (raw: unknown): Account | null => {
  const { owner, data } = (raw ?? {}) as { owner?: unknown; data?: unknown }
  const encoded: unknown = Array.isArray(data) ? data[0] : undefined
  return typeof owner === 'string' && typeof encoded === 'string' ? { owner, data: Buffer.from(encoded, 'base64') } : null
}

/** Two Borsh strings one after the other, or null when they are not there. */
const readNames = (data: Buffer, start: number): Names | null => {
  let at = start
  const texts: string[] = []
  for (let i = 0; i < 2; i++) {
    const length = at + 4 <= data.length ? data.readUInt32LE(at) : Number.POSITIVE_INFINITY
    if (length > TEXT_BYTES_MAX || at + 4 + length > data.length) return null
    const text = decodeText(data.subarray(at + 4, at + 4 + length))
    if (text === null) return null
    texts.push(text)
    at += 4 + length
  }
  const [name = '', symbol = ''] = texts
  return { name: cleanName(name), symbol: cleanSymbol(symbol) }
}

/** https://developers.metaplex.com/token-metadata: key 4, update authority, mint, name, symbol. */
const metaplexNames = (account: Account | null, mint: Uint8Array): Names | null => {
  if (account?.owner !== METADATA_PROGRAM || account.data[0] !== 4) return null
  return account.data.subarray(33, 65).equals(mint) ? readNames(account.data, 65) : null
}

/** https://www.solana-program.com/docs/token-2022/extensions: entries of type, length and value; the metadata is for this mint or not ours. */
const extensionNames = ({ owner, data }: Account, mint: Uint8Array): Names | null => {
  if (owner !== TOKEN_2022_PROGRAM) return null
  let at: number = MINT.extensionsAt
  while (at + 4 <= data.length) {
    const type = data.readUInt16LE(at)
    const value = data.subarray(at + 4, at + 4 + data.readUInt16LE(at + 2))
    if (type === TOKEN_METADATA_EXTENSION) return value.subarray(32, 64).equals(mint) ? readNames(value, 64) : null
    at += 4 + data.readUInt16LE(at + 2)
  }
  return null
}

const isMint = ({ owner, data }: Account): boolean => {
  if (data[MINT.isInitializedAt] !== 1 || (data[MINT.decimalsAt] ?? 255) > DECIMALS_MAX) return false
  if (data.length === MINT.bytes) return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
  return owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES && data[MINT.accountTypeAt] === MINT_ACCOUNT_TYPE
}

const metadataAddress = (mint: Uint8Array): Address =>
  solanaProgramAddress(METADATA_PROGRAM, [utf8ToBytes('metadata'), base58.decode(METADATA_PROGRAM), mint])

const readAccounts = async (
  rpc: JsonRpc,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<readonly (Account | null)[]> => {
  const params = [addresses, { encoding: 'base64', commitment: 'confirmed' }]
  const malformed = () => new ChainError('unreachable', SOLANA, 'Solana: getMultipleAccounts was answered with something else')
  const result = await rpc.call('getMultipleAccounts', params, signal).catch((error: unknown) => {
    throw error instanceof CallReverted ? malformed() : error
  })
  const value = (result as { value?: unknown } | null)?.value
  if (!Array.isArray(value) || value.length !== addresses.length) throw malformed()
  return value.map(toAccount)
}

/**
 * A mint of the Token or Token-2022 program, named by its own metadata extension or by Metaplex. Many mints have
 * neither: they go by their address, shortened for the symbol.
 */
export const readSolanaToken = async (rpc: JsonRpc, asset: Asset, signal: AbortSignal): Promise<Token> => {
  const mint = base58.decode(asset.address)
  const [account = null, metadata = null] = await readAccounts(rpc, [asset.address, metadataAddress(mint)], signal)
  if (!account || !isMint(account)) throw new ChainError('notAToken', SOLANA, `no mint at ${asset.address}`)
  const names = extensionNames(account, mint) ?? metaplexNames(metadata, mint)
  const symbol = names?.symbol || `${asset.address.slice(0, 4)}…${asset.address.slice(-4)}`
  return { ...asset, symbol, name: names?.name || asset.address, decimals: account.data[MINT.decimalsAt] ?? 0, isNative: false }
}
