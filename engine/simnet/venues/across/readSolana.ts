import { base58 } from '@scure/base'
import type { SimTransaction } from '../../simVenue.ts'
import type { Network } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

const DISCRIMINATOR = 'f223c68952e1f2b6'

/** A cursor over the bytes of a wire transaction. */
class Bytes {
  readonly #bytes: Buffer
  #at = 0
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    if (taken.length !== length) throw new Error('failed to deserialize the transaction')
    this.#at += length
    return taken
  }
  peek(): number {
    return this.#bytes[this.#at] ?? 0
  }
  u8(): number {
    return this.take(1).readUInt8()
  }
  /** Compact-u16. */
  count(): number {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8()
      value |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) return value
    }
    throw new Error('failed to deserialize the transaction')
  }
}

type Instruction = { readonly program: string; readonly data: Buffer }

const readInstructions = (wire: Buffer): { payer: string; instructions: readonly Instruction[] } => {
  const bytes = new Bytes(wire)
  bytes.take(bytes.count() * 64)
  if ((bytes.peek() & 0x80) !== 0) bytes.u8()
  bytes.take(3)
  const keys = Array.from({ length: bytes.count() }, () => base58.encode(bytes.take(32)))
  bytes.take(32)
  const instructions = Array.from({ length: bytes.count() }, () => {
    const program = keys[bytes.u8()] ?? ''
    bytes.take(bytes.count())
    return { program, data: bytes.take(bytes.count()) }
  })
  return { payer: keys[0] ?? '', instructions }
}

const word = (bytes: Buffer): string => bytes.toString('hex')

/** The deposit a Solana transaction makes; null when it calls another program. Throws what the program would fail with. */
export const readSolana = ({ data }: SimTransaction, network: Network, now: number): SeenDeposit | null => {
  const { payer, instructions } = readInstructions(Buffer.from(data, 'base64'))
  const call = instructions.find(
    ({ program, data: bytes }) => program === network.spokePool && word(bytes.subarray(0, 8)) === DISCRIMINATOR,
  )
  if (!call) return null
  const args = call.data.subarray(8)
  const deposit: SeenDeposit = {
    depositor: word(args.subarray(0, 32)),
    recipient: word(args.subarray(32, 64)),
    inputToken: word(args.subarray(64, 96)),
    outputToken: word(args.subarray(96, 128)),
    inputAmount: args.readBigUInt64LE(128),
    outputAmount: BigInt(`0x${word(args.subarray(136, 168))}`),
    destinationWireId: args.readBigUInt64LE(168),
    quoteTimestamp: args.readUInt32LE(208),
    fillDeadline: args.readUInt32LE(212),
    message: word(args.subarray(224, 224 + args.readUInt32LE(220))),
    swap: null,
  }
  if (base58.encode(Buffer.from(deposit.depositor, 'hex')) !== payer) throw new Error('custom program error: InvalidDepositor')
  if (/^0*$/.test(deposit.outputToken)) throw new Error('custom program error: InvalidOutputToken')
  if (now - deposit.quoteTimestamp > 3_600 || now < deposit.quoteTimestamp)
    throw new Error('custom program error: InvalidQuoteTimestamp')
  if (deposit.fillDeadline > now + 21_600) throw new Error('custom program error: InvalidFillDeadline')
  return deposit
}
