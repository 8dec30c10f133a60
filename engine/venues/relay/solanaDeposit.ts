import { bytesToHex } from '@noble/hashes/utils.js'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  type SolanaInstruction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { SOLANA_DEPOSITORY, solanaDepositoryAccounts } from './published.ts'

const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const DEPOSIT_NATIVE = '0d9e0ddf5fd51c06'
const DEPOSIT_TOKEN = '0b9c60da27a3b413'

/** Discriminator, amount, id. */
const DATA_BYTES = 8 + 8 + 32

/** A deposit as the depository program on Solana takes it. */
export type SolanaDeposit = {
  readonly asset: Asset
  readonly amount: bigint
  /** The order it pays. */
  readonly id: Hex
  readonly sender: Address
  /** Whom the venue books it to. */
  readonly depositor: Address
}

type Accounts = SolanaInstruction['accounts']

const isExactly = (accounts: Accounts, expected: readonly string[]): boolean =>
  accounts.length === expected.length && expected.every((address, index) => accounts[index] === address)

/** `DepositNative` of programs/relay-depository. */
const isNativeDeposit = (accounts: Accounts, sender: Address, depositor: Address): boolean => {
  const { state, vault } = solanaDepositoryAccounts()
  return isExactly(accounts, [state, sender, depositor, vault, SYSTEM_PROGRAM])
}

/** `DepositToken`: from the sender's own account of the mint into the vault's. Null when it is anything else. */
const depositedMint = (accounts: Accounts, sender: Address, depositor: Address): Address | null => {
  const [, , , , mint, , , program] = accounts
  if (!mint || (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM)) return null
  const { state, vault } = solanaDepositoryAccounts()
  const holdings = [sender, vault].map((owner) => associatedTokenAddress(owner, mint, program))
  const programs = [program, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM]
  return isExactly(accounts, [state, sender, depositor, vault, mint, ...holdings, ...programs]) ? mint : null
}

/** Reads an instruction of the depository; null when it is no deposit into its vault with every account in its place. */
export const readSolanaDeposit = ({ programId, accounts, data }: SolanaInstruction): SolanaDeposit | null => {
  const [, sender, depositor] = accounts
  if (programId !== SOLANA_DEPOSITORY || data.length !== DATA_BYTES || !sender || !depositor) return null
  const discriminator = bytesToHex(data.slice(0, 8))
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(8, true)
  const id: Hex = `0x${bytesToHex(data.slice(16))}`
  const deposit = { amount, id, sender, depositor }
  if (discriminator === DEPOSIT_NATIVE)
    return isNativeDeposit(accounts, sender, depositor) ? { ...deposit, asset: { chainId: SOLANA, address: NATIVE_SOL } } : null
  const mint = discriminator === DEPOSIT_TOKEN ? depositedMint(accounts, sender, depositor) : null
  // The mint that stands for SOL with us cannot be told from it, and the vendor books it as another currency.
  return mint === null || mint === NATIVE_SOL ? null : { ...deposit, asset: { chainId: SOLANA, address: mint } }
}

const PRICE_MICROLAMPORTS_MAX = 5_000_000n

/** Limit and price of compute units, which wallets set as they like. At this cap the whole fee stays under 0.01 SOL. */
const isModestBudget = ({ programId, accounts, data }: SolanaInstruction): boolean => {
  if (programId !== COMPUTE_BUDGET_PROGRAM || accounts.length > 0) return false
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data[0] === 2) return data.length === 5
  return data[0] === 3 && data.length === 9 && view.getBigUint64(1, true) <= PRICE_MICROLAMPORTS_MAX
}

/** Besides the deposit a transaction may hold compute budgets and memos, which move nothing. */
export const isHarmless = (instruction: SolanaInstruction, feePayer: Address): boolean =>
  isModestBudget(instruction) ||
  (instruction.programId === MEMO_PROGRAM && instruction.accounts.every((account) => account === feePayer))
