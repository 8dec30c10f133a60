import { base58 } from '@scure/base'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import { ChainError, type SolanaAccount, type SolanaBlockhash } from '../chains.ts'
import { CallReverted, type JsonRpc } from '../endpoints/jsonRpc.ts'

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'

/** Layout of a table: https://docs.anza.xyz/proposals/versioned-transactions#address-lookup-tables. */
const TABLE = { kind: 1, deactivationSlotAt: 4, addressesAt: 56, addressBytes: 32, addressesMax: 256 } as const
const NEVER = (1n << 64n) - 1n

const malformed = (method: string): ChainError =>
  new ChainError('unreachable', SOLANA, `Solana: ${method} was answered with something else`)

/** The `value` of an answer that has a context beside it. No Solana method reverts: that word is a node's confusion. */
const readValue = async (rpc: JsonRpc, method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> => {
  const result = await rpc.call(method, params, signal).catch((error: unknown) => {
    throw error instanceof CallReverted ? malformed(method) : error
  })
  if (typeof result !== 'object' || result === null || !('value' in result)) throw malformed(method)
  return result.value
}

const isBlockhash = (text: unknown): text is string =>
  typeof text === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && base58.decode(text).length === 32

/** https://solana.com/docs/rpc/http/getlatestblockhash, at the commitment wallets send with. */
export const readLatestBlockhash = async (rpc: JsonRpc, signal: AbortSignal): Promise<SolanaBlockhash> => {
  const method = 'getLatestBlockhash'
  const value = await readValue(rpc, method, [{ commitment: 'confirmed' }], signal)
  const { blockhash, lastValidBlockHeight } = (value ?? {}) as { blockhash?: unknown; lastValidBlockHeight?: unknown }
  if (!isBlockhash(blockhash) || !Number.isSafeInteger(lastValidBlockHeight)) throw malformed(method)
  return { blockhash, lastValidBlockHeight: lastValidBlockHeight as number }
}

type RawAccount = { readonly owner?: unknown; readonly data?: unknown }

const dataOf = ({ data }: RawAccount): Buffer | null => {
  const [text, encoding] = Array.isArray(data) ? (data as unknown[]) : []
  return typeof text === 'string' && encoding === 'base64' ? Buffer.from(text, 'base64') : null
}

const addressesIn = (data: Buffer): readonly Address[] | null => {
  const body = data.length - TABLE.addressesAt
  if (body < 0 || body % TABLE.addressBytes !== 0 || body / TABLE.addressBytes > TABLE.addressesMax) return null
  if (data.readUInt32LE(0) !== TABLE.kind || data.readBigUInt64LE(TABLE.deactivationSlotAt) !== NEVER) return null
  return Array.from({ length: body / TABLE.addressBytes }, (_none, index) => {
    const at = TABLE.addressesAt + index * TABLE.addressBytes
    return base58.encode(new Uint8Array(data.subarray(at, at + TABLE.addressBytes))) as Address
  })
}

/** https://solana.com/docs/rpc/http/getaccountinfo; null without an account. */
export const readSolanaAccount = async (
  rpc: JsonRpc,
  address: Address,
  signal: AbortSignal,
): Promise<{ readonly owner: Address; readonly data: Buffer } | null> => {
  const method = 'getAccountInfo'
  const account = await readValue(rpc, method, [address, { encoding: 'base64', commitment: 'confirmed' }], signal)
  if (account === null) return null
  if (typeof account !== 'object') throw malformed(method)
  const data = dataOf(account)
  const { owner } = account as RawAccount
  if (data === null || typeof owner !== 'string') throw malformed(method)
  return { owner: owner as Address, data }
}

/** The addresses of a lookup table in order; null for any other account, and for a table that is being closed. */
export const lookupTableIn = (account: SolanaAccount | null): readonly Address[] | null =>
  account?.owner === LOOKUP_TABLE_PROGRAM ? addressesIn(Buffer.from(account.data)) : null

/** The addresses of the lookup table at an address. */
export const readLookupTable = async (rpc: JsonRpc, address: Address, signal: AbortSignal): Promise<readonly Address[] | null> =>
  lookupTableIn(await readSolanaAccount(rpc, address, signal))

/** https://solana.com/docs/rpc/http/simulatetransaction: without signatures, on a fresh blockhash. */
export const SIMULATION = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true } as const

/** Null when the transaction fails, or when the node does not return the units. */
export const readComputeUnits = async (rpc: JsonRpc, base64: string, signal: AbortSignal): Promise<number | null> => {
  const value = await readValue(rpc, 'simulateTransaction', [base64, SIMULATION], signal)
  const { err, unitsConsumed: units } = Object(value) as { readonly err?: unknown; readonly unitsConsumed?: unknown }
  return err === null && typeof units === 'number' && Number.isSafeInteger(units) && units > 0 ? units : null
}
