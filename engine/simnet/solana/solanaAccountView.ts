import { zstdCompressSync } from 'node:zlib'
import { base58 } from '@scure/base'
import type { SolanaAccount } from './solanaAccounts.ts'
import type { CallOptions } from './solanaParams.ts'
import { readWhole } from './solanaParams.ts'
import { parsedAccount } from './solanaParsedAccount.ts'
import { invalidParams, RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'

const BASE58_BYTES_MAX = 128
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed'

export type AccountStyle = {
  readonly encoding: AccountEncoding
  readonly slice: { readonly offset: number; readonly length: number } | null
}

const ENCODINGS: readonly string[] = [
  'binary',
  'base58',
  'base64',
  'base64+zstd',
  'jsonParsed',
] satisfies readonly AccountEncoding[]

/** How the caller wants accounts; `usual` is what the method gives when it does not say. */
export const readStyle = ({ encoding, dataSlice }: CallOptions, usual: AccountEncoding): AccountStyle => {
  const name = encoding ?? usual
  if (typeof name !== 'string' || !ENCODINGS.includes(name))
    throw invalidParams(
      `Invalid params: unknown variant \`${String(name)}\`, expected one of ${ENCODINGS.map((known) => `\`${known}\``).join(', ')}.`,
    )
  const { offset, length } = (dataSlice ?? { offset: 0, length: Number.MAX_SAFE_INTEGER }) as CallOptions
  const slice = dataSlice ? { offset: readWhole(offset, 'offset'), length: readWhole(length, 'length') } : null
  return { encoding: name as AccountEncoding, slice }
}

const encoded = (data: Buffer, encoding: AccountEncoding): unknown => {
  switch (encoding) {
    case 'binary':
    case 'base58': {
      if (data.length > BASE58_BYTES_MAX)
        throw new SolanaRpcError(
          RPC_CODE.invalidRequest,
          `Encoded binary (base 58) data should be less than ${BASE58_BYTES_MAX} bytes, please use Base64 encoding.`,
        )
      return encoding === 'binary' ? base58.encode(data) : [base58.encode(data), encoding]
    }
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), encoding]
    case 'base64':
    case 'jsonParsed':
      return [data.toString('base64'), 'base64']
  }
}

/**
 * An account as the RPC shows it; null for none. `read` finds the mint of a token account.
 * https://solana.com/docs/rpc/json-structures#accounts
 */
export const accountView = (
  account: SolanaAccount | null,
  { encoding, slice }: AccountStyle,
  read: (address: string) => SolanaAccount | null,
) => {
  if (!account) return null
  const { owner, lamports, data, isExecutable = false } = account
  const part = slice ? data.subarray(slice.offset, slice.offset + slice.length) : data
  const parsed = encoding === 'jsonParsed' ? parsedAccount(account, read) : null
  return {
    data: parsed ?? encoded(part, encoding),
    executable: isExecutable,
    lamports,
    owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: data.length,
  }
}
