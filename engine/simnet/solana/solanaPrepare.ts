import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { COMPUTE_BUDGET_PROGRAM, readSolanaWire, SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import type { SimSolanaInstruction } from '../kit/simVenue.ts'
import { LOOKUP_TABLE_PROGRAM, type SolanaAccount } from './solanaAccounts.ts'
import { invalidParams } from './solanaRpcError.ts'

/** By version, as `@solana-program/memo` names them. */
export const MEMO_PROGRAMS = {
  v4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  v3: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  v1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
} as const

/** An account of a transaction, in the order of its indexes. */
export type SolanaKey = {
  readonly address: string
  readonly isSigner: boolean
  readonly isWritable: boolean
  /** It comes from a lookup table. */
  readonly isLoaded: boolean
}

type SolanaWire = NonNullable<Awaited<ReturnType<typeof readSolanaWire>>>

/** A valid transaction, with the addresses of its lookup tables. */
export type SolanaPrepared = {
  readonly signature: string
  readonly wire: SolanaWire
  readonly keys: readonly SolanaKey[]
  readonly instructions: readonly SimSolanaInstruction[]
}

type ReadAccount = (address: string) => SolanaAccount | null
type Message = SolanaWire['message']

const refuse = (reason: string) => invalidParams(`invalid transaction: ${reason}`)

const TABLE_META_BYTES = 56

const loadedKeys = (message: Message, read: ReadAccount): readonly SolanaKey[] => {
  const found = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => {
    const table = read(accountKey.toBase58())
    if (table?.owner !== LOOKUP_TABLE_PROGRAM) throw refuse('there is no such lookup table')
    const addressAt = (index: number): string => {
      const bytes = table.data.subarray(TABLE_META_BYTES + 32 * index, TABLE_META_BYTES + 32 * (index + 1))
      if (bytes.length < 32) throw refuse('the lookup table has no such index')
      return base58.encode(bytes)
    }
    return { writable: writableIndexes.map(addressAt), readonly: readonlyIndexes.map(addressAt) }
  })
  const keysOf = (addresses: readonly string[], isWritable: boolean) =>
    addresses.map((address) => ({ address, isSigner: false, isWritable, isLoaded: true }))
  return [...found.flatMap(({ writable }) => keysOf(writable, true)), ...found.flatMap(({ readonly }) => keysOf(readonly, false))]
}

/** LiteSVM ends the process on indexes that point nowhere. */
const isSane = ({ header, staticAccountKeys, compiledInstructions }: Message, accounts: number): boolean =>
  header.numRequiredSignatures + header.numReadonlyUnsignedAccounts <= staticAccountKeys.length &&
  header.numReadonlySignedAccounts < header.numRequiredSignatures &&
  accounts <= 256 &&
  compiledInstructions.every(
    ({ programIdIndex, accountKeyIndexes }) =>
      programIdIndex > 0 && programIdIndex < staticAccountKeys.length && accountKeyIndexes.every((index) => index < accounts),
  )

/** Reads a transaction of a caller, in base64. Throws SolanaRpcError. */
export const prepareSolana = async (base64: string, read: ReadAccount): Promise<SolanaPrepared> => {
  const wire = await readSolanaWire(base64)
  if (!wire) throw invalidParams('failed to deserialize solana_transaction::versioned::VersionedTransaction')
  const { message, signatures } = wire
  const staticKeys = message.staticAccountKeys.map((key, index) => ({
    address: key.toBase58(),
    isSigner: message.isAccountSigner(index),
    isWritable: message.isAccountWritable(index),
    isLoaded: false,
  }))
  const keys = [...staticKeys, ...loadedKeys(message, read)]
  if (!isSane(message, keys.length)) throw refuse('Transaction failed to sanitize accounts offsets correctly')
  const addressAt = (index: number): string => keys[index]?.address ?? SYSTEM_PROGRAM
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programId: addressAt(programIdIndex),
    accounts: accountKeyIndexes.map(addressAt),
    data: new Uint8Array(data),
  }))
  return { signature: base58.encode(signatures[0] ?? new Uint8Array(64)), wire, keys, instructions }
}

/** Whether every signature is valid. */
export const isFullySigned = ({ wire: { signatures, message }, keys }: SolanaPrepared): boolean => {
  const signed = message.serialize()
  return signatures.every((signature, index) => {
    try {
      return ed25519.verify(signature, signed, base58.decode(keys[index]?.address ?? ''), { zip215: false })
    } catch {
      // A key or a signature that is no point of the curve.
      return false
    }
  })
}

/** The texts of the memo programs, in order. */
export const memosOf = ({ instructions }: SolanaPrepared): readonly string[] =>
  instructions.flatMap(({ programId, data }) =>
    Object.values<string>(MEMO_PROGRAMS).includes(programId) ? [Buffer.from(data).toString('utf8')] : [],
  )

/** https://solana.com/docs/core/fees */
const LAMPORTS_PER_SIGNATURE = 5_000n
const [UNITS_MAX, UNITS_PER_INSTRUCTION, UNITS_PER_BUILTIN] = [1_400_000n, 200_000n, 3_000n]
const MICRO = 1_000_000n
/** https://github.com/solana-foundation/solana-improvement-documents/blob/main/proposals/0170-builtin-instruction-cost-and-budget.md */
const BUILTINS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM]

/** The fee of a transaction, in lamports: for its signatures, and for the compute units that it may use. */
export const solanaFee = ({ wire, instructions }: SolanaPrepared): bigint => {
  let limit: bigint | null = null
  let price = 0n
  let usual = 0n
  for (const { programId, data } of instructions) {
    usual += BUILTINS.includes(programId) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION
    const bytes = Buffer.from(data)
    if (programId === COMPUTE_BUDGET_PROGRAM && bytes[0] === 2 && bytes.length >= 5) limit = BigInt(bytes.readUInt32LE(1))
    if (programId === COMPUTE_BUDGET_PROGRAM && bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1)
  }
  const asked = limit ?? usual
  const units = asked > UNITS_MAX ? UNITS_MAX : asked
  const signatures = BigInt(wire.message.header.numRequiredSignatures)
  return signatures * LAMPORTS_PER_SIGNATURE + (price * units + MICRO - 1n) / MICRO
}
