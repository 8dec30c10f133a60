import type { SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { SimToken } from '../kit/tokens.ts'
import { ASSOCIATED_TOKEN_PROGRAM, associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_PROGRAMS } from './solanaAccounts.ts'
import { MEMO_PROGRAM } from './solanaMemos.ts'

/** Instructions of Solana's own programs: https://www.solana-program.com/docs/token and https://solana.com/docs/core/programs */

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
const SYSTEM_TRANSFER = Buffer.from('02000000', 'hex')
const SET_COMPUTE_UNIT_LIMIT = 2
const TOKEN_REVOKE = 5
const TOKEN_MINT_TO = 7
const TOKEN_TRANSFER_CHECKED = 12
const TOKEN_APPROVE_CHECKED = 13
const CREATE_IDEMPOTENT = 1

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

type Payment = { readonly from: string; readonly to: string; readonly amount: bigint }

export const payLamports = ({ from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: SYSTEM_PROGRAM,
  accounts: [payer(from), writable(to)],
  data: Buffer.concat([SYSTEM_TRANSFER, u64(amount)]),
})

/** A text beside the other instructions. */
export const writeMemo = (text: string): SolanaInstructionPlan => ({
  programId: MEMO_PROGRAM.v3,
  accounts: [],
  data: Buffer.from(text),
})

/** Between the associated accounts of two wallets. */
export const payTokens = (token: SimToken, { from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAMS[token.program],
  accounts: [
    writable(associatedTokenAddress(token, from)),
    readonly(token.address),
    writable(associatedTokenAddress(token, to)),
    signer(from),
  ],
  data: Buffer.concat([Buffer.of(TOKEN_TRANSFER_CHECKED), u64(amount), Buffer.of(token.decimals)]),
})

/** Out of the associated account of a wallet into any account, by whom it has let move so much. */
export const payTokensAs = (delegate: string, token: SimToken, { from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAMS[token.program],
  accounts: [writable(associatedTokenAddress(token, from)), readonly(token.address), writable(to), signer(delegate)],
  data: Buffer.concat([Buffer.of(TOKEN_TRANSFER_CHECKED), u64(amount), Buffer.of(token.decimals)]),
})

/** Makes the associated account of a wallet, unless it is there. */
export const openTokenAccount = (token: SimToken, owner: string, paidBy: string): SolanaInstructionPlan => ({
  programId: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer(paidBy),
    writable(associatedTokenAddress(token, owner)),
    ...[owner, token.address, SYSTEM_PROGRAM, TOKEN_PROGRAMS[token.program]].map(readonly),
  ],
  data: Uint8Array.of(CREATE_IDEMPOTENT),
})

export const mintTokens = (token: SimToken, { from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAMS[token.program],
  accounts: [writable(token.address), writable(associatedTokenAddress(token, to)), signer(from)],
  data: Buffer.concat([Buffer.of(TOKEN_MINT_TO), u64(amount)]),
})

/** Lets a delegate move so much out of the associated account of a wallet; nothing any more when it is none. */
export const allowDelegate = (
  token: SimToken,
  { owner, delegate, amount }: { readonly owner: string; readonly delegate: string; readonly amount: bigint },
): SolanaInstructionPlan => {
  const programId = TOKEN_PROGRAMS[token.program]
  const account = writable(associatedTokenAddress(token, owner))
  if (amount === 0n) return { programId, accounts: [account, signer(owner)], data: Uint8Array.of(TOKEN_REVOKE) }
  return {
    programId,
    accounts: [account, readonly(token.address), readonly(delegate), signer(owner)],
    data: Buffer.concat([Buffer.of(TOKEN_APPROVE_CHECKED), u64(amount), Buffer.of(token.decimals)]),
  }
}

export const limitComputeUnits = (units: bigint): SolanaInstructionPlan => {
  const data = Buffer.alloc(5)
  data.writeUInt8(SET_COMPUTE_UNIT_LIMIT)
  data.writeUInt32LE(Number(units), 1)
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}
