import { base58 } from '@scure/base'

export type WireInstruction = { readonly program: number; readonly accounts: readonly number[]; readonly data: Buffer }
export type WireLookup = { readonly table: string; readonly writable: readonly number[]; readonly readonly: readonly number[] }

/** https://solana.com/docs/core/transactions: a message, legacy or v0. */
export type SolanaMessage = {
  readonly version: 'legacy' | 0
  readonly header: { readonly signatures: number; readonly readonlySigned: number; readonly readonlyUnsigned: number }
  /** Those written in the message itself, the fee payer first. */
  readonly keys: readonly string[]
  readonly blockhash: string
  readonly instructions: readonly WireInstruction[]
  readonly lookups: readonly WireLookup[]
}

/** A transaction as it travels. */
export type SolanaWire = {
  readonly signatures: readonly Buffer[]
  readonly message: SolanaMessage
  /** What the signatures sign. */
  readonly messageBytes: Buffer
  /** The whole of it, without anything that came after it. */
  readonly bytes: Buffer
}

/** The bytes are no transaction. */
export class SolanaWireError extends Error {
  override readonly name = 'SolanaWireError'
}

/** A cursor over wire bytes, as strict as the nodes' own: LiteSVM ends the process on what it cannot read. */
class WireReader {
  readonly bytes: Buffer
  at = 0
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  take(length: number): Buffer {
    const taken = this.bytes.subarray(this.at, this.at + length)
    if (taken.length !== length) throw new SolanaWireError('failed to fill whole buffer')
    this.at += length
    return taken
  }
  u8(): number {
    return this.take(1).readUInt8()
  }
  key(): string {
    return base58.encode(this.take(32))
  }
  /** Compact-u16 in its one canonical form. */
  length(): number {
    let value = 0
    for (let index = 0; index < 3; index++) {
      const byte = this.u8()
      value |= (byte & 0x7f) << (7 * index)
      if ((byte & 0x80) !== 0) continue
      if ((byte === 0 && index > 0) || value > 0xffff) throw new SolanaWireError('invalid length encoding')
      return value
    }
    throw new SolanaWireError('invalid length encoding')
  }
  list<T>(read: () => T): readonly T[] {
    return Array.from({ length: this.length() }, read)
  }
  indexes(): readonly number[] {
    return [...this.take(this.length())]
  }
}

const readMessage = (reader: WireReader): SolanaMessage => {
  const first = reader.u8()
  const isVersioned = (first & 0x80) !== 0
  if (isVersioned && first !== 0x80) throw new SolanaWireError(`unsupported message version ${first & 0x7f}`)
  const header = {
    signatures: isVersioned ? reader.u8() : first,
    readonlySigned: reader.u8(),
    readonlyUnsigned: reader.u8(),
  }
  const keys = reader.list(() => reader.key())
  const blockhash = reader.key()
  const instructions = reader.list(() => ({
    program: reader.u8(),
    accounts: reader.indexes(),
    data: Buffer.from(reader.take(reader.length())),
  }))
  const lookups = isVersioned
    ? reader.list(() => ({ table: reader.key(), writable: reader.indexes(), readonly: reader.indexes() }))
    : []
  return { version: isVersioned ? 0 : 'legacy', header, keys, blockhash, instructions, lookups }
}

/** Reads a message alone. Throws SolanaWireError. */
export const decodeSolanaMessage = (bytes: Buffer): SolanaMessage => readMessage(new WireReader(bytes))

/** Reads a transaction; what comes after it is left out, as nodes do. Throws SolanaWireError. */
export const decodeSolanaWire = (bytes: Buffer): SolanaWire => {
  const reader = new WireReader(bytes)
  const signatures = reader.list(() => Buffer.from(reader.take(64)))
  const messageAt = reader.at
  const message = readMessage(reader)
  return { signatures, message, messageBytes: bytes.subarray(messageAt, reader.at), bytes: bytes.subarray(0, reader.at) }
}

/** Compact-u16. */
const compact = (value: number): Buffer =>
  value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), compact(value >> 7)])

const sized = (bytes: Uint8Array): Buffer => Buffer.concat([compact(bytes.length), bytes])

/** The bytes of a v0 transaction without lookup tables, however long. */
export const encodeSolanaWire = (
  signatures: readonly Buffer[],
  { header, keys, blockhash, instructions }: Pick<SolanaMessage, 'header' | 'keys' | 'blockhash' | 'instructions'>,
): Buffer =>
  Buffer.concat([
    compact(signatures.length),
    ...signatures,
    Buffer.of(0x80, header.signatures, header.readonlySigned, header.readonlyUnsigned),
    compact(keys.length),
    ...[...keys, blockhash].map((key) => base58.decode(key)),
    compact(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [Buffer.of(program), sized(Buffer.from(accounts)), sized(data)]),
    compact(0),
  ])

/** The same transaction with another blockhash, which its signatures do not cover. */
export const withBlockhash = ({ bytes, messageBytes, message: { version, keys } }: SolanaWire, blockhash: string): SolanaWire => {
  const copy = Buffer.from(bytes)
  const keyLengthBytes = keys.length < 0x80 ? 1 : 2
  const blockhashAt = bytes.length - messageBytes.length + (version === 0 ? 4 : 3) + keyLengthBytes + 32 * keys.length
  copy.set(base58.decode(blockhash), blockhashAt)
  return decodeSolanaWire(copy)
}

/** What a node checks of a transaction before anything else: every index points somewhere, every signer has a signature. */
export const isSaneMessage = ({ header, keys, instructions, lookups }: SolanaMessage): boolean => {
  const loaded = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)
  const total = keys.length + loaded
  return (
    header.signatures + header.readonlyUnsigned <= keys.length &&
    header.readonlySigned < header.signatures &&
    total <= 256 &&
    lookups.every(({ writable, readonly }) => writable.length + readonly.length > 0) &&
    instructions.every(
      ({ program, accounts }) => program > 0 && program < keys.length && accounts.every((account) => account < total),
    )
  )
}

export const isSaneWire = ({ signatures, message }: SolanaWire): boolean =>
  signatures.length === message.header.signatures && isSaneMessage(message)
