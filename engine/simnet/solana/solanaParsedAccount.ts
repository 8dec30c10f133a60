import { base58 } from '@scure/base'
import { mintDecimals, type SolanaAccount, TOKEN_PROGRAMS, tokenHolding } from './solanaAccounts.ts'

type ReadAccount = (address: string) => SolanaAccount | null

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const LOOKUP_TABLE_ADDRESSES_AT = 56
const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const

const key = (data: Buffer, at: number): string => base58.encode(data.subarray(at, at + 32))

/** A key that is there when the flag of four bytes before it is set. */
const optionalKey = (data: Buffer, at: number): string | null => (data.readUInt32LE(at) === 1 ? key(data, at + 4) : null)

/** In the extensions of Token-2022, no key is all zeroes. */
const nullableKey = (data: Buffer, at: number): string | null =>
  data.subarray(at, at + 32).every((byte) => byte === 0) ? null : key(data, at)

/** An amount of tokens as the RPC tells it. */
export const tokenAmountView = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

const borshText = (data: Buffer, at: number): { readonly text: string; readonly end: number } => {
  const end = at + 4 + data.readUInt32LE(at)
  return { text: data.toString('utf8', at + 4, end), end }
}

const tokenMetadata = (value: Buffer) => {
  const name = borshText(value, 64)
  const symbol = borshText(value, name.end)
  const uri = borshText(value, symbol.end)
  const additionalMetadata: [string, string][] = []
  let at = uri.end + 4
  for (let left = value.readUInt32LE(uri.end); left > 0; left--) {
    const field = borshText(value, at)
    const content = borshText(value, field.end)
    additionalMetadata.push([field.text, content.text])
    at = content.end
  }
  return {
    updateAuthority: nullableKey(value, 0),
    mint: key(value, 32),
    name: name.text,
    symbol: symbol.text,
    uri: uri.text,
    additionalMetadata,
  }
}

/** The three that accounts of the offline network have; a node says as much of those it cannot read. */
const extension = (type: number, value: Buffer) => {
  if (type === 7) return { extension: 'immutableOwner' }
  if (type === 18)
    return { extension: 'metadataPointer', state: { authority: nullableKey(value, 0), metadataAddress: nullableKey(value, 32) } }
  return type === 19 ? { extension: 'tokenMetadata', state: tokenMetadata(value) } : { extension: 'unparseableExtension' }
}

const extensions = (data: Buffer): { readonly extensions?: readonly unknown[] } => {
  const found: unknown[] = []
  let at = 166
  while (at + 4 <= data.length) {
    const type = data.readUInt16LE(at)
    const end = at + 4 + data.readUInt16LE(at + 2)
    if (type !== 0) found.push(extension(type, data.subarray(at + 4, end)))
    at = end
  }
  return data.length > 165 ? { extensions: found } : {}
}

const mintInfo = (data: Buffer, decimals: number) => ({
  mintAuthority: optionalKey(data, 0),
  supply: data.readBigUInt64LE(36).toString(),
  decimals,
  isInitialized: true,
  freezeAuthority: optionalKey(data, 46),
  ...extensions(data),
})

const tokenAccountInfo = ({ data }: SolanaAccount, read: ReadAccount) => {
  const mint = key(data, 0)
  const decimals = mintDecimals(read(mint))
  if (decimals === null) return null
  const isNative = data.readUInt32LE(109) === 1
  const delegate = optionalKey(data, 72)
  const closeAuthority = optionalKey(data, 129)
  const amount = (at: number) => tokenAmountView(data.readBigUInt64LE(at), decimals)
  return {
    mint,
    owner: key(data, 32),
    tokenAmount: amount(64),
    ...(delegate === null ? {} : { delegate, delegatedAmount: amount(121) }),
    state: ACCOUNT_STATES[data[108] ?? 0] ?? 'uninitialized',
    isNative,
    ...(isNative ? { rentExemptReserve: amount(113) } : {}),
    ...(closeAuthority === null ? {} : { closeAuthority }),
    ...extensions(data),
  }
}

const lookupTableInfo = (data: Buffer) => ({
  deactivationSlot: data.readBigUInt64LE(4).toString(),
  lastExtendedSlot: data.readBigUInt64LE(12).toString(),
  lastExtendedSlotStartIndex: data[20] ?? 0,
  ...(data[21] === 1 ? { authority: key(data, 22) } : {}),
  addresses: Array.from({ length: Math.floor((data.length - LOOKUP_TABLE_ADDRESSES_AT) / 32) }, (_, index) =>
    key(data, LOOKUP_TABLE_ADDRESSES_AT + 32 * index),
  ),
})

const parse = (account: SolanaAccount, read: ReadAccount) => {
  const { owner, data } = account
  const program = owner === TOKEN_PROGRAMS.token ? 'spl-token' : 'spl-token-2022'
  const space = data.length
  const decimals = mintDecimals(account)
  if (decimals !== null) return { program, parsed: { type: 'mint', info: mintInfo(data, decimals) }, space }
  const info = tokenHolding(account) ? tokenAccountInfo(account, read) : null
  if (info) return { program, parsed: { type: 'account', info }, space }
  const isTable = owner === LOOKUP_TABLE_PROGRAM && data.length >= LOOKUP_TABLE_ADDRESSES_AT && data.readUInt32LE(0) === 1
  if (isTable) return { program: 'address-lookup-table', parsed: { type: 'lookupTable', info: lookupTableInfo(data) }, space }
  return null
}

/**
 * The `jsonParsed` form of mints, token accounts and lookup tables; null for everything else, which the RPC then shows in
 * base64. https://solana.com/docs/rpc#parsed-responses
 */
export const parsedAccount = (account: SolanaAccount, read: ReadAccount) => {
  try {
    return parse(account, read)
  } catch (error) {
    // Lengths in the data that point beyond its end.
    if (error instanceof RangeError) return null
    throw error
  }
}
