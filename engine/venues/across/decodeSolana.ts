import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { eventAuthority, isAnchorCall, readAnchorCall } from '../../chains/solana/anchor.ts'
import { type Fields, hexOf } from '../../chains/solana/borsh.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  decodeSolanaTransaction,
  type SolanaInstruction,
  type SolanaTransaction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressOfWord } from '../kit/spokePools.ts'
import { rejected } from '../venueError.ts'
import { type DecodePorts, readOutput } from './deposit.ts'
import { SVM_DEPOSIT } from './protocol.ts'

/** Accounts of the program's `deposit`, in order. */
const ACCOUNTS = { state: 1, delegate: 2, source: 3, vault: 4, mint: 5 } as const

type Deposit = {
  readonly depositor: Address
  readonly inputToken: Address
  readonly stated: Fields<typeof SVM_DEPOSIT>
  readonly instruction: SolanaInstruction
}

/** The arguments of the deposit, which are all that the program logs. */
const argumentsOf = ({ instruction: { data } }: Deposit): Uint8Array => data.slice(8)

/**
 * All accounts of the program's `deposit`, none of which the writer of the transaction may choose: the IDL that
 * @across-protocol/contracts publishes, and `getDepositPda` beside it. On mainnet the seed of the state is 0.
 */
const accountsOf = (deposit: Deposit): readonly Address[] => {
  const { depositor, inputToken } = deposit
  const { programId } = deposit.instruction
  const derived = (...seeds: readonly Uint8Array[]): Address => solanaProgramAddress(programId, seeds)
  const state = derived(utf8ToBytes('state'), new Uint8Array(8))
  const delegate = derived(utf8ToBytes('delegate'), keccak_256(argumentsOf(deposit)))
  const [source, vault] = [associatedTokenAddress(depositor, inputToken), associatedTokenAddress(state, inputToken)]
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, eventAuthority(programId), programId]
  return [depositor, state, delegate, source, vault, inputToken, ...programs]
}

/** Null for any other instruction, or with missing or extra bytes; Across sends no message from Solana. */
const readDeposit = (instruction: SolanaInstruction): Deposit | null => {
  const stated = readAnchorCall(instruction.data, 'deposit', SVM_DEPOSIT)
  if (stated?.message !== '0x') return null
  const [depositor, inputToken] = [stated.depositor, stated.inputToken].map((word) => addressOfWord(SOLANA, word))
  return depositor && inputToken ? { depositor, inputToken, stated, instruction } : null
}

const isDeposit = ({ data }: SolanaInstruction): boolean => isAnchorCall(data, 'deposit')

const isSame = (accounts: SolanaInstruction['accounts'], expected: readonly (Address | null | undefined)[]): boolean =>
  accounts.length === expected.length && expected.every((account, i) => account === accounts[i])

/** `ApproveChecked` of the deposit's own amount, from the payer's account to the program's delegate. */
const isOwnApproval = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  if (data[0] !== 13 || data.length !== 10 || accounts.length !== 4) return false
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true)
  const { source, mint, delegate } = ACCOUNTS
  const expected = [
    deposit.instruction.accounts[source],
    deposit.instruction.accounts[mint],
    deposit.instruction.accounts[delegate],
    payer,
  ]
  return amount === deposit.stated.inputAmount && isSame(accounts, expected)
}

/** `CreateIdempotent` of the deposit's vault, in case it does not exist yet. */
const isVaultCreation = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  const { vault, state, mint } = ACCOUNTS
  const own = [vault, state, mint].map((at) => deposit.instruction.accounts[at])
  const expected = [payer, ...own, SYSTEM_PROGRAM, TOKEN_PROGRAM]
  return data.length === 1 && data[0] === 1 && isSame(accounts, expected)
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
  return [
    ...failing({
      'addresses from a lookup table': !usesLookupTables,
      'another signer': signers.length === 1 && deposit.depositor === feePayer,
      'accounts of the deposit': isSame(deposit.instruction.accounts, accountsOf(deposit)),
      'more than one deposit': instructions.length - companions.length === 1 && approvals.length <= 1,
    }),
    ...strangers.map(({ programId }) => `instruction of ${programId}`),
  ]
}

type FoundDeposit = Deposit & { readonly transaction: SolanaTransaction }

/** The deposit of a transaction; null for any other transaction. */
export const findDeposit = async (data: string): Promise<FoundDeposit | null> => {
  const transaction = await decodeSolanaTransaction(data)
  const instruction = transaction?.instructions.find(isDeposit)
  const deposit = instruction && readDeposit(instruction)
  return transaction && deposit ? { ...deposit, transaction } : null
}

const depositIn = async (data: string): Promise<FoundDeposit> => {
  const found = await findDeposit(data)
  if (found === null) throw rejected('deposit', 'a Solana transaction without a readable deposit', data)
  return found
}

export const depositArguments = async ({ data }: WalletTransaction): Promise<Hex> => hexOf(argumentsOf(await depositIn(data)))

/** The effect of an Across transaction on Solana, by its bytes. */
export const decodeSolana = async ({ to, data, serialized }: WalletTransaction, ports: DecodePorts): Promise<PayloadClaims> => {
  const deposit = await depositIn(data)
  const { inputToken, depositor, stated, transaction, instruction } = deposit
  const isKnown = to === instruction.programId && ports.pinned.svmSpokes.includes(to)
  const { inputAmount } = stated
  const { claims } = await readOutput(stated, { asset: { chainId: SOLANA, address: inputToken }, amount: inputAmount }, ports)
  return {
    ...claims,
    chainId: SOLANA,
    pays: to,
    spender: null,
    input: { asset: { chainId: SOLANA, address: inputToken }, amount: inputAmount },
    refundTo: depositor,
    unread: [
      ...failing({ 'a program besides the SpokePool': isKnown, 'two different transactions': serialized === data }),
      ...transactionProblems(transaction, deposit),
      ...claims.unread,
    ],
  }
}
