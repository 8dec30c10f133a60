import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { SolanaAccount } from './solanaAccounts.ts'
import { failureNamed } from './solanaFailure.ts'
import { invalidParams } from './solanaRpcError.ts'
import {
  decodeSolanaWire,
  isSaneWire,
  type SolanaMessage,
  type SolanaWire,
  SolanaWireError,
  type WireLookup,
} from './solanaWire.ts'

/** An account of a transaction, in the order instructions count them. */
export type SolanaKey = {
  readonly address: string
  readonly isSigner: boolean
  readonly isWritable: boolean
  readonly isLoaded: boolean
}

/** A transaction that can be run: decoded, sane, with the addresses of its lookup tables. */
export type SolanaPrepared = {
  readonly signature: string
  readonly wire: SolanaWire
  readonly keys: readonly SolanaKey[]
}

type ReadAccount = (address: string) => SolanaAccount | null

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const TABLE_META_BYTES = 56
/** https://solana.com/docs/core/transactions: what fits into a packet. */
const WIRE_BYTES_MAX = 1_232

const refuse = (name: string) => invalidParams(`invalid transaction: ${failureNamed(name).text}`)

/** What a lookup table gives. No two transactions share a slot here, so none meets addresses added in its own. */
const tableAddresses = ({ table }: WireLookup, read: ReadAccount): readonly string[] => {
  const account = read(table)
  if (!account) throw refuse('AddressLookupTableNotFound')
  if (account.owner !== LOOKUP_TABLE_PROGRAM) throw refuse('InvalidAddressLookupTableOwner')
  const { data } = account
  if (data.length < TABLE_META_BYTES || data.readUInt32LE(0) !== 1) throw refuse('InvalidAddressLookupTableData')
  return Array.from({ length: Math.floor((data.length - TABLE_META_BYTES) / 32) }, (_, index) =>
    base58.encode(data.subarray(TABLE_META_BYTES + 32 * index, TABLE_META_BYTES + 32 * (index + 1))),
  )
}

const loadedKeys = ({ lookups }: SolanaMessage, read: ReadAccount): readonly SolanaKey[] => {
  const found = lookups.map((lookup) => ({ lookup, addresses: tableAddresses(lookup, read) }))
  const keysOf = (isWritable: boolean) =>
    found.flatMap(({ lookup, addresses }) =>
      (isWritable ? lookup.writable : lookup.readonly).map((index) => {
        const address = addresses[index]
        if (address === undefined) throw refuse('InvalidAddressLookupTableIndex')
        return { address, isSigner: false, isWritable, isLoaded: true }
      }),
    )
  return [...keysOf(true), ...keysOf(false)]
}

const staticKeys = ({ header, keys }: SolanaMessage): readonly SolanaKey[] =>
  keys.map((address, index) => {
    const isSigner = index < header.signatures
    const isWritable = isSigner
      ? index < header.signatures - header.readonlySigned
      : index < keys.length - header.readonlyUnsigned
    return { address, isSigner, isWritable, isLoaded: false }
  })

const decode = (bytes: Buffer): SolanaWire => {
  if (bytes.length > WIRE_BYTES_MAX)
    throw invalidParams(
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${WIRE_BYTES_MAX} bytes)`,
    )
  try {
    return decodeSolanaWire(bytes)
  } catch (error) {
    if (!(error instanceof SolanaWireError)) throw error
    throw invalidParams(`failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`)
  }
}

/** Reads what a caller sent. Throws SolanaRpcError as a node answers. */
export const prepareSolana = (bytes: Buffer, read: ReadAccount): SolanaPrepared => {
  const wire = decode(bytes)
  if (!isSaneWire(wire)) throw refuse('SanitizeFailure')
  const keys = [...staticKeys(wire.message), ...loadedKeys(wire.message, read)]
  return { signature: base58.encode(wire.signatures[0] ?? new Uint8Array(64)), wire, keys }
}

/** Is every signature there and true? */
export const isFullySigned = ({ wire: { signatures, message, messageBytes } }: SolanaPrepared): boolean =>
  signatures.every((signature, index) => {
    try {
      return ed25519.verify(signature, messageBytes, base58.decode(message.keys[index] ?? ''), { zip215: false })
    } catch {
      // A key or a signature that is no point of the curve.
      return false
    }
  })
