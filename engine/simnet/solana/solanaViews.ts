import { base58 } from '@scure/base'
import { mintDecimals, type SolanaAccount, TOKEN_PROGRAMS, tokenHolding } from './solanaAccounts.ts'
import type { LandedTransaction, TokenBalance } from './solanaLedger.ts'
import type { SolanaKey } from './solanaPrepare.ts'
import type { InnerInstruction } from './solanaVm.ts'

type ReadAccount = (address: string) => SolanaAccount | null

const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n
const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const

const key = (data: Buffer, at: number): string => base58.encode(data.subarray(at, at + 32))

/** A key that is present when the four bytes before it are 1. */
const optionalKey = (data: Buffer, at: number): string | null => (data.readUInt32LE(at) === 1 ? key(data, at + 4) : null)

/** https://solana.com/docs/rpc/json-structures#token-balances */
export const tokenAmountView = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

const mintInfo = (data: Buffer, decimals: number) => ({
  mintAuthority: optionalKey(data, 0),
  supply: data.readBigUInt64LE(36).toString(),
  decimals,
  isInitialized: true,
  freezeAuthority: optionalKey(data, 46),
})

const tokenAccountInfo = (data: Buffer, decimals: number) => {
  const isNative = data.readUInt32LE(109) === 1
  const delegate = optionalKey(data, 72)
  const amount = (at: number) => tokenAmountView(data.readBigUInt64LE(at), decimals)
  return {
    mint: key(data, 0),
    owner: key(data, 32),
    tokenAmount: amount(64),
    ...(delegate === null ? {} : { delegate, delegatedAmount: amount(121) }),
    state: ACCOUNT_STATES[data[108] ?? 0] ?? 'uninitialized',
    isNative,
    ...(isNative ? { rentExemptReserve: amount(113) } : {}),
  }
}

/** The `jsonParsed` form of mints and token accounts; null for all others. https://solana.com/docs/rpc#parsed-responses */
const parsedData = (account: SolanaAccount, read: ReadAccount) => {
  const { owner, data } = account
  const program = owner === TOKEN_PROGRAMS.token ? 'spl-token' : 'spl-token-2022'
  const own = mintDecimals(account)
  if (own !== null) return { program, parsed: { type: 'mint', info: mintInfo(data, own) }, space: data.length }
  const holding = tokenHolding(account)
  const decimals = holding && mintDecimals(read(holding.mint))
  if (decimals === null) return null
  return { program, parsed: { type: 'account', info: tokenAccountInfo(data, decimals) }, space: data.length }
}

export type AccountEncoding = 'base64' | 'jsonParsed'

/** An account of the RPC. `read` finds the mint of a token account. https://solana.com/docs/rpc/json-structures#accounts */
export const accountView = (account: SolanaAccount | null, encoding: AccountEncoding, read: ReadAccount) => {
  if (!account) return null
  const { owner, lamports, data, isExecutable = false } = account
  const parsed = encoding === 'jsonParsed' ? parsedData(account, read) : null
  return {
    data: parsed ?? [data.toString('base64'), 'base64'],
    executable: isExecutable,
    lamports,
    owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: data.length,
  }
}

/** Null where the transaction does not name an account of it. */
const innerView = ({ program, accounts, data, stackHeight }: InnerInstruction, keys: readonly SolanaKey[]) => {
  const place = (address: string): number => keys.findIndex((named) => named.address === address)
  const [programIdIndex = -1, ...places] = [program, ...accounts].map(place)
  return programIdIndex < 0 || places.includes(-1)
    ? null
    : { programIdIndex, accounts: places, data: base58.encode(data), stackHeight }
}

const tokenBalanceView = ({ index, mint, owner, program, amount, decimals }: TokenBalance) => ({
  accountIndex: index,
  mint,
  owner,
  programId: program,
  uiTokenAmount: tokenAmountView(amount, decimals),
})

const metaView = ({ keys, outcome, fee, before, after }: LandedTransaction) => {
  const loaded = (isWritable: boolean) =>
    keys.filter((named) => named.isLoaded && named.isWritable === isWritable).map(({ address }) => address)
  const inner = outcome.inner.map((list) => list.flatMap((entry) => innerView(entry, keys) ?? []))
  return {
    err: outcome.failure,
    status: outcome.failure === null ? { Ok: null } : { Err: outcome.failure },
    fee,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens.map(tokenBalanceView),
    postTokenBalances: after.tokens.map(tokenBalanceView),
    innerInstructions: inner.flatMap((instructions, index) => (instructions.length === 0 ? [] : [{ index, instructions }])),
    logMessages: outcome.logs,
    rewards: [],
    computeUnitsConsumed: outcome.unitsConsumed,
    loadedAddresses: { writable: loaded(true), readonly: loaded(false) },
  }
}

const messageView = ({ wire: { message } }: LandedTransaction) => ({
  accountKeys: message.staticAccountKeys.map((each) => each.toBase58()),
  header: message.header,
  recentBlockhash: message.recentBlockhash,
  instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: accountKeyIndexes,
    data: base58.encode(data),
    stackHeight: null,
  })),
  ...(message.version === 'legacy'
    ? {}
    : {
        addressTableLookups: message.addressTableLookups.map(({ accountKey, ...indexes }) => ({
          accountKey: accountKey.toBase58(),
          ...indexes,
        })),
      }),
})

/** A transaction of `getTransaction`: https://solana.com/docs/rpc/http/gettransaction */
export const transactionView = (landed: LandedTransaction, encoding: 'json' | 'base64') => {
  const { wire, slot, blockTime } = landed
  const signatures = wire.signatures.map((signature) => base58.encode(signature))
  const transaction =
    encoding === 'base64'
      ? [Buffer.from(wire.serialize()).toString('base64'), encoding]
      : { signatures, message: messageView(landed) }
  return { slot, blockTime, transaction, meta: metaView(landed), version: wire.message.version }
}
