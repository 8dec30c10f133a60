import { base58 } from '@scure/base'
import type { MessageAddressTableLookup, PublicKey, VersionedTransaction } from '@solana/web3.js'
import type { Address } from '../../core/address.ts'
import { solanaProgramAddress } from './solanaProgramAddress.ts'

/**
 * Solana wire transactions, read and written. @solana/web3.js is slow to import and only needed once something is
 * built or proved, so it is loaded on first use.
 */
const web3 = () => import('@solana/web3.js')

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address

export type SolanaInstruction = {
  readonly programId: Address
  /** Null where the address comes from a lookup table, which the bytes alone do not show. */
  readonly accounts: readonly (Address | null)[]
  readonly data: Uint8Array
}

export type SolanaTransaction = {
  readonly feePayer: Address
  /** All whose signatures the transaction needs, the fee payer first. */
  readonly signers: readonly Address[]
  readonly recentBlockhash: string
  /** The top-level instructions, in order. */
  readonly instructions: readonly SolanaInstruction[]
  readonly usesLookupTables: boolean
}

/** A Solana packet: nothing longer can be sent. */
const WIRE_BYTES_MAX = 1232

/** Lookup tables by address, each its addresses in order. */
export type SolanaLookupTables = ReadonlyMap<string, readonly Address[]>

/** A base64 transaction as the SDK reads it; null when it is invalid, or when bytes are left over. */
export const readSolanaWire = async (base64: string): Promise<VersionedTransaction | null> => {
  const wire = Buffer.from(base64, 'base64')
  if (wire.length === 0 || wire.length > WIRE_BYTES_MAX) return null
  // Nodes read strictly: they reject text without padding, or with bits left over.
  if (wire.toString('base64') !== base64) return null
  const { VersionedTransaction } = await web3()
  try {
    const transaction = VersionedTransaction.deserialize(new Uint8Array(wire))
    return wire.equals(Buffer.from(transaction.serialize())) ? transaction : null
  } catch {
    return null
  }
}

/** The bytes that the signatures of a base64 transaction cover; null when it is invalid. */
export const solanaMessageOf = async (base64: string): Promise<Uint8Array | null> =>
  (await readSolanaWire(base64))?.message.serialize() ?? null

/** The lookup tables a base64 transaction names, in its order; none when it is no transaction. */
export const lookupTablesOf = async (base64: string): Promise<readonly Address[]> => {
  const transaction = await readSolanaWire(base64)
  return (transaction?.message.addressTableLookups ?? []).map(({ accountKey }) => accountKey.toBase58() as Address)
}

/** The addresses that the lookups of a message name, in the order of its numbers: all written ones, then all read ones. */
const lookedUp = (lookups: readonly MessageAddressTableLookup[], tables: SolanaLookupTables): readonly (Address | null)[] => {
  const at = (table: PublicKey, indexes: readonly number[]) =>
    indexes.map((index) => tables.get(table.toBase58())?.[index] ?? null)
  return [
    ...lookups.flatMap(({ accountKey, writableIndexes }) => at(accountKey, writableIndexes)),
    ...lookups.flatMap(({ accountKey, readonlyIndexes }) => at(accountKey, readonlyIndexes)),
  ]
}

/**
 * Reads a base64 transaction, legacy or v0, signed or not. Null when it is invalid, or when bytes are left over. Accounts from
 * lookup tables are named when the tables are given.
 */
export const decodeSolanaTransaction = async (
  base64: string,
  tables: SolanaLookupTables = new Map(),
): Promise<SolanaTransaction | null> => {
  const transaction = await readSolanaWire(base64)
  if (!transaction) return null
  try {
    const { header, staticAccountKeys, compiledInstructions, addressTableLookups, recentBlockhash } = transaction.message
    const keys = staticAccountKeys.map((key) => key.toBase58() as Address)
    const [feePayer] = keys
    if (feePayer === undefined) return null
    const accounts: readonly (Address | null)[] = [...keys, ...lookedUp(addressTableLookups, tables)]
    const instructions = compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => {
      const programId = keys[programIdIndex]
      if (programId === undefined) throw new RangeError('a program cannot come from a lookup table')
      return { programId, accounts: accountKeyIndexes.map((index) => accounts[index] ?? null), data: new Uint8Array(data) }
    })
    const signers = keys.slice(0, header.numRequiredSignatures)
    return { feePayer, signers, recentBlockhash, instructions, usesLookupTables: addressTableLookups.length > 0 }
  } catch {
    return null
  }
}

/** Reads one lookup table. Null: it does not exist, and the accounts that it would name stay unnamed. */
type ReadTable = (address: Address) => Promise<readonly Address[] | null>

export const readLookupTables = async (addresses: readonly Address[], read: ReadTable): Promise<SolanaLookupTables> =>
  new Map(await Promise.all(addresses.map(async (address) => [address, (await read(address)) ?? []] as const)))

/** As decodeSolanaTransaction, with the accounts that the transaction's own lookup tables name. Throws what `read` throws. */
export const decodeWithTables = async (base64: string, read: ReadTable): Promise<SolanaTransaction | null> =>
  decodeSolanaTransaction(base64, await readLookupTables(await lookupTablesOf(base64), read))

export type SolanaAccountMeta = { readonly address: string; readonly isSigner?: boolean; readonly isWritable?: boolean }

export type SolanaInstructionPlan = {
  readonly programId: string
  readonly accounts: readonly SolanaAccountMeta[]
  readonly data: Uint8Array
}

export type SolanaTransactionPlan = {
  readonly feePayer: string
  readonly recentBlockhash: string
  readonly instructions: readonly SolanaInstructionPlan[]
}

const compile = async (plan: SolanaTransactionPlan, tables: SolanaLookupTables): Promise<Buffer> => {
  const { AddressLookupTableAccount, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } = await web3()
  const instructions = plan.instructions.map(
    ({ programId, accounts, data }) =>
      new TransactionInstruction({
        programId: new PublicKey(programId),
        keys: accounts.map(({ address, isSigner = false, isWritable = false }) => ({
          pubkey: new PublicKey(address),
          isSigner,
          isWritable,
        })),
        data: Buffer.from(data),
      }),
  )
  const lookups = [...tables].map(([address, addresses]) => {
    const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 }
    const key = new PublicKey(address)
    return new AddressLookupTableAccount({ key, state: { ...state, addresses: addresses.map((each) => new PublicKey(each)) } })
  })
  const { feePayer, recentBlockhash } = plan
  const message = new TransactionMessage({ payerKey: new PublicKey(feePayer), recentBlockhash, instructions })
  return Buffer.from(new VersionedTransaction(message.compileToV0Message(lookups)).serialize())
}

/** Base64 of an unsigned v0 transaction without lookup tables. */
export const encodeSolanaTransaction = async (plan: SolanaTransactionPlan): Promise<string> =>
  (await compile(plan, new Map())).toString('base64')

/** What a message can number: its accounts are single bytes. */
const ACCOUNTS_MAX = 256

const accountsIn = ({ feePayer, instructions }: SolanaTransactionPlan): ReadonlySet<string> =>
  new Set([
    feePayer,
    ...instructions.flatMap(({ programId, accounts }) => [programId, ...accounts.map(({ address }) => address)]),
  ])

/** As `encodeSolanaTransaction`, with lookup tables; null when it is longer than a packet, and cannot be sent. */
export const packSolanaTransaction = async (plan: SolanaTransactionPlan, tables: SolanaLookupTables): Promise<string | null> => {
  if (accountsIn(plan).size > ACCOUNTS_MAX) return null
  try {
    const wire = await compile(plan, tables)
    return wire.length > WIRE_BYTES_MAX ? null : wire.toString('base64')
  } catch (error) {
    // Thrown by the SDK for a message that is longer than a packet by itself.
    if (error instanceof RangeError || error instanceof TypeError) return null
    throw error
  }
}

/** The associated token account of an owner, which may itself be a derived address. */
export const associatedTokenAddress = (owner: string, mint: string, tokenProgram: string = TOKEN_PROGRAM): Address =>
  solanaProgramAddress(
    ASSOCIATED_TOKEN_PROGRAM,
    [owner, tokenProgram, mint].map((key) => base58.decode(key)),
  )
