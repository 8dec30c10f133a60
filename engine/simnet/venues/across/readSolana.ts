import { base58 } from '@scure/base'
import type { SimTransaction } from '../../simVenue.ts'
import type { Network } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

/** `deposit` of programs/svm-spoke, across-protocol/contracts. */
const DISCRIMINATOR = 'f223c68952e1f2b6'
const FIXED_BYTES = 224

const word = (bytes: Buffer): string => bytes.toString('hex')

type Deposit = Omit<SeenDeposit, 'depositId'>

/** A deposit that the program takes, or what it fails with. */
export type SolanaDeposit = { readonly deposit: Deposit } | { readonly deposit: null; readonly refusal: string }

const readArguments = (args: Buffer): Deposit => ({
  depositor: word(args.subarray(0, 32)),
  recipient: word(args.subarray(32, 64)),
  inputToken: word(args.subarray(64, 96)),
  outputToken: word(args.subarray(96, 128)),
  inputAmount: args.readBigUInt64LE(128),
  outputAmount: BigInt(`0x${word(args.subarray(136, 168))}`),
  destinationWireId: args.readBigUInt64LE(168),
  exclusiveRelayer: word(args.subarray(176, 208)),
  exclusivityDeadline: args.readUInt32LE(216),
  quoteTimestamp: args.readUInt32LE(208),
  fillDeadline: args.readUInt32LE(212),
  message: word(args.subarray(FIXED_BYTES, FIXED_BYTES + args.readUInt32LE(220))),
  swap: null,
})

const refusalOf = (deposit: Deposit, payer: string, now: number): string | null => {
  if (base58.encode(Buffer.from(deposit.depositor, 'hex')) !== payer) return 'InvalidDepositor'
  if (/^0*$/.test(deposit.outputToken)) return 'InvalidOutputToken'
  if (now - deposit.quoteTimestamp > 3_600 || now < deposit.quoteTimestamp) return 'InvalidQuoteTimestamp'
  return deposit.fillDeadline > now + 21_600 ? 'InvalidFillDeadline' : null
}

/** The deposit a transaction that landed on Solana makes; null when it makes none. `now` in unix seconds. */
export const readSolana = ({ solana }: SimTransaction, { spokePool }: Network, now: number): SolanaDeposit | null => {
  const call = solana?.instructions.find(
    ({ programId, data }) => programId === spokePool && word(Buffer.from(data.subarray(0, 8))) === DISCRIMINATOR,
  )
  if (!call) return null
  const args = Buffer.from(call.data.subarray(8))
  const refuse = (reason: string): SolanaDeposit => ({ deposit: null, refusal: `custom program error: ${reason}` })
  if (args.length < FIXED_BYTES) return refuse('InstructionDidNotDeserialize')
  const deposit = readArguments(args)
  const reason = refusalOf(deposit, call.accounts[0] ?? '', now)
  return reason === null ? { deposit } : refuse(reason)
}
