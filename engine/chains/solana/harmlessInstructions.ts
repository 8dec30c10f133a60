import type { Address } from '../../core/address.ts'
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, type SolanaInstruction } from './solanaCodec.ts'

/** Micro-lamports for one compute unit. A transaction has at most 1,400,000 units: the whole fee stays under 0.01 SOL. */
const PRICE_MICROLAMPORTS_MAX = 5_000_000n

const SET_COMPUTE_UNIT_LIMIT = 2
const SET_COMPUTE_UNIT_PRICE = 3

/** Limit and price of compute units, which wallets set as they like; an absurd price would drain the wallet. */
const isModestBudget = ({ accounts, data }: SolanaInstruction): boolean => {
  if (accounts.length > 0) return false
  if (data[0] === SET_COMPUTE_UNIT_LIMIT) return data.length === 5
  if (data[0] !== SET_COMPUTE_UNIT_PRICE || data.length !== 9) return false
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true) <= PRICE_MICROLAMPORTS_MAX
}

/** Whether what a transaction pays its network is within reason: every instruction about it is known, and the price modest. */
export const hasModestFee = (instructions: readonly SolanaInstruction[]): boolean =>
  instructions.every((instruction) => instruction.programId !== COMPUTE_BUDGET_PROGRAM || isModestBudget(instruction))

/** Modest compute budgets, and memos without another signer: they move nothing. */
export const isHarmless = (instruction: SolanaInstruction, feePayer: Address): boolean => {
  const { programId, accounts } = instruction
  if (programId === COMPUTE_BUDGET_PROGRAM) return isModestBudget(instruction)
  return programId === MEMO_PROGRAM && accounts.every((account) => account === feePayer)
}
