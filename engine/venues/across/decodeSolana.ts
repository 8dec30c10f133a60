import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
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
import { VenueError } from '../venueError.ts'
import { type DecodePorts, readOutput, type StatedOutput } from './deposit.ts'
import { SVM_SPOKE } from './published.ts'

/** `deposit` of programs/svm-spoke, with the accounts the program expects, in order. */
const DEPOSIT_DISCRIMINATOR = 'f223c68952e1f2b6'
const ACCOUNTS = { state: 1, delegate: 2, source: 3, vault: 4, mint: 5 } as const
/** Everything before the message, with its length. */
const FIXED_BYTES = 232

type Deposit = StatedOutput & {
  readonly depositor: Address
  readonly inputToken: Address
  readonly inputAmount: bigint
  readonly accounts: SolanaInstruction['accounts']
  /** As the program hashes them for the address of the delegate. */
  readonly args: Uint8Array
}

const derived = (...seeds: readonly Uint8Array[]): Address => solanaProgramAddress(SVM_SPOKE, seeds)

/**
 * All accounts of the program's `deposit`, of which none is left to who writes the transaction: the IDL that
 * @across-protocol/contracts publishes, and `getDepositPda` beside it. On mainnet the seed of the state is 0.
 */
const accountsOf = ({ depositor, inputToken, args }: Deposit): readonly Address[] => {
  const state = derived(utf8ToBytes('state'), new Uint8Array(8))
  const delegate = derived(utf8ToBytes('delegate'), keccak_256(args))
  const [source, vault] = [associatedTokenAddress(depositor, inputToken), associatedTokenAddress(state, inputToken)]
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, derived(utf8ToBytes('__event_authority')), SVM_SPOKE]
  return [depositor, state, delegate, source, vault, inputToken, ...programs]
}

const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`
const isDeposit = ({ programId, data }: SolanaInstruction): boolean =>
  programId === SVM_SPOKE && bytesToHex(data.slice(0, 8)) === DEPOSIT_DISCRIMINATOR

/** Null when bytes are missing or left over; Across sends no message from Solana. */
const readDeposit = ({ data, accounts }: SolanaInstruction): Deposit | null => {
  if (data.length !== FIXED_BYTES) return null
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
    exclusiveRelayer: hexOf(data.slice(184, 216)),
    quoteTimestamp: view.getUint32(216, true),
    fillDeadline: view.getUint32(220, true),
    exclusivityParameter: view.getUint32(224, true),
    message: '0x',
    accounts,
    args: data.slice(8),
  }
}

const isSame = (accounts: SolanaInstruction['accounts'], expected: readonly (Address | null | undefined)[]): boolean =>
  accounts.length === expected.length && expected.every((account, i) => account === accounts[i])

/** `ApproveChecked` of the deposit's own amount, from the payer's account to the program's delegate. */
const isOwnApproval = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  if (data[0] !== 13 || data.length !== 10 || accounts.length !== 4) return false
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true)
  const { source, mint, delegate } = ACCOUNTS
  const expected = [deposit.accounts[source], deposit.accounts[mint], deposit.accounts[delegate], payer]
  return amount === deposit.inputAmount && isSame(accounts, expected)
}

/** `CreateIdempotent` of the vault the deposit pays into, in case it does not exist yet. */
const isVaultCreation = ({ data, accounts }: SolanaInstruction, deposit: Deposit, payer: Address): boolean => {
  const { vault, state, mint } = ACCOUNTS
  const own = [vault, state, mint].map((at) => deposit.accounts[at])
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
  const { accounts, depositor } = deposit
  return [
    ...failing({
      'addresses from a lookup table': !usesLookupTables,
      'another signer': signers.length === 1 && depositor === feePayer,
      'accounts of the deposit': isSame(accounts, accountsOf(deposit)),
      'more than one deposit': instructions.length - companions.length === 1 && approvals.length <= 1,
    }),
    ...strangers.map(({ programId }) => `instruction of ${programId}`),
  ]
}

const findDeposit = async (data: string): Promise<{ transaction: SolanaTransaction; deposit: Deposit }> => {
  const transaction = await decodeSolanaTransaction(data)
  const instruction = transaction?.instructions.find(isDeposit)
  const deposit = instruction && readDeposit(instruction)
  if (!transaction || !deposit) throw new VenueError('badResponse', 'a Solana transaction without a readable deposit')
  return { transaction, deposit }
}

/** The arguments of the deposit, which are all that the program logs of it. */
export const depositArguments = async ({ data }: WalletTransaction): Promise<Hex> => hexOf((await findDeposit(data)).deposit.args)

/** What an Across transaction on Solana would do, read from its bytes. */
export const decodeSolana = async ({ to, data, serialized }: WalletTransaction, ports: DecodePorts): Promise<PayloadClaims> => {
  const { transaction, deposit } = await findDeposit(data)
  const { inputToken, inputAmount } = deposit
  const { claims } = await readOutput(deposit, { chainId: SOLANA, address: inputToken, amount: inputAmount }, ports)
  return {
    ...claims,
    chainId: SOLANA,
    pays: to,
    spender: null,
    input: { asset: { chainId: SOLANA, address: inputToken }, amount: inputAmount },
    refundTo: deposit.depositor,
    unread: [
      ...failing({ 'a program besides the SpokePool': to === SVM_SPOKE, 'two different transactions': serialized === data }),
      ...transactionProblems(transaction, deposit),
      ...claims.unread,
    ],
  }
}
