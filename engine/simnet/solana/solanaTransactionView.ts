import { base58 } from '@scure/base'
import type { LandedTransaction, TokenBalance } from './solanaLedger.ts'
import { tokenAmountView } from './solanaParsedAccount.ts'
import type { SolanaKey } from './solanaPrepare.ts'
import { invalidParams, RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import type { InnerInstruction, VmOutcome } from './solanaVm.ts'
import type { WireInstruction } from './solanaWire.ts'

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58'

const ENCODINGS: readonly unknown[] = ['json', 'jsonParsed', 'base64', 'base58'] satisfies readonly TransactionEncoding[]

export const readTransactionEncoding = (value: unknown): TransactionEncoding => {
  if (ENCODINGS.includes(value)) return value as TransactionEncoding
  throw invalidParams(
    `Invalid params: unknown variant \`${String(value)}\`, expected one of ${ENCODINGS.map((name) => `\`${name}\``).join(', ')}.`,
  )
}

/** Instructions of one nesting, with keys by number, or written out as the parsed form wants them. */
const instructionView = (
  { program, accounts, data, stackHeight }: (WireInstruction | InnerInstruction) & { readonly stackHeight?: number },
  keys: readonly SolanaKey[],
  isParsed: boolean,
) => {
  const height = stackHeight ?? null
  if (!isParsed) return { programIdIndex: program, accounts, data: base58.encode(data), stackHeight: height }
  const address = (index: number) => keys[index]?.address ?? null
  return { programId: address(program), accounts: accounts.map(address), data: base58.encode(data), stackHeight: height }
}

export const innerInstructionsView = ({ inner }: VmOutcome, keys: readonly SolanaKey[], isParsed: boolean) =>
  inner.flatMap((list, index) =>
    list.length === 0 ? [] : [{ index, instructions: list.map((entry) => instructionView(entry, keys, isParsed)) }],
  )

export const returnDataView = ({ returnData }: VmOutcome) =>
  returnData && { programId: returnData.program, data: [returnData.data.toString('base64'), 'base64'] }

const tokenBalanceView = ({ index, mint, owner, program, amount, decimals }: TokenBalance) => ({
  accountIndex: index,
  mint,
  owner,
  programId: program,
  uiTokenAmount: tokenAmountView(amount, decimals),
})

const loadedAddresses = (keys: readonly SolanaKey[]) => {
  const loaded = keys.filter(({ isLoaded }) => isLoaded)
  const addresses = (isWritable: boolean) => loaded.filter((key) => key.isWritable === isWritable).map(({ address }) => address)
  return { writable: addresses(true), readonly: addresses(false) }
}

const metaView = ({ keys, outcome, fee, before, after }: LandedTransaction, isParsed: boolean) => ({
  err: outcome.failure?.json ?? null,
  status: outcome.failure ? { Err: outcome.failure.json } : { Ok: null },
  fee,
  preBalances: before.lamports,
  postBalances: after.lamports,
  preTokenBalances: before.tokens.map(tokenBalanceView),
  postTokenBalances: after.tokens.map(tokenBalanceView),
  innerInstructions: innerInstructionsView(outcome, keys, isParsed),
  logMessages: outcome.logs,
  rewards: [],
  computeUnitsConsumed: outcome.unitsConsumed,
  ...(isParsed ? {} : { loadedAddresses: loadedAddresses(keys) }),
  ...(outcome.returnData ? { returnData: returnDataView(outcome) } : {}),
})

const messageView = ({ wire: { message }, keys }: LandedTransaction, isParsed: boolean) => {
  const { header, blockhash, instructions, lookups, version } = message
  const tables = lookups.map(({ table, writable, readonly }) => ({
    accountKey: table,
    writableIndexes: writable,
    readonlyIndexes: readonly,
  }))
  const accountKeys = isParsed
    ? keys.map(({ address, isSigner, isWritable, isLoaded }) => ({
        pubkey: address,
        signer: isSigner,
        writable: isWritable,
        source: isLoaded ? 'lookupTable' : 'transaction',
      }))
    : message.keys
  const counts = {
    numRequiredSignatures: header.signatures,
    numReadonlySignedAccounts: header.readonlySigned,
    numReadonlyUnsignedAccounts: header.readonlyUnsigned,
  }
  return {
    accountKeys,
    ...(isParsed ? {} : { header: counts }),
    recentBlockhash: blockhash,
    instructions: instructions.map((entry) => instructionView(entry, keys, isParsed)),
    ...(version === 'legacy' ? {} : { addressTableLookups: tables }),
  }
}

const encodedView = (transaction: LandedTransaction, encoding: TransactionEncoding): unknown => {
  const { wire } = transaction
  if (encoding === 'base64') return [wire.bytes.toString('base64'), encoding]
  if (encoding === 'base58') return [base58.encode(wire.bytes), encoding]
  const signatures = wire.signatures.map((signature) => base58.encode(signature))
  return { signatures, message: messageView(transaction, encoding === 'jsonParsed') }
}

/**
 * A landed transaction as `getTransaction` tells it. `maxVersion` is the newest version its reader knows, null for one
 * that only knows legacy ones. No instruction is parsed: the parsed form has them as of programs nobody knows.
 * https://solana.com/docs/rpc/http/gettransaction
 */
export const transactionView = (
  transaction: LandedTransaction,
  { encoding, maxVersion }: { readonly encoding: TransactionEncoding; readonly maxVersion: number | null },
) => {
  const { version } = transaction.wire.message
  if (version !== 'legacy' && maxVersion === null)
    throw new SolanaRpcError(
      RPC_CODE.unsupportedVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  return {
    slot: transaction.slot,
    blockTime: transaction.blockTime,
    transaction: encodedView(transaction, encoding),
    meta: metaView(transaction, encoding === 'jsonParsed'),
    ...(maxVersion === null ? {} : { version }),
  }
}
