import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  decodeSolanaTransaction,
  type SolanaInstruction,
  type SolanaTransaction,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import { type DecodePorts, readOutput, type StatedOutput } from './deposit.ts'
import { SVM_SPOKE } from './published.ts'

/** `deposit` of programs/svm-spoke, with the accounts the program expects, in order. */
const DEPOSIT_DISCRIMINATOR = 'f223c68952e1f2b6'
const ACCOUNTS = { signer: 0, state: 1, delegate: 2, source: 3, vault: 4, mint: 5, tokenProgram: 6 } as const
const ACCOUNT_COUNT = 11
/** Everything before the message, with its length. */
const FIXED_BYTES = 232

type Deposit = StatedOutput & {
  readonly depositor: Address
  readonly inputToken: Address
  readonly inputAmount: bigint
  readonly accounts: SolanaInstruction['accounts']
}

const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`
const isDeposit = ({ programId, data }: SolanaInstruction): boolean =>
  programId === SVM_SPOKE && bytesToHex(data.slice(0, 8)) === DEPOSIT_DISCRIMINATOR

/** Null when bytes are missing or left over; Across sends no message from Solana. */
const readDeposit = ({ data, accounts }: SolanaInstruction): Deposit | null => {
  if (data.length !== FIXED_BYTES || accounts.length !== ACCOUNT_COUNT) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (view.getUint32(228, true) !== 0) return null
  const key = (offset: number): Address => base58.encode(data.slice(offset, offset + 32)) as Address
  return {
    depositor: key(8),
    recipient: hexOf(data.slice(40, 72)),
    inputToken: key(72),
    outputToken: hexOf(data.slice(104, 136)),
    inputAmount: view.getBigUint64(136, true),
    outputAmount: BigInt(hexOf(data.slice(144, 176))),
    destinationChainId: view.getBigUint64(176, true),
    // An exclusive relayer of 32 bytes lies between.
    quoteTimestamp: view.getUint32(216, true),
    fillDeadline: view.getUint32(220, true),
    message: '0x',
    accounts,
  }
}

/** `ApproveChecked` of the deposit's own amount, from the payer's account to the program's delegate. */
const isOwnApproval = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  if (data[0] !== 13 || data.length !== 10 || accounts.length !== 4) return false
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true)
  const { source, mint, delegate } = ACCOUNTS
  const expected = [deposit.accounts[source], deposit.accounts[mint], deposit.accounts[delegate], payer]
  return amount === deposit.inputAmount && expected.every((account, i) => account === accounts[i])
}

/** `CreateIdempotent` of the vault the deposit pays into, in case it does not exist yet. */
const isVaultCreation = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  const { vault, state, mint } = ACCOUNTS
  const expected = [payer, deposit.accounts[vault], deposit.accounts[state], deposit.accounts[mint]]
  return data.length === 1 && data[0] === 1 && expected.every((account, i) => account === accounts[i])
}

const isCompanion = (instruction: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  switch (instruction.programId) {
    case TOKEN_PROGRAM:
      return isOwnApproval(instruction, deposit, payer)
    case ASSOCIATED_TOKEN_PROGRAM:
      return isVaultCreation(instruction, deposit, payer)
    default:
      return isHarmless(instruction, payer)
  }
}

const transactionProblems = (transaction: SolanaTransaction, deposit: Deposit): readonly string[] => {
  const { feePayer, signers, instructions, usesLookupTables } = transaction
  const companions = instructions.filter((instruction) => !isDeposit(instruction))
  const strangers = companions.filter((instruction) => !isCompanion(instruction, deposit, feePayer))
  const approvals = companions.filter(({ programId }) => programId === TOKEN_PROGRAM)
  const { accounts, inputToken, depositor } = deposit
  return [
    ...failing({
      'addresses from a lookup table': !usesLookupTables,
      'another signer': signers.length === 1 && depositor === feePayer && accounts[ACCOUNTS.signer] === feePayer,
      mint: accounts[ACCOUNTS.mint] === inputToken && accounts[ACCOUNTS.tokenProgram] === TOKEN_PROGRAM,
      'more than one deposit': instructions.length - companions.length === 1 && approvals.length <= 1,
    }),
    ...strangers.map(({ programId }) => `instruction of ${programId}`),
  ]
}

/** What an Across transaction on Solana would do, read from its bytes. */
export const decodeSolana = async ({ to, data, serialized }: WalletTransaction, ports: DecodePorts): Promise<PayloadClaims> => {
  const transaction = await decodeSolanaTransaction(data)
  const instruction = transaction?.instructions.find(isDeposit)
  const deposit = instruction && readDeposit(instruction)
  if (!transaction || !deposit) throw new VenueError('badResponse', 'a Solana transaction without a readable deposit')
  const { claims } = await readOutput(deposit, ports)
  return {
    ...claims,
    chainId: SOLANA,
    pays: to,
    spender: null,
    input: { asset: { chainId: SOLANA, address: deposit.inputToken }, amount: deposit.inputAmount },
    refundTo: deposit.depositor,
    unread: [
      ...failing({ 'a program besides the SpokePool': to === SVM_SPOKE, 'two different transactions': serialized === data }),
      ...transactionProblems(transaction, deposit),
      ...claims.unread,
    ],
  }
}
