import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SeenDeposit } from './readDeposit.ts'

/** `deposit` of programs/svm-spoke, across-protocol/contracts. */
export const DEPOSIT_DISCRIMINATOR = 'f223c68952e1f2b6'
const MESSAGE_AT = 224

export type SolanaDeposit = {
  readonly deposit: Omit<SeenDeposit, 'depositId'>
  /** The arguments as they came, which the address of the delegate is derived from. */
  readonly args: Uint8Array
}

/** The deposit a call of Across's program makes, whether it can or not; null when it makes none. */
export const readSolana = ({ programId, data }: SimSolanaInstruction, spokePool: string): SolanaDeposit | null => {
  const bytes = Buffer.from(data)
  if (programId !== spokePool || bytes.toString('hex', 0, 8) !== DEPOSIT_DISCRIMINATOR) return null
  const args = bytes.subarray(8)
  const end = args.length < MESSAGE_AT ? null : MESSAGE_AT + args.readUInt32LE(MESSAGE_AT - 4)
  if (end === null || args.length < end) return null
  const wordAt = (offset: number): string => `0x${args.toString('hex', offset, offset + 32)}`
  const deposit = {
    depositor: wordAt(0),
    recipient: wordAt(32),
    inputToken: wordAt(64),
    outputToken: wordAt(96),
    inputAmount: args.readBigUInt64LE(128),
    outputAmount: BigInt(wordAt(136)),
    destinationWireId: args.readBigUInt64LE(168),
    exclusiveRelayer: wordAt(176),
    quoteTimestamp: args.readUInt32LE(208),
    fillDeadline: args.readUInt32LE(212),
    exclusivityDeadline: args.readUInt32LE(216),
    message: `0x${args.toString('hex', MESSAGE_AT, end)}`,
    swap: null,
  }
  return { deposit, args: args.subarray(0, end) }
}
