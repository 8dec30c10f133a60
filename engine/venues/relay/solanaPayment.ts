import { bytesToHex } from '@noble/hashes/utils.js'
import type { SolanaInstruction, SolanaTransaction } from '../../chains/solanaCodec.ts'
import { isModestBudget, readSolanaDeposit } from './solanaDeposit.ts'

/** Wallets set compute limit and price by themselves, before they sign. */
const essential = ({ instructions }: SolanaTransaction): readonly SolanaInstruction[] =>
  instructions.filter((instruction) => !isModestBudget(instruction))

const isSameInstruction = (a: SolanaInstruction, b: SolanaInstruction | undefined): boolean =>
  b !== undefined &&
  a.programId === b.programId &&
  bytesToHex(a.data) === bytesToHex(b.data) &&
  a.accounts.length === b.accounts.length &&
  // An account nobody named is not the same as another nobody named.
  a.accounts.every((account, index) => account !== null && account === b.accounts[index])

const isSameList = (a: readonly SolanaInstruction[], b: readonly SolanaInstruction[]): boolean =>
  a.length === b.length && a.every((instruction, index) => isSameInstruction(instruction, b[index]))

/**
 * Whether a transaction still pays Relay in the form it matches deposits by: one top-level instruction of the depository
 * that carries the order's id, with its amount and accounts. What was `built` must be found again in what was `signed`:
 * payer, signers, blockhash, and all instructions in their order; compute budgets may be added, changed or left out. Both
 * must have been decoded with their lookup tables. Returns what is different, each in a few words; none: it still pays.
 */
export const checkPayment = (signed: SolanaTransaction, built: SolanaTransaction): readonly string[] => {
  const deposits = signed.instructions.map(readSolanaDeposit).filter((deposit) => deposit !== null)
  const [deposit] = deposits
  return [
    ...(signed.feePayer === built.feePayer ? [] : ['another fee payer']),
    ...(signed.signers.length === 1 && built.signers.length === 1 ? [] : ['another signer']),
    ...(signed.recentBlockhash === built.recentBlockhash ? [] : ['another blockhash']),
    ...(isSameList(essential(signed), essential(built)) ? [] : ['other instructions']),
    ...(deposits.length === 1 && deposit?.sender === signed.feePayer ? [] : ['no deposit at the top level']),
  ]
}
