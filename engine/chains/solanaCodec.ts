import { base58 } from '@scure/base'
import type { Address } from '../core/address.ts'
import { solanaProgramAddress } from './solanaProgramAddress.ts'

/**
 * Solana wire transactions, read and written. @solana/web3.js is slow to import and only needed once something is
 * built or proved, so it is loaded on first use.
 */
const web3 = () => import('@solana/web3.js')

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address

export type SolanaInstruction = {
  readonly programId: Address
  /** Null where the address comes from a lookup table, which the bytes alone do not tell. */
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

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** A Solana packet: nothing longer can be sent. */
const WIRE_BYTES_MAX = 1232

/** Reads a base64 transaction, legacy or v0, signed or not. Null when it is none, or when bytes are left over. */
export const decodeSolanaTransaction = async (base64: string): Promise<SolanaTransaction | null> => {
  if (!BASE64.test(base64)) return null
  const wire = Buffer.from(base64, 'base64')
  if (wire.length === 0 || wire.length > WIRE_BYTES_MAX) return null
  const { VersionedTransaction } = await web3()
  try {
    const transaction = VersionedTransaction.deserialize(new Uint8Array(wire))
    if (!wire.equals(Buffer.from(transaction.serialize()))) return null
    const { header, staticAccountKeys, compiledInstructions, addressTableLookups, recentBlockhash } = transaction.message
    const keys = staticAccountKeys.map((key) => key.toBase58() as Address)
    const [feePayer] = keys
    if (feePayer === undefined) return null
    const instructions = compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => {
      const programId = keys[programIdIndex]
      if (programId === undefined) throw new RangeError('a program cannot come from a lookup table')
      return { programId, accounts: accountKeyIndexes.map((index) => keys[index] ?? null), data: new Uint8Array(data) }
    })
    const signers = keys.slice(0, header.numRequiredSignatures)
    return { feePayer, signers, recentBlockhash, instructions, usesLookupTables: addressTableLookups.length > 0 }
  } catch {
    return null
  }
}

export type SolanaAccountMeta = { readonly address: string; readonly isSigner?: boolean; readonly isWritable?: boolean }

export type SolanaInstructionPlan = {
  readonly programId: string
  readonly accounts: readonly SolanaAccountMeta[]
  readonly data: Uint8Array
}

/** Base64 of an unsigned v0 transaction without lookup tables. */
export const encodeSolanaTransaction = async (plan: {
  readonly feePayer: string
  readonly recentBlockhash: string
  readonly instructions: readonly SolanaInstructionPlan[]
}): Promise<string> => {
  const { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } = await web3()
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
  const message = new TransactionMessage({
    payerKey: new PublicKey(plan.feePayer),
    recentBlockhash: plan.recentBlockhash,
    instructions,
  }).compileToV0Message()
  return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
}

/** The associated token account of an owner, which may itself be a derived address. */
export const associatedTokenAddress = (owner: string, mint: string, tokenProgram: string = TOKEN_PROGRAM): Address =>
  solanaProgramAddress(
    ASSOCIATED_TOKEN_PROGRAM,
    [owner, tokenProgram, mint].map((key) => base58.decode(key)),
  )
