import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  type SolanaInstructionPlan,
  SYSTEM_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { SimToken } from '../kit/tokens.ts'
import { TOKEN_PROGRAMS, tokenAccountOf } from './solanaAccounts.ts'

/** Instructions of Solana's own programs: https://www.solana-program.com/docs/token and https://solana.com/docs/core/programs */

const SYSTEM_TRANSFER = 2
const TOKEN_MINT_TO = 7
const TOKEN_TRANSFER_CHECKED = 12
const CREATE_IDEMPOTENT = 1

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

/** The number of an instruction in `kindBytes` bytes, then an amount. */
const kindAndAmount = (kind: number, kindBytes: number, amount: bigint): Buffer => {
  const bytes = Buffer.alloc(kindBytes + 8)
  bytes.writeUInt8(kind)
  bytes.writeBigUInt64LE(amount, kindBytes)
  return bytes
}

type Payment = { readonly from: string; readonly to: string; readonly amount: bigint }

export const payLamports = ({ from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: SYSTEM_PROGRAM,
  accounts: [payer(from), writable(to)],
  data: kindAndAmount(SYSTEM_TRANSFER, 4, amount),
})

export const writeMemo = (text: string): SolanaInstructionPlan => ({
  programId: MEMO_PROGRAM,
  accounts: [],
  data: Buffer.from(text),
})

/** Pays from the associated account of the wallet `from` into the token account `to`. `by` signs: the wallet, or its delegate. */
export const payTokens = (token: SimToken, { from, to, amount }: Payment, by: string = from): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAMS[token.program],
  accounts: [writable(tokenAccountOf(token, from)), readonly(token.address), writable(to), signer(by)],
  data: Buffer.concat([kindAndAmount(TOKEN_TRANSFER_CHECKED, 1, amount), Buffer.of(token.decimals)]),
})

/** Creates the associated account of a wallet if it is missing. */
export const openTokenAccount = (token: SimToken, owner: string, paidBy: string): SolanaInstructionPlan => ({
  programId: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer(paidBy),
    writable(tokenAccountOf(token, owner)),
    ...[owner, token.address, SYSTEM_PROGRAM, TOKEN_PROGRAMS[token.program]].map(readonly),
  ],
  data: Uint8Array.of(CREATE_IDEMPOTENT),
})

/** Mints into the associated account of a wallet. */
export const mintTokens = (token: SimToken, { from, to, amount }: Payment): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAMS[token.program],
  accounts: [writable(token.address), writable(tokenAccountOf(token, to)), signer(from)],
  data: kindAndAmount(TOKEN_MINT_TO, 1, amount),
})
